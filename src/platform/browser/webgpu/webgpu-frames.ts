import { checkMapSize, keptUndistortionMap, type Lens } from '../../../machine/vision/face/cameras.ts';
import { type EightBitFrame, type FrameSize, isYuvFrame } from '../../../machine/vision/face/frames.ts';
import type { GpuLook, GpuWork } from '../../../machine/vision/face/runs.ts';
import type { TimesOnGpu } from '../../../machine/vision/face/inference.ts';
import { type InputSpec, type Tensor, tensorShape } from '../../../machine/vision/face/feeding.ts';
import { framePasses, sourcePicture, stretchPasses, undistortPasses, type PicturePasses } from './frame-passes.ts';
import { packTensorPass, tensorBytes } from './pack-tensor-pass.ts';
import { PassClock } from './pass-clock.ts';
import { BufferReader } from './read-buffers.ts';
import { WebGpuCompute, type ComputePass } from './webgpu-compute.ts';
import type { WebGpuDevice } from './webgpu-device.ts';
import type { PictureInBuffer, WebGpuPictures } from './webgpu-pictures.ts';

/** The passes that make a model's input of a frame, and the size of that. */
interface TensorPasses extends FrameSize {
  readonly passes: readonly ComputePass[];
  readonly byteLength: number;
  /** the picture before the first step and after each, and how many of the passes make it */
  readonly stages: readonly (Omit<PictureInBuffer, 'buffer'> & { readonly passCount: number })[];
}

/** What a model is given, in a buffer of the GPU. */
export interface PackedFrame {
  readonly buffer: GPUBuffer;
  /** [1,3,H,W] or [1,H,W,3] */
  readonly shape: readonly number[];
  /** one a look; the receiver closes them */
  readonly pictures: readonly ImageBitmap[];
  /** times of an earlier frame of the same way; absent where the GPU has not told, or does not tell */
  readonly onGpu?: TimesOnGpu;
}

/** Options of packing a frame: where it goes, and what else is made of it. */
export interface PackOptions {
  /** the buffer for so many bytes of input; default: one that holds until the next call */
  readonly into?: (byteLength: number) => GPUBuffer;
  /** none is drawn where pictures cannot be */
  readonly looks?: readonly GpuLook[];
}

const plansKept = 16;
/** passes of a frame: more are not timed */
const mostTimed = 63;
const timedEvery = 8;

/**
 * The machine's frame arithmetic in WebGPU compute shaders. All of it equals the CPU reference bit for bit but free rotation, which
 * stays within 1 level (a pixel of alpha 0 may have any colour). Every method rejects with a WebGpuError, and as its reference does.
 */
export class WebGpuFrames {
  readonly #gpu: WebGpuDevice;
  readonly #compute: WebGpuCompute;
  readonly #reader: BufferReader;
  readonly #pictures: WebGpuPictures | null;
  /** tables of weights are computed and uploaded once */
  readonly #plans = new Map<string, TensorPasses>();
  readonly #mapOf = keptUndistortionMap();
  readonly #clock: PassClock | null;
  #timed: { readonly plan: TensorPasses; readonly frames: number; readonly onGpu?: TimesOnGpu } | null = null;

  /** Without `pictures` nothing is drawn. */
  constructor(gpu: WebGpuDevice, pictures: WebGpuPictures | null = null) {
    this.#gpu = gpu;
    this.#pictures = pictures;
    this.#compute = new WebGpuCompute(gpu);
    this.#reader = new BufferReader(gpu);
    this.#clock = PassClock.of(gpu, mostTimed);
  }

  /**
   * The model's input: the frame after its steps, stretched and packed, which stays on the GPU; and pictures of what lies on the way
   * to it. To be called within the device's `order`.
   */
  async pack(frame: GpuWork, spec: InputSpec, { into, looks = [] }: PackOptions = {}): Promise<PackedFrame> {
    const plan = this.#plan(frame, spec);
    const { passes, stages, byteLength, widthPx, heightPx } = plan;
    const clock = this.#clockFor(plan);
    const left = await this.#compute.submit(wordsOf(frame.source), passes, into?.(byteLength), clock);
    if (clock) this.#readClock(clock, plan);
    const pictures = await this.#draw(looks, stages, left);
    const { onGpu } = this.#timed ?? {};
    return {
      buffer: left.at(-1)!,
      shape: tensorShape(spec.layout, widthPx, heightPx),
      pictures,
      ...(onGpu && { onGpu }),
    };
  }

