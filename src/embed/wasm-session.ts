/**
 * A session of the ONNX Runtime as WebAssembly, on the thread that opens it.
 *
 * The runtime's C interface is called directly: its npm wrapper would copy the model twice
 * and make every run asynchronous. The model stays in the runtime's own memory, where its
 * weights are used in place. Importing this module costs a little, so only `open-session.ts`
 * does, when it is needed.
 */
import { readFileSync } from "node:fs";
import load, { type OrtWasm } from "onnxruntime-web/ort-wasm-simd-threaded.mjs";
import { AppError, messageOf } from "../errors.ts";
import type { Session, WasmFiles } from "./session.ts";

const LOG_LEVEL_FATAL = 4;
/** Numbers of the C interface. */
const INT64 = 7;
const ON_PROCESSOR = 1;
const POINTER_BYTES = 4;

/**
 * Compiles the runtime, unless that was done, and loads the model: some tenths of a second, about 150 MB.
 *
 * @throws {AppError} `model` if a file cannot be read or is refused.
 */
export async function openWasmSession({ wasmPath, modelPath, module }: WasmFiles): Promise<Session> {
  const model = attempt(`cannot load the model ${modelPath}`, () => readFileSync(modelPath));
  const wasm = await startRuntime(module ?? (await compileRuntime(wasmPath)));
  const session = attempt(`cannot load the model ${modelPath}`, () => createSession(wasm, model));
  const inputNames = ["input_ids", "attention_mask"].map((name) => placeText(wasm, name));
  const outputName = placeText(wasm, "embedding");
  return {
    run: (ids) =>
      attempt("the model could not be run", () => {
        if (session.isClosed) throw new Error("the session was closed");
        return runOnce(wasm, session.handle, { ids, inputNames, outputName });
      }),
    close: () => session.close(),
  };
}

/** @throws {AppError} `model` if the file cannot be read or is no such program. */
export async function compileRuntime(path: string): Promise<WebAssembly.Module> {
  try {
    return await WebAssembly.compile(readFileSync(path));
  } catch (error) {
    throw new AppError("model", `cannot compile ${path}: ${messageOf(error)}`, { cause: error });
  }
}

async function startRuntime(module: WebAssembly.Module): Promise<OrtWasm> {
  const restoreWorker = keepWorker();
  try {
    const wasm = await load({
      // Given to it, the runtime looks for nothing, and prints nothing when compiling fails.
      instantiateWasm(imports, receive) {
        receive(new WebAssembly.Instance(module, imports), module);
        return {};
      },
      // With one thread it starts no workers, which would be files, too.
      numThreads: 1,
    });
    check(wasm, wasm._OrtInit(1, LOG_LEVEL_FATAL));
    return wasm;
  } catch (error) {
    throw new AppError("model", `cannot start the WebAssembly runtime: ${messageOf(error)}`, {
      cause: error,
    });
  } finally {
    restoreWorker();
  }
}

/** The runtime replaces the global `Worker` by another kind; whoever starts one meanwhile must not get that. */
function keepWorker(): () => void {
  const original = Object.getOwnPropertyDescriptor(globalThis, "Worker");
  const { Worker } = globalThis;
  Object.defineProperty(globalThis, "Worker", { get: () => Worker, set: () => {}, configurable: true });
  return () => {
    if (original !== undefined) Object.defineProperty(globalThis, "Worker", original);
  };
}

interface WasmSession {
  readonly handle: number;
  readonly isClosed: boolean;
  close(): void;
}

function createSession(wasm: OrtWasm, bytes: Uint8Array): WasmSession {
  const model = wasm._malloc(bytes.length);
  if (model === 0) throw new Error("there is not enough memory");
  wasm.HEAPU8.set(bytes, model);
  // No optimisation, memory arena on, runs in sequence: the file was optimised when it was made.
  const options = wasm._OrtCreateSessionOptions(0, true, false, 0, false, 0, 0, LOG_LEVEL_FATAL, 0, 0);
  for (const key of ["use_ort_model_bytes_directly", "use_ort_model_bytes_for_initializers"]) {
    const [name, value] = [placeText(wasm, `session.${key}`), placeText(wasm, "1")];
    check(wasm, wasm._OrtAddSessionConfigEntry(options, name, value));
    wasm._free(name);
    wasm._free(value);
  }
  const handle = wasm._OrtCreateSession(model, bytes.length, options);
  if (handle === 0) throw new Error(lastError(wasm));
  wasm._OrtReleaseSessionOptions(options);
  let isClosed = false;
  return {
    handle,
    get isClosed() {
      return isClosed;
    },
    close() {
      if (isClosed) return;
      isClosed = true;
      wasm._OrtReleaseSession(handle);
      // Not earlier: the weights are read where they lie.
      wasm._free(model);
    },
  };
}

