import type * as Ort from 'onnxruntime-web';
import type { GpuWork } from '../../vision/gpu-frame.ts';
import type { GpuLook } from '../../vision/looks.ts';
import { InferenceError } from '../../vision/inference/inference-error.ts';
import type {
  FrameIntake,
  FrameRunOnGpu,
  InferenceSession,
  InspectedFrame,
} from '../../vision/inference/inference-session.ts';
import type { InputSpec } from '../../vision/preprocess/input-spec.ts';
import type { Tensor, TensorDtype } from '../../vision/tensor.ts';
import { refuseBadFeeds } from '../bad-feeds.ts';
import { inferenceErrorOf } from '../onnxruntime-error.ts';
import { fromOrtTensor, tensorInfoOf, toOrtTensor } from '../onnxruntime-tensor.ts';
import { elementBytes, tensorOfBytes } from '../tensor-bytes.ts';
import { BufferReader } from './webgpu/read-buffers.ts';
import { createStorage } from './webgpu/webgpu-compute.ts';
import type { WebGpuDevice } from './webgpu/webgpu-device.ts';
import { WebGpuError } from './webgpu/webgpu-error.ts';
import type { PackedFrame, WebGpuFrames } from './webgpu/webgpu-frames.ts';

/** The GPU that frames and models share. */
export interface SharedGpu {
  readonly gpu: WebGpuDevice;
  readonly frames: WebGpuFrames;
  /** '' = the shaders compute what the reference does; else what is wrong with them, in words that follow "because" */
  readonly refusal: string;
}

type OrtTensors = Readonly<Record<string, Ort.Tensor>>;

/** What a model leaves on the GPU. Other types come from operators that run on the CPU. */
const gpuTypes: ReadonlySet<string> = new Set(['float32', 'float16', 'int32']);

/**
 * Compiles a model for the device that frames are on: they are packed there, into a buffer of the session's, and what the model
 * gives is read back in one copy. @throws InferenceError
 */
export async function openWebGpuSession(
  ort: typeof Ort,
  model: Uint8Array<ArrayBuffer>,
  shared: SharedGpu,
): Promise<InferenceSession> {
  return new WebGpuSession(ort, await compile(ort, model, shared.gpu), shared);
}

async function compile(
  ort: typeof Ort,
  model: Uint8Array<ArrayBuffer>,
  gpu: WebGpuDevice,
): Promise<Ort.InferenceSession> {
  const provider: Ort.InferenceSession.WebGpuExecutionProviderOption = {
    name: 'webgpu',
    device: gpu.device,
    validationMode: 'disabled', // the browser validates; that is ONNX Runtime's own, on top
  };
  const create = (preferredOutputLocation: Ort.InferenceSession.SessionOptions['preferredOutputLocation']) =>
    ort.InferenceSession.create(model, {
      executionProviders: [provider],
      graphOptimizationLevel: 'all',
      logSeverityLevel: 3, // what an exporter left behind in a file is no error of whoever opens it
      preferredOutputLocation: preferredOutputLocation!,
    });
  try {
    const session = await create('gpu-buffer');
    const types = session.outputMetadata.map((output) => ({ name: output.name, onGpu: isGpuType(output) }));
    if (types.every(({ onGpu }) => onGpu)) return session;
    await session.release();
    return await create(Object.fromEntries(types.map(({ name, onGpu }) => [name, onGpu ? 'gpu-buffer' : 'cpu'])));
  } catch (error) {
    throw errorOf(error, 'load', gpu);
  }
}

function isGpuType(output: Ort.InferenceSession.ValueMetadata): boolean {
  return output.isTensor && gpuTypes.has(output.type);
}

class WebGpuSession implements InferenceSession {
  readonly inputs: InferenceSession['inputs'];
  readonly outputs: InferenceSession['outputs'];
  readonly gpu: FrameIntake;
  readonly #ort: typeof Ort;
  readonly #shared: SharedGpu;
  readonly #reader: BufferReader;
  #session: Ort.InferenceSession | null;
  /** what the model reads its picture from */
  #input: GPUBuffer | null = null;

  constructor(ort: typeof Ort, session: Ort.InferenceSession, shared: SharedGpu) {
    this.inputs = session.inputMetadata.map(tensorInfoOf);
    this.outputs = session.outputMetadata.map(tensorInfoOf);
    this.gpu = {
      refusal: shared.refusal,
      run: (frame, input, looks) => this.#runFrame(frame, input, looks),
      inspect: (frame, input) => this.#inspect(frame, input),
    };
    this.#ort = ort;
    this.#session = session;
    this.#shared = shared;
    this.#reader = new BufferReader(shared.gpu);
  }

