/**
 * What LiteRT's WebAssembly offers, as far as it is called here. The package's own layer above it knows float32, int32
 * and uint8 alone, and its types redefine the language's arrays for the whole program; models for small devices have
 * int8 and int64 at their boundary as well.
 */
export interface LiteRtBindings {
  readonly HEAPU8: Uint8Array;
  _malloc(byteLength: number): number;
  _free(at: number): void;
  readonly LiteRtEnvironment: { create(device: null): Deletable };
  /** The memory stays the model's until that is deleted. */
  loadModel(environment: Deletable, at: number, byteLength: number): LiteRtModel;
  compileModel(
    environment: Deletable,
    model: LiteRtModel,
    options: CompileOptions,
  ): CompiledModel | Promise<CompiledModel>;
  readonly LiteRtTensorBuffer: {
    createManaged(environment: Deletable, memory: EnumValue, type: TensorType, byteLength: number): TensorBuffer;
  };
  readonly LiteRtTensorBufferType: { readonly HOST_MEMORY: EnumValue };
  readonly LiteRtTensorBufferLockMode: { readonly READ: EnumValue; readonly WRITE: EnumValue };
}

/** How LiteRT's loader is called: it gives the bindings once its WebAssembly runs. */
export type LiteRtFactory = (options: Readonly<Record<string, unknown>>) => Promise<LiteRtBindings>;

/** An object of the C++ side, whose memory is freed by hand. */
export interface Deletable {
  delete(): void;
}

interface EnumValue {
  readonly value: number;
}

interface Vector<T> extends Deletable {
  size(): number;
  get(index: number): T;
}

interface CompileOptions {
  readonly accelerator: 'wasm';
  readonly cpuOptions: { readonly numThreads: number };
  readonly gpuOptions: object;
  readonly webNNOptions: object;
}

/** A model, of which only the first signature is asked for here: that of the interpreter's own tensors. */
interface LiteRtModel extends Deletable {
  getSignature(index: number): Deletable & { inputNames(): Vector<string>; outputNames(): Vector<string> };
  getInputTensorType(signature: number, index: number): TensorType;
}

interface CompiledModel extends Deletable {
  run(signature: number, inputs: readonly TensorBuffer[]): TensorBuffer[] | Promise<TensorBuffer[]>;
}

interface TensorType extends Deletable {
  bytes(): number;
  layout(): Deletable & { dimensions(): Vector<number> };
}

export interface TensorBuffer extends Deletable {
  lock(mode: EnumValue): number;
  unlock(): void;
  packedSize(): number;
  tensorType(): TensorType;
}