interface Run {
  readonly ids: readonly number[];
  /** Places of the inputs' names: ids, then mask. */
  readonly inputNames: readonly number[];
  readonly outputName: number;
}

function runOnce(wasm: OrtWasm, session: number, { ids, inputNames, outputName }: Run): Float32Array {
  const stack = wasm.stackSave();
  const inputBytes = ids.length * BigInt64Array.BYTES_PER_ELEMENT;
  const data = wasm._malloc(2 * inputBytes);
  const tensors: number[] = [];
  try {
    const inputs = new BigInt64Array(wasm.HEAPU8.buffer, data, 2 * ids.length);
    for (const [offset, id] of ids.entries()) inputs[offset] = BigInt(id);
    inputs.fill(1n, ids.length);
    const dims = placeNumbers(wasm, [1, ids.length]);
    for (const place of [data, data + inputBytes]) {
      const tensor = wasm._OrtCreateTensor(INT64, place, inputBytes, dims, 2, ON_PROCESSOR);
      if (tensor === 0) throw new Error(lastError(wasm));
      tensors.push(tensor);
    }
    const output = placeNumbers(wasm, [0]);
    const [names, values] = [placeNumbers(wasm, inputNames), placeNumbers(wasm, tensors)];
    const outputNames = placeNumbers(wasm, [outputName]);
    check(wasm, wasm._OrtRun(session, names, values, tensors.length, outputNames, 1, output, 0));
    const embedding = numberAt(wasm, output);
    tensors.push(embedding);
    return copyFloats(wasm, embedding);
  } finally {
    for (const tensor of tensors) wasm._OrtReleaseTensor(tensor);
    wasm._free(data);
    wasm.stackRestore(stack);
  }
}

/** All numbers of a tensor of floats, whatever its shape. */
function copyFloats(wasm: OrtWasm, tensor: number): Float32Array {
  const [type, data, dims, dimsCount] = [0, 0, 0, 0].map(() => placeNumbers(wasm, [0])) as Four;
  check(wasm, wasm._OrtGetTensorData(tensor, type, data, dims, dimsCount));
  const dimsAt = numberAt(wasm, dims);
  let length = 1;
  for (let index = 0; index < numberAt(wasm, dimsCount); index++)
    length *= numberAt(wasm, dimsAt + index * POINTER_BYTES);
  wasm._OrtFree(dimsAt);
  // Copied with `from`, since `slice` of memory that could be shared stays of that kind and cannot be sent.
  return Float32Array.from(new Float32Array(wasm.HEAPU8.buffer, numberAt(wasm, data), length));
}

type Four = [number, number, number, number];

function placeText(wasm: OrtWasm, text: string): number {
  const bytes = wasm.lengthBytesUTF8(text) + 1;
  const place = wasm._malloc(bytes);
  wasm.stringToUTF8(text, place, bytes);
  return place;
}

/** On the stack: gone with `stackRestore`. */
function placeNumbers(wasm: OrtWasm, numbers: readonly number[]): number {
  const place = wasm.stackAlloc(numbers.length * POINTER_BYTES);
  new Uint32Array(wasm.HEAPU8.buffer, place, numbers.length).set(numbers);
  return place;
}

function numberAt(wasm: OrtWasm, place: number): number {
  return new Uint32Array(wasm.HEAPU8.buffer, place, 1)[0]!;
}

function check(wasm: OrtWasm, status: number): void {
  if (status !== 0) throw new Error(lastError(wasm));
}

function lastError(wasm: OrtWasm): string {
  const stack = wasm.stackSave();
  const [code, message] = [placeNumbers(wasm, [0]), placeNumbers(wasm, [0])];
  wasm._OrtGetLastError(code, message);
  const text = wasm.UTF8ToString(numberAt(wasm, message)).trim();
  wasm.stackRestore(stack);
  return text || "the runtime gave no reason";
}

/** Turns whatever the runtime throws, exhausted memory included, into a failure that names what was tried. */
function attempt<T>(what: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new AppError("model", `${what}: ${messageOf(error)}`, { cause: error });
  }
}
