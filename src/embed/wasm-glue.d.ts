/**
 * What the type checker is told of the WebAssembly runtime's own loader, which has no types.
 *
 * Only what `wasm-session.ts` uses is named. Handles and places in memory are numbers,
 * places counted in bytes; results other than handles are 0 when all went well.
 */
declare module "onnxruntime-web/ort-wasm-simd-threaded.mjs" {
  export interface OrtWasm {
    /** Made anew whenever the memory grows: never keep it over a call. */
    readonly HEAPU8: Uint8Array;
    _malloc(bytes: number): number;
    _free(place: number): void;
    stackSave(): number;
    stackAlloc(bytes: number): number;
    stackRestore(place: number): void;
    UTF8ToString(place: number): string;
    stringToUTF8(text: string, place: number, maxBytes: number): void;
    lengthBytesUTF8(text: string): number;
    _OrtInit(threads: number, logLevel: number): number;
    /** Writes a code and the place of a message. */
    _OrtGetLastError(code: number, message: number): number;
    _OrtCreateSessionOptions(
      optimizationLevel: number,
      hasArena: boolean,
      hasMemoryPattern: boolean,
      executionMode: number,
      isProfiled: boolean,
      profilePrefix: number,
      logId: number,
      logSeverity: number,
      logVerbosity: number,
      optimizedModelPath: number,
    ): number;
    _OrtAddSessionConfigEntry(options: number, key: number, value: number): number;
    _OrtReleaseSessionOptions(options: number): number;
    _OrtCreateSession(model: number, bytes: number, options: number): number;
    _OrtReleaseSession(session: number): number;
    _OrtCreateTensor(
      type: number,
      data: number,
      bytes: number,
      dims: number,
      dimsCount: number,
      location: number,
    ): number;
    /** Writes type, place of the data, place of the dimensions, their count. */
    _OrtGetTensorData(tensor: number, type: number, data: number, dims: number, dimsCount: number): number;
    _OrtReleaseTensor(tensor: number): number;
    _OrtFree(place: number): number;
    _OrtRun(
      session: number,
      inputNames: number,
      inputs: number,
      inputCount: number,
      outputNames: number,
      outputCount: number,
      outputs: number,
      runOptions: number,
    ): number;
  }

  export default function load(settings: {
    instantiateWasm(
      imports: WebAssembly.Imports,
      receive: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
    ): object;
    readonly numThreads: number;
  }): Promise<OrtWasm>;
}
