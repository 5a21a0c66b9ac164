import type * as Ort from 'onnxruntime-web';
import type { Tensor, TensorInfo } from '../../../machine/vision/face/feeding.ts';
import { bytesOf, elementBytes } from '../../inference/tensor-bytes.ts';
import { webGpuOptions } from './webgpu-options.ts';
import { createStorage } from '../webgpu/webgpu-compute.ts';
import type { WebGpuDevice } from '../webgpu/webgpu-device.ts';

/** The one input of a model, without its values. */
export type FedInput = Pick<Tensor, 'dtype' | 'shape'> & { readonly name: string };

/**
 * A model whose orders to the GPU were recorded for one shape of its one input: a run repeats them, on the same buffers. It must be
 * static by then, all of it on the GPU. Everything but `isFor` is to be called within the device's `order`.
 */
export class CapturedModel {
  /** buffer that the recorded orders read */
  readonly input: GPUBuffer;
  readonly #gpu: WebGpuDevice;
  readonly #key: string;
  readonly #session: Ort.InferenceSession;
  readonly #feeds: Readonly<Record<string, Ort.Tensor>>;

  private constructor(ort: typeof Ort, gpu: WebGpuDevice, session: Ort.InferenceSession, input: FedInput) {
    const { name, dtype, shape } = input;
    this.input = createStorage(gpu, 'captured model input', byteLengthOf(input));
    this.#gpu = gpu;
    this.#key = keyOf(input);
    this.#session = session;
    const tensor = ort.Tensor.fromGpuBuffer(this.input, { dataType: dtype as 'float32', dims: [...shape] });
    this.#feeds = { [name]: tensor };
  }

  /** `declared` names the sizes that the model leaves open: they are those of `input` from then on. @throws ONNX Runtime's Error where it cannot be captured; WebGpuError */
  static async open(
    ort: typeof Ort,
    model: Uint8Array<ArrayBuffer>,
    gpu: WebGpuDevice,
    declared: TensorInfo,
    input: FedInput,
  ): Promise<CapturedModel> {
    const session = await ort.InferenceSession.create(model, {
      ...webGpuOptions(gpu, 'gpu-buffer'),
      enableGraphCapture: true,
      freeDimensionOverrides: fixedSizes(declared, input),
      logSeverityLevel: 4, // that a model cannot be captured is no error
    });
    try {
      return new CapturedModel(ort, gpu, session, input);
    } catch (error) {
      await session.release();
      throw error;
    }
  }

  isFor(input: FedInput): boolean {
    return keyOf(input) === this.#key;
  }

  /** Writes the input's values. */
  write(tensor: Tensor): void {
    const bytes = bytesOf(tensor);
    const padded = new Uint8Array(Math.ceil(bytes.length / 4) * 4);
    padded.set(bytes);
    this.#gpu.device.queue.writeBuffer(this.input, 0, padded);
  }

  /** Repeats the orders. The results lie in the same buffers as those of the run before. */
  run(): Promise<Readonly<Record<string, Ort.Tensor>>> {
    return this.#session.run(this.#feeds);
  }

  async release(): Promise<void> {
    this.input.destroy();
    await this.#session.release();
  }
}

export function byteLengthOf({ dtype, shape }: FedInput): number {
  return shape.reduce((product, size) => product * size, elementBytes(dtype));
}

export function keyOf({ name, dtype, shape }: FedInput): string {
  return [name, dtype, ...shape].join();
}

function fixedSizes({ symbols }: TensorInfo, { shape }: FedInput): Record<string, number> {
  return Object.fromEntries(symbols.flatMap((symbol, axis) => (symbol ? [[symbol, shape[axis]!]] : [])));
}
