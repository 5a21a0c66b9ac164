import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebGpuCompute } from '../../src/platform/browser/webgpu/webgpu-compute.ts';
import { WebGpuFrames } from '../../src/platform/browser/webgpu/webgpu-frames.ts';
import { undistort, undistortionMap } from '../../src/vision/camera-model/undistort.ts';
import type { Rgba8Frame } from '../../src/vision/frame-formats.ts';
import type { Frame } from '../../src/vision/frame.ts';
import type { InputSpec } from '../../src/vision/preprocess/input-spec.ts';
import { preprocess } from '../../src/vision/preprocess/preprocess.ts';
import { stretch } from '../../src/vision/preprocess/stretch.ts';
import { crop } from '../../src/vision/transforms/crop.ts';
import { resizeNearest } from '../../src/vision/transforms/resize.ts';
import { rotate } from '../../src/vision/transforms/rotate.ts';
import { randomFrame, randomSource } from '../random-frame.ts';

let gpu: WebGpuFrames;

beforeAll(async () => {
  gpu = await WebGpuFrames.open();
});
afterAll(() => gpu.close());

function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let largest = 0;
  for (let i = 0; i < a.length; i++) largest = Math.max(largest, Math.abs(a[i]! - b[i]!));
  return largest;
}

function expectSamePicture(actual: Frame, expected: Frame, toleranceLevels = 0): void {
  expect([actual.widthPx, actual.heightPx, actual.samples.length]).toEqual([
    expected.widthPx,
    expected.heightPx,
    expected.samples.length,
  ]);
  expect(largestDifference(actual.samples, expected.samples)).toBeLessThanOrEqual(toleranceLevels);
}

const sizes = [
  [1, 1],
  [17, 5],
  [64, 48],
  [333, 127],
] as const;
const frames = sizes.flatMap(([width, height]) =>
  (['opaque', 'mixed'] as const).map(
    (alpha) =>
      [
        width,
        height,
        alpha,
        randomFrame(randomSource(width + height), 'rgba8', width, height, alpha) as Rgba8Frame,
      ] as const,
  ),
);

describe.each(frames)('a %i×%i frame, alpha %s', (widthPx, heightPx, alpha, frame) => {
  it.each([
    [0, 0, 1, 1],
    [0, 0, 0.5, 0.7],
    [0.3, 0.2, 1, 0.9],
    [0, 0, 5000, 3],
  ])('is cropped to %d, %d, %d, %d as on the CPU', async (xMin, yMin, xMax, yMax) => {
    const attributes = { xMin, yMin, xMax, yMax, overlayCropBox: false };
    let expected: Frame;
    try {
      expected = crop(frame, attributes);
    } catch (error) {
      await expect(gpu.crop(frame, attributes)).rejects.toThrow(error as Error);
      return;
    }
    expectSamePicture(await gpu.crop(frame, attributes), expected);
  });

  it.each([
    [1, 1],
    [7, 90],
    [320, 320],
  ])('is resized to %i×%i, nearest and bilinear, as on the CPU', async (toWidthPx, toHeightPx) => {
    const size = { widthPx: toWidthPx, heightPx: toHeightPx };
    expectSamePicture(await gpu.resizeNearest(frame, size), resizeNearest(frame, size));
    const { samples } = await gpu.resizeBilinear(frame, size);
    const rgb = samples.filter((_, i) => i % 4 !== 3);
    expect(rgb.length).toBe(3 * toWidthPx * toHeightPx);
    expect(largestDifference(rgb, stretch(frame, toWidthPx, toHeightPx))).toBe(0);
  });

  it.each([0, 90, -90, 180, 270, 450])('is turned by %i° as on the CPU', async (angleDegs) => {
    expectSamePicture(await gpu.rotate(frame, { angleDegs }), rotate(frame, { angleDegs }));
  });

  it.each([1, 33.3, -45, 135, 359.5])('is rotated by %d° within 1 level of the CPU', async (angleDegs) => {
    const visible = ({ samples }: Frame) => samples.map((v, i) => (samples[i | 3] === 0 ? 0 : v)) as Uint8ClampedArray;
    const expected = rotate(frame, { angleDegs });
    const actual = await gpu.rotate(frame, { angleDegs });
    expect([actual.widthPx, actual.heightPx]).toEqual([expected.widthPx, expected.heightPx]);
    expect(largestDifference(visible(actual), visible(expected))).toBeLessThanOrEqual(1);
  });

  it('is undistorted as on the CPU', async () => {
    const intrinsics = { widthPx, heightPx, fx: widthPx, fy: widthPx * 0.9, ppx: widthPx / 2, ppy: heightPx / 2.2 };
    const map = undistortionMap(intrinsics, { rk1: -0.3, rk2: 0.1, rk3: 0.01, tp1: 0.002, tp2: -0.001 });
    expectSamePicture(await gpu.undistort(frame, map), undistort(frame, map));
  });

  it.each([
    ['float32', 'nchw', 40, 30],
    ['float32', 'nhwc', 64, 48],
    ['uint8', 'nchw', 33, 21],
    ['uint8', 'nhwc', 5, 3],
    ['float32', 'nchw', null, null],
  ] as const)('becomes a %s %s tensor bit for bit', async (dtype, layout, toWidthPx, toHeightPx) => {
    for (const format of ['rgba8', 'ycbcr8'] as const) {
      const input = format === 'rgba8' ? frame : randomFrame(randomSource(9), format, widthPx, heightPx, alpha);
      const spec: InputSpec = {
        tensorName: 'image',
        dtype,
        layout,
        widthPx: toWidthPx,
        heightPx: toHeightPx,
        bgr: layout === 'nhwc',
        mean: [0.485, 0.456, 0.406],
        stdDev: [0.229, -0.224, 0.225],
      };
      const expected = preprocess(input, spec);
      const actual = await gpu.preprocess(input, spec);
      expect(actual.shape).toEqual(expected.shape);
      const bits = ({ data }: typeof expected) => new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
      expect(largestDifference(bits(actual), bits(expected))).toBe(0);
      expect(actual.data.length).toBe(expected.data.length);
    }
  });
});

it('leaves a 16-bit frame to the reference', async () => {
  const frame = randomFrame(randomSource(16), 'rgba16', 20, 10, 'mixed');
  const spec: InputSpec = {
    ...{ tensorName: 'image', dtype: 'float32', layout: 'nchw', widthPx: 8, heightPx: 8, bgr: false },
    ...{ mean: [0.5, 0.5, 0.5], stdDev: [0.5, 0.5, 0.5] },
  };
  expect(await gpu.preprocess(frame, spec)).toEqual(preprocess(frame, spec));
});

describe('a GPU that is not there', () => {
  const frame = randomFrame(randomSource(1), 'rgba8', 8, 8, 'opaque');

  it('is reported in words where the browser has no WebGPU', async () => {
    await expect(WebGpuCompute.open({ requestAdapter: async () => null } as unknown as GPU)).rejects.toMatchObject({
      code: 'unavailable',
      message: /no adapter/,
    });
  });

  it('rejects what is on its way and all that follows once the device is lost', async () => {
    const lost = await WebGpuFrames.open();
    await lost.rotate(frame, { angleDegs: 90 });
    const running = lost.rotate(frame, { angleDegs: 45 });
    const outcome = expect(running).rejects.toMatchObject({ code: 'device-lost' });
    lost.close();
    await outcome;
    await expect(lost.rotate(frame, { angleDegs: 45 })).rejects.toMatchObject({ code: 'device-lost' });
    await expect(lost.lost).rejects.toMatchObject({ code: 'device-lost' });
  });
});
