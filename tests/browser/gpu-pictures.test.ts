import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createPictureIo } from '../../src/platform/browser/media/picture-io.ts';
import { WebGpuDevice } from '../../src/platform/browser/webgpu/webgpu-device.ts';
import { WebGpuFrames } from '../../src/platform/browser/webgpu/webgpu-frames.ts';
import { drawsPictures, WebGpuPictures } from '../../src/platform/browser/webgpu/webgpu-pictures.ts';
import { undistort, undistortionMap } from '../../src/machine/vision/camera-model/undistort.ts';
import type { EightBitFrame } from '../../src/machine/vision/frame/frame.ts';
import { pixelsOf, toGpu, withStep } from '../../src/machine/vision/gpu/gpu-frame.ts';
import type { GpuLook } from '../../src/machine/vision/gpu/looks.ts';
import type { InputSpec } from '../../src/machine/vision/preprocess/input-spec.ts';
import type { PixelStep } from '../../src/machine/vision/transforms/pixel-step.ts';
import { randomFrame, randomSource } from '../random-frame.ts';

const spec: InputSpec = {
  tensorName: 'image',
  dtype: 'float32',
  layout: 'nchw',
  widthPx: 16,
  heightPx: 16,
  bgr: false,
  mean: [0, 0, 0],
  stdDev: [1, 1, 1],
};
const steps: readonly PixelStep[] = [
  { type: 'crop', attributes: { xMin: 3, yMin: 2, xMax: 200, yMax: 90, overlayCropBox: false } },
  { type: 'resize', attributes: { widthPx: 160, heightPx: 120 } },
  { type: 'rotate', attributes: { angleDegs: 90 } },
];

let device: WebGpuDevice;
let frames: WebGpuFrames;
const pictures = createPictureIo();

beforeAll(async () => {
  device = await WebGpuDevice.open();
  frames = new WebGpuFrames(device, await WebGpuPictures.open(device));
});
afterAll(() => device.close());

async function drawn(source: EightBitFrame, looks: readonly GpuLook[]): Promise<readonly ImageBitmap[]> {
  const frame = steps.reduce(withStep, toGpu(source));
  return device.order(async () => ({ answer: Promise.resolve((await frames.pack(frame, spec, { looks })).pictures) }));
}

/** The pixels of a picture, which is closed. */
function pixelsIn(picture: ImageBitmap): ImageData {
  const { width, height } = picture;
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })!;
  context.drawImage(picture, 0, 0);
  picture.close();
  return context.getImageData(0, 0, width, height);
}

function expectSame(picture: ImageBitmap, other: ImageBitmap): void {
  const [actual, expected] = [pixelsIn(picture), pixelsIn(other)];
  expect([actual.width, actual.height]).toEqual([expected.width, expected.height]);
  expect(actual.data.findIndex((sample, at) => sample !== expected.data[at])).toBe(-1);
}

function randomPicture(format: 'rgba8' | 'ycbcr8', alpha: 'opaque' | 'mixed'): EightBitFrame {
  return randomFrame(randomSource(11), format, 233, 127, alpha) as EightBitFrame;
}

it.each([
  ['rgba8', 'opaque'],
  ['rgba8', 'mixed'],
  ['ycbcr8', 'opaque'],
] as const)('draws an %s %s frame after any of its steps as the CPU does, to the bit', async (format, alpha) => {
  const source = randomPicture(format, alpha);
  const looks = [0, 1, 2, 3].map((afterSteps) => ({ afterSteps, longestSidePx: null }));
  for (const [afterSteps, picture] of (await drawn(source, looks)).entries()) {
    const seen = pixelsOf(steps.slice(0, afterSteps).reduce(withStep, toGpu(source)));
    expectSame(picture, await pictures.picture(seen, null));
  }
});

it.each([
  ['rgba8', 'mixed'],
  ['ycbcr8', 'opaque'],
] as const)("draws an %s %s frame without its lens's distortion as the CPU does, to the bit", async (format, alpha) => {
  const source = randomPicture(format, alpha);
  for (const afterSteps of [0, 1, 2, 3]) {
    const seen = pixelsOf(steps.slice(0, afterSteps).reduce(withStep, toGpu(source)));
    const { widthPx, heightPx } = seen;
    const intrinsics = { widthPx, heightPx, fx: widthPx, fy: widthPx * 0.9, ppx: widthPx / 2, ppy: heightPx / 2.2 };
    const lens = { intrinsics, distortion: { rk1: 0.3, rk2: 0.1, rk3: 0.01, tp1: 0.002, tp2: -0.001 } };
    const [asItIs, straightened] = await drawn(source, [
      { afterSteps, longestSidePx: null },
      { afterSteps, longestSidePx: null, lens },
    ]);
    const expected = undistort(seen, undistortionMap(lens.intrinsics, lens.distortion));
    expectSame(straightened!, await pictures.picture(expected, null));
    expectSame(asItIs!, await pictures.picture(seen, null));
  }
});

it('draws small ones of the mean of what lies in each pixel', async () => {
  const source = randomPicture('rgba8', 'opaque');
  const [small, whole] = await drawn(source, [
    { afterSteps: 2, longestSidePx: 40 },
    { afterSteps: 2, longestSidePx: null },
  ]);
  const [actual, full] = [pixelsIn(small!), pixelsIn(whole!)];
  expect([actual.width, actual.height]).toEqual([40, 30]);
  const mean = (x: number, y: number, channel: number): number => {
    let sum = 0;
    for (let row = 4 * y; row < 4 * y + 4; row++)
      for (let column = 4 * x; column < 4 * x + 4; column++) sum += full.data[4 * (160 * row + column) + channel]!;
    return Math.floor((sum + 8) / 16);
  };
  for (const [x, y] of [
    [0, 0],
    [39, 29],
    [17, 8],
  ] as const)
    // prettier-ignore
    expect([...actual.data.slice(4 * (40 * y + x), 4 * (40 * y + x) + 4)]).toEqual([
      ...[0, 1, 2].map((channel) => mean(x, y, channel)),
      255,
    ]);
});

it('closes what it drew of a frame of which another picture cannot be drawn', async () => {
  const closed = vi.spyOn(ImageBitmap.prototype, 'close');
  const lens = {
    intrinsics: { widthPx: 9, heightPx: 9, fx: 9, fy: 9, ppx: 4, ppy: 4 },
    distortion: { rk1: 0.3, rk2: 0, rk3: 0, tp1: 0, tp2: 0 },
  };
  const looks = [
    { afterSteps: 0, longestSidePx: null },
    { afterSteps: 0, longestSidePx: null, lens },
  ];
  await expect(drawn(randomPicture('rgba8', 'opaque'), looks)).rejects.toMatchObject({ code: 'size-mismatch' });
  expect(closed).toHaveBeenCalledOnce();
  closed.mockRestore();
});

it('gives pictures that later ones leave as they are', async () => {
  const look = { afterSteps: 0, longestSidePx: null };
  const [first] = await drawn(randomPicture('rgba8', 'opaque'), [look]);
  const other = randomFrame(randomSource(5), 'rgba8', 233, 127, 'opaque') as EightBitFrame;
  for (const picture of await drawn(other, [look, look])) picture.close();
  expect(pixelsIn(first!).data).toEqual(randomPicture('rgba8', 'opaque').samples);
});

it('knows that pictures can be drawn here', async () => {
  expect(await drawsPictures()).toBe(true);
});
