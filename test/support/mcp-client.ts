/**
 * Two ways to talk to `kb serve` over stdio.
 *
 * `connectClient` is the public SDK's client, as an agent would use it. `RawClient`
 * reads line by line and fails on any byte of stdout that is no JSON-RPC message.
 */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { BINARY, isolatedEnvironment, type RunOptions, startKb, type WireValue } from "./run-binary.ts";

/** A connected client; its `close` ends the server. */
export async function connectClient(args: readonly string[], options: RunOptions = {}): Promise<Client> {
  const client = new Client({ name: "kb-tests", version: "1.0.0" });
  const transport = new StdioClientTransport({
    command: BINARY,
    args: ["serve", ...args],
    env: isolatedEnvironment(options.env),
    cwd: options.cwd ?? "/",
    stderr: "ignore",
  });
  await client.connect(transport);
  return client;
}

interface Message {
  readonly jsonrpc: "2.0";
  readonly id?: number;
  readonly result?: WireValue;
  readonly error?: { readonly code: number; readonly message: string };
}

/** A client that sees every line. */
export class RawClient implements AsyncDisposable {
  readonly process: ReturnType<typeof startKb>;
  /** Everything the server wrote on stdout, line by line. */
  readonly lines: string[] = [];
  readonly #waiting = new Map<number, PromiseWithResolvers<Message>>();
  readonly #reading: Promise<void>;
  #nextId = 1;
  #failure: Error | undefined;

  constructor(args: readonly string[], options: RunOptions = {}) {
    this.process = startKb(["serve", ...args], options);
    this.#reading = this.#read();
  }

  /** The result of a request; rejects if the server answers with an error, writes garbage or ends. */
  async request(method: string, params: unknown = {}): Promise<WireValue> {
    if (this.#failure !== undefined) throw this.#failure;
    const id = this.#nextId++;
    const waiting = Promise.withResolvers<Message>();
    this.#waiting.set(id, waiting);
    this.#send({ jsonrpc: "2.0", id, method, params });
    const answer = await waiting.promise;
    if (answer.error !== undefined) throw new Error(`${answer.error.code}: ${answer.error.message}`);
    return answer.result;
  }

  /** Opens the session; answers with what the server says of itself. */
  async initialize(): Promise<WireValue> {
    const result = await this.request("initialize", {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "kb-tests", version: "1.0.0" },
    });
    this.#send({ jsonrpc: "2.0", method: "notifications/initialized" });
    return result;
  }

  /** A tool's result, also when it is an error of the tool. */
  callTool(name: string, toolArguments: unknown): Promise<WireValue> {
    return this.request("tools/call", { name, arguments: toolArguments });
  }

  /** Closes stdin, as a client does that goes away; answers with the exit code. */
  async closeInput(): Promise<number> {
    this.#input.end();
    return this.#ended();
  }

  /** Sends a signal; answers with the exit code. */
  async kill(signal: NodeJS.Signals): Promise<number> {
    this.process.kill(signal);
    return this.#ended();
  }

  /** @throws {Error} If any line of stdout was no JSON-RPC message. */
  checkStdout(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.process.kill("SIGKILL");
    await this.#ended();
  }

  get #input(): Bun.FileSink {
    return this.process.stdin as Bun.FileSink;
  }

  #send(message: unknown): void {
    this.#input.write(`${JSON.stringify(message)}\n`);
    this.#input.flush();
  }

  async #ended(): Promise<number> {
    const code = await this.process.exited;
    await this.#reading;
    return code;
  }

  async #read(): Promise<void> {
    const decoder = new TextDecoder();
    let rest = "";
    for await (const bytes of this.process.stdout) {
      rest += decoder.decode(bytes, { stream: true });
      const lines = rest.split("\n");
      rest = lines.pop()!;
      for (const line of lines) this.#take(line);
    }
    if (rest !== "") this.#take(rest);
    const ended = new Error("the server ended before it answered");
    for (const { reject } of this.#waiting.values()) reject(ended);
  }

  #take(line: string): void {
    this.lines.push(line);
    let message: Message;
    try {
      message = JSON.parse(line) as Message;
      if (message.jsonrpc !== "2.0") throw new Error("no JSON-RPC message");
    } catch (cause) {
      this.#failure = new Error(`stdout carried a line that is no protocol message: ${line}`, { cause });
      for (const { reject } of this.#waiting.values()) reject(this.#failure);
      return;
    }
    if (message.id === undefined) return;
    this.#waiting.get(message.id)?.resolve(message);
    this.#waiting.delete(message.id);
  }
}