  async #draw(
    looks: readonly GpuLook[],
    stages: TensorPasses['stages'],
    left: readonly GPUBuffer[],
  ): Promise<readonly ImageBitmap[]> {
    const pictures: ImageBitmap[] = [];
    try {
      for (const { afterSteps, longestSidePx, lens } of this.#pictures ? looks : []) {
        const { passCount, ...picture } = stages[afterSteps]!;
        const shown = { ...picture, buffer: left[passCount]! };
        pictures.push(this.#pictures!.draw(lens ? await this.#undistorted(shown, lens) : shown, longestSidePx));
      }
    } catch (error) {
      for (const picture of pictures) picture.close();
      throw error;
    }
    return pictures;
  }

  /** Reading the clock costs more than stopping it: one frame in some is timed. null = not this one. */
  #clockFor(plan: TensorPasses): PassClock | null {
    const before = this.#timed?.plan === plan ? this.#timed : { plan, frames: 0 };
    this.#timed = { ...before, frames: before.frames + 1 };
    return before.frames % timedEvery === 0 ? this.#clock : null;
  }

  /** Nobody waits for it. */
  #readClock(clock: PassClock, plan: TensorPasses): void {
    const sum = (passes: readonly number[]) => passes.reduce((total, ms) => total + ms, 0);
    const [first, last] = [plan.stages[0]!.passCount, plan.stages.at(-1)!.passCount];
    clock.read(this.#reader, plan.passes.length).then(
      (tookMs) => {
        if (!tookMs || this.#timed?.plan !== plan) return;
        const stepsMs = sum(tookMs.slice(first, last));
        this.#timed = { ...this.#timed, onGpu: { stepsMs, packMs: sum(tookMs) - stepsMs } };
      },
      () => undefined, // a lost device is said where its frames are awaited
    );
  }

  /** The tensor that `pack` makes, brought back: for comparing. */
  async tensor(frame: GpuWork, spec: InputSpec): Promise<Tensor> {
    const { widthPx, heightPx } = this.#plan(frame, spec);
    const shape = tensorShape(spec.layout, widthPx, heightPx);
    const bytes = await this.#bring(tensorBytes(shape, spec.dtype), async () => (await this.pack(frame, spec)).buffer);
    return {
      dtype: spec.dtype,
      shape,
      data: spec.dtype === 'float32' ? new Float32Array(bytes) : new Uint8Array(bytes),
    };
  }

  /** The frame after its steps, brought back: for comparing. */
  async pixels(frame: GpuWork): Promise<EightBitFrame> {
    return this.#read(frame.source, framePasses(frame));
  }

  /** The frame without the lens's distortion, brought back: for comparing. */
  async undistort(frame: EightBitFrame, lens: Lens): Promise<EightBitFrame> {
    return this.#read(frame, this.#undistortPasses(sourcePicture(frame), lens));
  }

  async #undistorted({ buffer, ...picture }: PictureInBuffer, lens: Lens): Promise<PictureInBuffer> {
    const { passes, ...straightened } = this.#undistortPasses({ ...picture, passes: [] }, lens);
    return { ...straightened, buffer: await this.#compute.submitAfter(buffer, passes, 'lens') };
  }

  #undistortPasses(picture: PicturePasses, lens: Lens): PicturePasses {
    const map = this.#mapOf(lens);
    checkMapSize(picture, map);
    return undistortPasses(picture, map);
  }

  async #read(source: GpuWork['source'], picture: PicturePasses): Promise<EightBitFrame> {
    const { widthPx, heightPx, form, passes } = picture;
    const bytes = await this.#bring(4 * widthPx * heightPx, async () =>
      (await this.#compute.submit(wordsOf(source), passes)).at(-1)!,
    );
    const samples = new Uint8ClampedArray(bytes);
    if (form !== 'on black') return { format: form === 'ycbcr' ? 'ycbcr8' : 'rgba8', widthPx, heightPx, samples };
    const alphaOnBlack = Uint8Array.from({ length: widthPx * heightPx }, (_, pixel) => samples[4 * pixel + 3]!);
    for (let i = 3; i < samples.length; i += 4) samples[i] = 255;
    return { format: 'rgba8', widthPx, heightPx, samples, alphaOnBlack };
  }

  /** What a buffer holds once it is written. @throws WebGpuError */
  #bring(byteLength: number, write: () => Promise<GPUBuffer>): Promise<ArrayBuffer> {
    return this.#gpu.order(async () => {
      const buffer = await write();
      return { answer: this.#reader.read([{ buffer, byteLength }]).then(([bytes]) => bytes!) };
    });
  }

  #plan(frame: GpuWork, spec: InputSpec): TensorPasses {
    const { source, steps } = frame;
    const { dtype, layout, bgr, mean, stdDev } = spec;
    const size = { widthPx: spec.widthPx ?? frame.widthPx, heightPx: spec.heightPx ?? frame.heightPx };
    const own = isYuvFrame(source) ? source.matrix : source.alphaOnBlack !== undefined;
    const from = [source.format, own, source.widthPx, source.heightPx];
    const key = JSON.stringify([from, steps, size, dtype, layout, bgr, mean, stdDev]);
    const known = this.#plans.get(key);
    if (known) return known;
    const stretched = stretchPasses(framePasses(frame), size);
    const pack = packTensorPass(size, stretched.form === 'ycbcr', spec);
    const stages = [...steps.keys(), steps.length].map((count) => {
      const { passes, ...picture } = framePasses({ source, steps: steps.slice(0, count) });
      return { ...picture, passCount: passes.length };
    });
    const plan = { ...size, passes: [...stretched.passes, pack], byteLength: 4 * pack.resultWords, stages };
    if (this.#plans.size >= plansKept) this.#plans.clear();
    this.#plans.set(key, plan);
    return plan;
  }
}

/** A frame as it is uploaded: its planes, or its samples with the alpha that lies beside them. */
function wordsOf(source: GpuWork['source']): Uint8Array<ArrayBuffer> | Uint8ClampedArray<ArrayBuffer> {
  if (isYuvFrame(source)) return source.planes;
  const { samples, alphaOnBlack } = source;
  if (!alphaOnBlack) return samples;
  const words = samples.slice();
  alphaOnBlack.forEach((alpha, pixel) => (words[4 * pixel + 3] = alpha));
  return words;
}
