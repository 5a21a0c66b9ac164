import {
  type Lens,
  type PixelStep,
  stepTrials,
  undistort,
  undistortionMap,
} from '../../../machine/vision/face/cameras.ts';
import {
  type EightBitFrame,
  type Frame,
  patternFrame,
  pixelsByReference,
  yuvFrame,
  yuvMatrices,
} from '../../../machine/vision/face/frames.ts';
import { type GpuFrame, pixelsOf, toGpu, withStep } from '../../../machine/vision/face/runs.ts';
import { asImageNet, type InputSpec, preprocess, type Tensor } from '../../../machine/vision/face/feeding.ts';
import type { WebGpuFrames } from './webgpu-frames.ts';

const translucent = patternFrame('rgba8', 67, 41, 'varied') as EightBitFrame;
const planes = patternFrame('ycbcr8', 67, 41) as EightBitFrame;

const camera = yuvFrame(
  {
    format: 'nv12',
    widthPx: 67,
    heightPx: 41,
    matrix: yuvMatrices({ matrix: 'bt709', fullRange: false })[0]!,
    planes: new Uint8Array(translucent.samples.slice(0, 67 * 41 + 2 * 34 * 21)),
  },
  pixelsByReference,
);

interface Trial {
  readonly name: string;
  readonly source: GpuFrame['source'];
  readonly steps: readonly PixelStep[];
  readonly toleranceLevels: number;
}

const resize: PixelStep = { type: 'resize', attributes: { widthPx: 45, heightPx: 51 } };

/** Trials that run every step, and together every conversion. */
const trials: readonly Trial[] = [
  ...stepTrials().map(({ step, ...trial }) => ({ ...trial, source: planes, steps: [step] })),
  {
    name: 'a resize and a quarter turn',
    source: translucent,
    steps: [resize, { type: 'rotate', attributes: { angleDegs: 90 } }],
    toleranceLevels: 0,
  },
  { name: "a camera's colour", source: camera, steps: [], toleranceLevels: 0 },
];

/** A lens that moves most of the pattern, and shows nothing at its edges. */
const lens: Lens = {
  intrinsics: { widthPx: 67, heightPx: 41, fx: 60, fy: 55, ppx: 32, ppy: 21 },
  distortion: { rk1: 0.3, rk2: 0.1, rk3: 0.01, tp1: 0.002, tp2: -0.001 },
};

const feeding = { tensorName: 'image', widthPx: 32, heightPx: 24, ...asImageNet } as const;
const inputs: readonly { readonly source: EightBitFrame; readonly input: InputSpec }[] = [
  { source: translucent, input: { ...feeding, dtype: 'float32', layout: 'nchw', bgr: false } },
  { source: planes, input: { ...feeding, dtype: 'uint8', layout: 'nhwc', bgr: true } },
];

/**
 * Runs every shader on a small pattern and compares with the reference: a driver may compute wrongly and say nothing. Resolves to ''
 * where all is right, else to what is not, in words that follow "because". @throws WebGpuError
 */
export async function checkShaders(frames: Pick<WebGpuFrames, 'pixels' | 'tensor' | 'undistort'>): Promise<string> {
  for (const { name, source, steps, toleranceLevels } of trials) {
    const frame = steps.reduce(withStep, toGpu(source));
    const levels = largestDifference(await frames.pixels(frame), pixelsOf(frame));
    if (levels > toleranceLevels) return otherPixels(name, levels);
  }
  const straightened = largestDifference(
    await frames.undistort(planes, lens),
    undistort(planes, undistortionMap(lens.intrinsics, lens.distortion)),
  );
  if (straightened > 0) return otherPixels("a picture without its lens's distortion", straightened);
  for (const { source, input } of inputs) {
    const isSame = isSameTensor(await frames.tensor(toGpu(source), input), preprocess(source, input));
    if (!isSame) return wrong(`a model's ${input.dtype} input is not the CPU's`);
  }
  return '';
}

const wrong = (what: string) =>
  `this GPU computes wrongly: ${what}, of a test pattern. A newer graphics driver may cure it`;

const otherPixels = (what: string, levels: number) =>
  wrong(`${what} differs from the CPU's by ${levels} of 255 levels`);

function largestDifference({ samples: a }: Frame, { samples: b }: Frame): number {
  if (a.length !== b.length) return 255;
  return Math.max(...Array.from(a, (sample, at) => Math.abs(sample - b[at]!)));
}

function isSameTensor({ data: a }: Tensor, { data: b }: Tensor): boolean {
  return a.length === b.length && a.every((value, at) => Object.is(value, b[at]));
}
