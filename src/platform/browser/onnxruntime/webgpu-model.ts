import type * as Ort from 'onnxruntime-web';
import { InferenceError } from '../../../machine/vision/face/errors.ts';
import type { Tensor, TensorDtype, TensorInfo } from '../../../machine/vision/face/feeding.ts';
import { inferenceErrorOf } from '../../onnxruntime/onnxruntime-error.ts';
import { fromOrtTensor, tensorInfoOf, toOrtTensor } from '../../onnxruntime/onnxruntime-tensor.ts';
import { elementBytes, tensorOfBytes } from '../../inference/tensor-bytes.ts';
import { checkCaptured } from './captured-check.ts';
import { byteLengthOf, CapturedModel, keyOf, type FedInput } from './captured-model.ts';
import { outputLocations } from './output-locations.ts';
import { webGpuOptions } from './webgpu-options.ts';
import { BufferReader } from '../webgpu/read-buffers.ts';
import { createStorage } from '../webgpu/webgpu-compute.ts';
import type { WebGpuDevice } from '../webgpu/webgpu-device.ts';
import { WebGpuError } from '../webgpu/webgpu-error.ts';

type OrtTensors = Readonly<Record<string, Ort.Tensor>>;
type Tensors = Readonly<Record<string, Tensor>>;

/** A run that the GPU has its orders for; the next may be ordered before the answer is there. */
interface Ordered {
  readonly answer: Promise<Tensors>;
}

/** So many runs in a row with an input of one shape, and the model's orders are recorded for it. */
const steadyRuns = 3;

/**
 * A model on our device. Where its one input keeps its shape, its orders to the GPU are recorded, sizes that it leaves open fixed at
 * those, beside its runs: from then on they are repeated, where that gives the same bits. What it gives is read back in one copy. All
 * of it is to be called within the device's `order`.
 */
export class WebGpuModel {
  readonly inputs: readonly TensorInfo[];
  readonly outputs: readonly TensorInfo[];
  readonly #ort: typeof Ort;
  readonly #gpu: WebGpuDevice;
  readonly #reader: BufferReader;
  /** gone with `#plain`, and once it is known that the model cannot be captured */
  #bytes: Uint8Array<ArrayBuffer> | null;
  /** takes inputs of any shape; gone once the only one that there is was captured */
  #plain: Ort.InferenceSession | null;
  /** buffer from which the model reads a picture */
  #input: GPUBuffer | null = null;
  #captured: CapturedModel | null = null;
  #last = { key: '', runs: 0 };
  #refusal = '';
  #isCapturing = false;
  #isReleased = false;

  private constructor(ort: typeof Ort, bytes: Uint8Array<ArrayBuffer>, plain: Ort.InferenceSession, gpu: WebGpuDevice) {
    this.inputs = plain.inputMetadata.map(tensorInfoOf);
    this.outputs = plain.outputMetadata.map(tensorInfoOf);
    this.#ort = ort;
    this.#gpu = gpu;
    this.#reader = new BufferReader(gpu);
    this.#bytes = bytes;
    this.#plain = plain;
    if (this.inputs.length !== 1) this.#refuse('it takes more than one input');
  }

  /** @throws what ONNX Runtime throws */
  static async open(ort: typeof Ort, bytes: Uint8Array<ArrayBuffer>, gpu: WebGpuDevice): Promise<WebGpuModel> {
    const create = (location: Parameters<typeof webGpuOptions>[1]) =>
      ort.InferenceSession.create(bytes, webGpuOptions(gpu, location));
    const session = await create('gpu-buffer');
    const locations = outputLocations(bytes, session);
    if (Object.values(locations).every((location) => location === 'gpu-buffer'))
      return new WebGpuModel(ort, bytes, session, gpu);
    await session.release();
    return new WebGpuModel(ort, bytes, await create(locations), gpu);
  }