  run(feeds: Readonly<Record<string, Tensor>>): Promise<Readonly<Record<string, Tensor>>> {
    return this.#attempt(async (session) => {
      refuseBadFeeds(this.inputs, feeds);
      const tensors = Object.entries(feeds).map(([name, tensor]) => [name, toOrtTensor(this.#ort, tensor)]);
      return session.run(Object.fromEntries(tensors) as OrtTensors);
    });
  }

  async #runFrame(frame: GpuWork, input: InputSpec, looks: readonly GpuLook[] = []): Promise<FrameRunOnGpu> {
    const { frames } = this.#shared;
    let packed: PackedFrame | undefined;
    let startMs = 0;
    let packedMs = 0;
    try {
      const results = await this.#attempt(async (session) => {
        startMs = performance.now();
        packed = await frames.pack(frame, input, { into: (byteLength) => this.#inputOf(byteLength), looks });
        packedMs = performance.now();
        const { buffer, shape } = packed;
        const tensor = this.#ort.Tensor.fromGpuBuffer(buffer, { dataType: input.dtype, dims: [...shape] });
        return session.run({ [input.tensorName]: tensor });
      });
      const { shape, pictures } = packed!;
      return { results, shape, pictures, packMs: packedMs - startMs, runMs: performance.now() - packedMs };
    } catch (error) {
      for (const picture of packed?.pictures ?? []) picture.close();
      throw error;
    }
  }

  async #inspect(frame: GpuWork, input: InputSpec): Promise<InspectedFrame> {
    const { frames, gpu } = this.#shared;
    try {
      return { pixels: await frames.pixels(frame), tensor: await frames.tensor(frame, input) };
    } catch (error) {
      throw errorOf(error, 'run', gpu);
    }
  }

  /** Orders a run, and brings what it gave. */
  async #attempt(run: (session: Ort.InferenceSession) => Promise<OrtTensors>): Promise<Record<string, Tensor>> {
    const session = this.#session;
    if (!session) throw new InferenceError('runtime', 'The model was unloaded.');
    const { gpu } = this.#shared;
    try {
      return await gpu.order(async () => ({ answer: this.#read(await run(session)) }));
    } catch (error) {
      throw errorOf(error, 'run', gpu);
    }
  }

  /** All that lies on the GPU in one copy. Its memory goes back to the model. */
  async #read(results: OrtTensors): Promise<Record<string, Tensor>> {
    const entries = Object.entries(results);
    const onGpu = entries.filter(([, tensor]) => tensor.location === 'gpu-buffer');
    const reading = this.#reader.read(
      onGpu.map(([, { gpuBuffer, type, size }]) => ({
        buffer: gpuBuffer as GPUBuffer,
        byteLength: size * elementBytes(type as TensorDtype),
      })),
    );
    for (const [, tensor] of onGpu) tensor.dispose();
    const bytes = await reading;
    const read = new Map(
      onGpu.map(([name, { type, dims }], at) => [
        name,
        tensorOfBytes(type as TensorDtype, dims, new Uint8Array(bytes[at]!)),
      ]),
    );
    return Object.fromEntries(entries.map(([name, tensor]) => [name, read.get(name) ?? fromOrtTensor(tensor)]));
  }

  #inputOf(byteLength: number): GPUBuffer {
    if (this.#input && this.#input.size >= byteLength) return this.#input;
    const buffer = createStorage(this.#shared.gpu, 'model input', byteLength);
    this.#input?.destroy();
    this.#input = buffer;
    return buffer;
  }

  async release(): Promise<void> {
    const session = this.#session;
    this.#session = null;
    if (!session) return;
    this.#input?.destroy();
    await session.release();
  }
}

function errorOf(error: unknown, during: 'load' | 'run', gpu: WebGpuDevice): InferenceError {
  const isLost = gpu.isLost || (error instanceof WebGpuError && error.code === 'device-lost');
  const { message } = error as Error;
  if (isLost) return new InferenceError('device-lost', `The GPU device went away. (${message})`, { cause: error });
  if (!(error instanceof WebGpuError)) return inferenceErrorOf(error, during);
  const isFull = error.code === 'out-of-memory' || error.code === 'too-large';
  return new InferenceError(isFull ? 'out-of-memory' : 'runtime', message, { cause: error });
}
