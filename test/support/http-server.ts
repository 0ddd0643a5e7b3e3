/**
 * `kb serve --transport http` on a port of the system's choice, and ways to talk to it.
 *
 * The public SDK's client as an agent would use it, `fetch`, and raw sockets for what neither would send.
 */
import { connect } from "node:net";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { type RunOptions, startKb } from "./run-binary.ts";

export const JSON_HEADERS: Readonly<Record<string, string>> = {
  "Content-Type": "application/json",
  Accept: "application/json, text/event-stream",
};

export const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "kb-tests", version: "1.0.0" },
  },
};

export class HttpServer implements AsyncDisposable {
  readonly process: ReturnType<typeof startKb>;
  readonly port: number;
  readonly #stderr: { text: string };

  private constructor(process: ReturnType<typeof startKb>, port: number, stderr: { text: string }) {
    this.process = process;
    this.port = port;
    this.#stderr = stderr;
  }

  /** Waits until it listens. @throws {Error} If it ends before. */
  static async start(args: readonly string[], options: RunOptions = {}): Promise<HttpServer> {
    const child = startKb(["serve", "--transport", "http", "--port", "0", ...args], options);
    const stderr = { text: "" };
    const ready = Promise.withResolvers<number>();
    const read = async () => {
      const decoder = new TextDecoder();
      for await (const bytes of child.stderr) {
        stderr.text += decoder.decode(bytes, { stream: true });
        const port = /listening on \S+:(\d+)\n/.exec(stderr.text)?.[1];
        if (port !== undefined) ready.resolve(Number(port));
      }
      ready.reject(new Error(`the server ended: ${stderr.text}`));
    };
    void read();
    return new HttpServer(child, await ready.promise, stderr);
  }

  /** What it has said so far. */
  get stderr(): string {
    return this.#stderr.text;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/mcp`;
  }

  async connect(headers: Record<string, string> = {}): Promise<Client> {
    const client = new Client({ name: "kb-tests", version: "1.0.0" });
    await client.connect(new StreamableHTTPClientTransport(new URL(this.url), { requestInit: { headers } }));
    return client;
  }

  post(body: unknown, headers: Record<string, string> = {}): Promise<Response> {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    return fetch(this.url, { method: "POST", headers: { ...JSON_HEADERS, ...headers }, body: text });
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(`http://127.0.0.1:${this.port}${path}`, { headers });
  }

  /** Writes bytes to a connection of its own; answers with all that came back once it is closed. */
  raw(text: string): Promise<string> {
    return new Promise((resolve) => {
      let answer = "";
      const socket = connect(this.port, "127.0.0.1", () => socket.write(Buffer.from(text, "latin1")));
      socket.on("data", (data) => {
        answer += data.toString("latin1");
      });
      socket.on("error", () => resolve(answer));
      socket.on("close", () => resolve(answer));
    });
  }

  /** Status of a request with the given lines of headers. */
  async statusOf(path: string, ...headers: readonly string[]): Promise<number> {
    const answer = await this.raw(
      `GET ${path} HTTP/1.1\r\n${[...headers, "Connection: close"].join("\r\n")}\r\n\r\n`,
    );
    return Number(answer.split(" ")[1]);
  }

  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<number> {
    this.process.kill(signal);
    return this.process.exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.process.kill("SIGKILL");
    await this.process.exited;
  }
}