  /** '' = the orders for this input are recorded, and repeated; else why they are written anew, in words that follow "because" */
  notCaptured(input: FedInput): string {
    if (this.#captured?.isFor(input)) return '';
    if (this.#refusal !== '') return this.#refusal;
    if (this.#isCapturing) return 'they are being recorded, and tried';
    return `its input has not had this size for ${steadyRuns} runs in a row`;
  }

  /** Where the one input of that shape is to be written before `runBuffer`. @throws WebGpuError too-large */
  bufferFor(input: FedInput): GPUBuffer {
    if (this.#captured?.isFor(input)) return this.#captured.input;
    const byteLength = byteLengthOf(input);
    if (this.#input && this.#input.size >= byteLength) return this.#input;
    const buffer = createStorage(this.#gpu, 'model input', byteLength);
    this.#input?.destroy();
    this.#input = buffer;
    return buffer;
  }

  /** Runs the model on what lies in `bufferFor` the input. */
  async runBuffer(input: FedInput): Promise<Ordered> {
    const buffer = this.bufferFor(input);
    if (this.#captured?.isFor(input)) return this.#ordered(await this.#captured.run());
    const { dtype, shape, name } = input;
    const tensor = this.#ort.Tensor.fromGpuBuffer(buffer, { dataType: dtype as 'float32', dims: [...shape] });
    const ordered = this.#ordered(await this.#session(input).run({ [name]: tensor }));
    ordered.answer.then(
      () => this.#ran(input),
      () => undefined, // whoever awaits it hears of it
    );
    return ordered;
  }

  /**
   * Runs the model on tensors in memory. A run with which recording begins is answered when that has ended, so that those after it, by
   * which a model is measured, are as fast as runs will be.
   */
  async runTensors(feeds: Tensors): Promise<Ordered> {
    const entries = Object.entries(feeds);
    const [only] = entries.length === 1 ? entries.map(([name, tensor]) => ({ ...tensor, name })) : [];
    if (only && this.#captured?.isFor(only)) {
      this.#captured.write(only);
      return this.#ordered(await this.#captured.run());
    }
    const ordered = await this.#runPlain(feeds, only);
    const answer = async () => {
      const results = await ordered.answer;
      if (only) await this.#ran(only);
      return results;
    };
    return { answer: answer() };
  }

  async #runPlain(feeds: Tensors, only?: FedInput): Promise<Ordered> {
    const fed = Object.entries(feeds).map(([name, tensor]) => [name, toOrtTensor(this.#ort, tensor)] as const);
    return this.#ordered(await this.#session(only).run(Object.fromEntries(fed)));
  }

  /** Releases the sessions. A recording under way frees its own when its next order is refused. */
  async release(): Promise<void> {
    this.#isReleased = true;
    this.#input?.destroy();
    await this.#captured?.release();
    await this.#plain?.release();
  }

  #session(input?: FedInput): Ort.InferenceSession {
    if (this.#plain) return this.#plain;
    const [{ name, dtype, shape }] = this.inputs as [TensorInfo];
    const given = input ? `${input.dtype} ${input.shape.join('×')}` : 'nothing';
    const message = `The model's input "${name}" is ${dtype} ${shape.join('×')}, and was given ${given}.`;
    throw new InferenceError('shape-mismatch', message);
  }

  #ordered(results: OrtTensors): Ordered {
    return { answer: this.#read(results) };
  }

  /** After enough runs of one input in a row its orders are recorded; resolves when they are, or are not. */
  async #ran(input: FedInput): Promise<void> {
    const key = keyOf(input);
    this.#last = { key, runs: this.#last.key === key ? this.#last.runs + 1 : 1 };
    if (this.#bytes && !this.#isCapturing && this.#last.runs >= steadyRuns) await this.#capture(input, this.#bytes);
  }

  /** Beside the frames, which go on meanwhile: each part of it is an order of its own, and none of them waits for more than one. */
  async #capture(input: FedInput, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    this.#isCapturing = true;
    let captured = null as CapturedModel | null;
    try {
      await this.#order(async () => {
        captured = await CapturedModel.open(this.#ort, bytes, this.#gpu, this.inputs[0]!, input);
        return { answer: Promise.resolve() };
      });
      const recorded = captured!;
      const fault = await checkCaptured(
        (tensor) => this.#order(async () => (recorded.write(tensor), this.#ordered(await recorded.run()))),
        (tensor) => this.#order(() => this.#runPlain({ [input.name]: tensor })),
        input,
      );
      if (fault !== '') throw new Error(fault);
      await this.#order(async () => ({ answer: Promise.resolve(await this.#goOnWith(recorded)) }));
    } catch (error) {
      this.#refuse(refusalOf(error));
      await this.#gpu.free(async () => captured?.release()).catch(() => undefined); // a lost device may refuse even that
    }
    this.#isCapturing = false;
  }

  #order<T>(give: () => Promise<{ readonly answer: Promise<T> }>): Promise<T> {
    return this.#gpu.order(() => {
      if (this.#isReleased) throw new InferenceError('runtime', 'The model was unloaded.');
      return give();
    });
  }

  async #goOnWith(captured: CapturedModel): Promise<void> {
    await this.#captured?.release();
    this.#captured = captured;
    if (this.inputs[0]!.shape.every((size) => size > 0)) await this.#leavePlain();
  }

  /** No other shape can come. */
  async #leavePlain(): Promise<void> {
    const plain = this.#plain;
    this.#plain = null;
    this.#bytes = null;
    this.#input?.destroy();
    this.#input = null;
    await plain?.release();
  }

  #refuse(because: string): void {
    this.#refusal = because;
    this.#bytes = null;
  }

  /** All that lies on the GPU in one copy, which is ordered before this returns. Its memory goes back to the model. */
  async #read(results: OrtTensors): Promise<Tensors> {
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
}

/** What ONNX Runtime says of a model that it cannot capture. */
const refusals: readonly (readonly [RegExp, string])[] = [
  [/nodes have not been partitioned/, 'some of its operators run on the CPU'],
  [/control flow/, 'it branches or loops'],
];

function refusalOf(error: unknown): string {
  const { message } = error as Error;
  const known = refusals.find(([pattern]) => pattern.test(message));
  if (known) return known[1];
  const isOrts = !(error instanceof WebGpuError) && /ERROR_CODE/.test(message);
  return isOrts ? inferenceErrorOf(error, 'load').message : message;
}
