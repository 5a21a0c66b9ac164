import type * as Ort from 'onnxruntime-web';
import type { GpuLook, GpuWork } from '../../../machine/vision/face/runs.ts';
import { InferenceError } from '../../../machine/vision/face/errors.ts';
import type {
  FrameIntake,
  FrameRunOnGpu,
  InferenceSession,
  InspectedFrame,
} from '../../../machine/vision/face/inference.ts';
import { type InputSpec, type Tensor, tensorShape } from '../../../machine/vision/face/feeding.ts';
import { refuseBadFeeds } from '../../inference/bad-feeds.ts';
import { inferenceErrorOf } from '../../onnxruntime/onnxruntime-error.ts';
import { WebGpuModel } from './webgpu-model.ts';
import type { WebGpuDevice } from '../webgpu/webgpu-device.ts';
import { WebGpuError } from '../webgpu/webgpu-error.ts';
import type { PackedFrame, WebGpuFrames } from '../webgpu/webgpu-frames.ts';

type Tensors = Readonly<Record<string, Tensor>>;

/** The GPU that frames and models share. */
export interface SharedGpu {
  readonly gpu: WebGpuDevice;
  readonly frames: WebGpuFrames;
  /** '' = the shaders compute what the reference does; else what is wrong with them, in words that follow "because" */
  readonly refusal: string;
}

/**
 * Compiles a model for the device that frames are on: they are packed there, into a buffer of the model's, and what it gives is
 * read back. @throws InferenceError
 */
export async function openWebGpuSession(
  ort: typeof Ort,
  bytes: Uint8Array<ArrayBuffer>,
  shared: SharedGpu,
): Promise<InferenceSession> {
  const { gpu } = shared;
  try {
    const model = await gpu.order(async () => ({ answer: Promise.resolve(await WebGpuModel.open(ort, bytes, gpu)) }));
    return new WebGpuSession(model, shared);
  } catch (error) {
    throw errorOf(error, 'load', gpu);
  }
}

class WebGpuSession implements InferenceSession {
  readonly inputs: InferenceSession['inputs'];
  readonly outputs: InferenceSession['outputs'];
  readonly gpu: FrameIntake;
  readonly #shared: SharedGpu;
  #model: WebGpuModel | null;
  /** when the answer before this one was there: until then the GPU was at that */
  #answeredMs = 0;

  constructor(model: WebGpuModel, shared: SharedGpu) {
    this.inputs = model.inputs;
    this.outputs = model.outputs;
    this.gpu = {
      refusal: shared.refusal,
      run: (frame, input, looks) => this.#runFrame(frame, input, looks),
      inspect: (frame, input) => this.#inspect(frame, input),
    };
    this.#model = model;
    this.#shared = shared;
  }

  run(feeds: Tensors): Promise<Tensors> {
    return this.#attempt((model) => {
      refuseBadFeeds(this.inputs, feeds);
      return model.runTensors(feeds);
    });
  }

  async #runFrame(frame: GpuWork, spec: InputSpec, looks: readonly GpuLook[] = []): Promise<FrameRunOnGpu> {
    const { tensorName: name, dtype, layout } = spec;
    const shape = tensorShape(layout, spec.widthPx ?? frame.widthPx, spec.heightPx ?? frame.heightPx);
    const input = { name, dtype, shape };
    let packed: Pick<PackedFrame, 'pictures' | 'onGpu'> = { pictures: [] };
    let startMs = 0;
    let packedMs = 0;
    let notCaptured = '';
    try {
      const results = await this.#attempt(async (model) => {
        startMs = performance.now();
        packed = await this.#shared.frames.pack(frame, spec, { into: () => model.bufferFor(input), looks });
        packedMs = performance.now();
        notCaptured = model.notCaptured(input);
        return model.runBuffer(input);
      });
      const nowMs = performance.now();
      const runMs = nowMs - Math.max(packedMs, this.#answeredMs);
      this.#answeredMs = nowMs;
      const { pictures, onGpu } = packed;
      return { results, shape, pictures, packMs: packedMs - startMs, runMs, ...(onGpu && { onGpu }), notCaptured };
    } catch (error) {
      for (const picture of packed.pictures) picture.close();
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
  async #attempt(run: (model: WebGpuModel) => Promise<{ readonly answer: Promise<Tensors> }>): Promise<Tensors> {
    const model = this.#model;
    if (!model) throw new InferenceError('runtime', 'The model was unloaded.');
    const { gpu } = this.#shared;
    try {
      return await gpu.order(() => run(model));
    } catch (error) {
      throw errorOf(error, 'run', gpu);
    }
  }

  async release(): Promise<void> {
    const model = this.#model;
    this.#model = null;
    await this.#shared.gpu.free(async () => model?.release());
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
