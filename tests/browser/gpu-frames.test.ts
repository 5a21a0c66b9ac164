import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkShaders } from '../../src/platform/browser/webgpu/check-shaders.ts';
import { createStorage } from '../../src/platform/browser/webgpu/webgpu-compute.ts';
import { WebGpuDevice } from '../../src/platform/browser/webgpu/webgpu-device.ts';
import { WebGpuFrames } from '../../src/platform/browser/webgpu/webgpu-frames.ts';
import { undistort, undistortionMap } from '../../src/machine/vision/camera-model/undistort.ts';
import type { EightBitFrame, Frame } from '../../src/machine/vision/frame/frame.ts';
import { pixelsOf, toGpu, withStep, type GpuFrame } from '../../src/machine/vision/gpu/gpu-frame.ts';
import type { InputSpec } from '../../src/machine/vision/preprocess/input-spec.ts';
import { colourCardSidePx, yuvColourCard } from '../../src/machine/vision/yuv/colour-card.ts';
import { yuvFrame, type YuvFrame } from '../../src/machine/vision/yuv/yuv-frame.ts';
import { yuvMatrices } from '../../src/machine/vision/yuv/yuv-matrix.ts';
import { pixelsByReference } from '../../src/machine/vision/yuv/yuv-to-rgba.ts';
import { preprocess } from '../../src/machine/vision/preprocess/preprocess.ts';
import type { PixelStep } from '../../src/machine/vision/transforms/pixel-step.ts';
import { randomFrame, randomSource, randomYuvFrame } from '../random-frame.ts';

let device: WebGpuDevice;
let gpu: WebGpuFrames;

beforeAll(async () => {
  device = await WebGpuDevice.open();
  gpu = new WebGpuFrames(device);
});
afterAll(() => device.close());

function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let largest = 0;
  for (let i = 0; i < a.length; i++) largest = Math.max(largest, Math.abs(a[i]! - b[i]!));
  return largest;
}

const crop = (xMin: number, yMin: number, xMax: number, yMax: number): PixelStep => ({
  type: 'crop',
  attributes: { xMin, yMin, xMax, yMax, overlayCropBox: false },
});
const resize = (widthPx: number, heightPx: number): PixelStep => ({
  type: 'resize',
  attributes: { widthPx, heightPx },
});
const rotate = (angleDegs: number): PixelStep => ({ type: 'rotate', attributes: { angleDegs } });

const stepped = (frame: EightBitFrame | YuvFrame, steps: readonly PixelStep[]): GpuFrame =>
  steps.reduce(withStep, toGpu(frame));

/** Sets the colours of pixels with alpha 0 to 0, because they are invisible and may differ. */
const visible = ({ samples }: Frame) => samples.map((v, i) => (samples[i | 3] === 0 ? 0 : v));

async function expectSamePicture(frame: GpuFrame, toleranceLevels = 0): Promise<void> {
  const [actual, expected] = [await gpu.pixels(frame), pixelsOf(frame)];
  expect([actual.format, actual.widthPx, actual.heightPx, actual.samples.length]).toEqual([
    expected.format,
    expected.widthPx,
    expected.heightPx,
    expected.samples.length,
  ]);
  const see = toleranceLevels === 0 ? ({ samples }: Frame) => samples : visible;
  expect(largestDifference(see(actual), see(expected))).toBeLessThanOrEqual(toleranceLevels);
  const alphaOf = (of: Frame) =>
    (of.format === 'rgba8' && of.alphaOnBlack) || new Uint8Array(of.samples.length / 4).fill(255);
  expect(largestDifference(alphaOf(actual), alphaOf(expected))).toBe(0);
}

const sizes = [
  [1, 1],
  [17, 5],
  [333, 127],
] as const;
const frames = sizes.flatMap(([width, height]) =>
  (
    [
      ['rgba8', 'opaque'],
      ['rgba8', 'mixed'],
      ['ycbcr8', 'opaque'],
    ] as const
  ).map(([format, alpha]) => ({
    size: `${width}×${height}`,
    kind: `${alpha} ${format}`,
    frame: randomFrame(randomSource(width + height), format, width, height, alpha) as EightBitFrame,
  })),
);

describe.each(frames)('a $kind frame of $size', ({ frame }) => {
  it.each<PixelStep>([crop(0, 0, 1, 1), crop(0, 0, 0.5, 0.7), crop(0.3, 0.2, 1, 0.9), crop(0, 0, 5000, 3)])(
    'is cropped as on the CPU: $attributes',
    async (step) => {
      let cut: GpuFrame;
      try {
        cut = stepped(frame, [step]);
      } catch (error) {
        expect(() => pixelsOf({ ...toGpu(frame), steps: [step] })).toThrow(error as Error);
        return;
      }
      await expectSamePicture(cut);
    },
  );

  it.each<readonly [string, readonly PixelStep[]]>([
    ['nothing', []],
    ['a resize to one pixel', [resize(1, 1)]],
    ['a resize', [resize(7, 90)]],
    ...[0, 90, -90, 180, 270, 450].map((degs) => [`a turn by ${degs}°`, [rotate(degs)]] as const),
    ['two resizes, a turn and a crop', [resize(40, 31), resize(53, 20), rotate(90), crop(2, 3, 15, 40)]],
    ['a crop and a resize', [crop(0, 0, 9, 9), { type: '' }, resize(9, 9)]],
  ])('is the same on the CPU after %s', async (_, steps) => {
    await expectSamePicture(stepped(frame, steps));
  });

  it.each([1, 33.3, -45, 135, 359.5])('is rotated by %d° within 1 level of the CPU', async (angleDegs) => {
    await expectSamePicture(stepped(frame, [rotate(angleDegs)]), 1);
  });

  it('is undistorted as on the CPU', async () => {
    const { widthPx, heightPx } = frame;
    const intrinsics = { widthPx, heightPx, fx: widthPx, fy: widthPx * 0.9, ppx: widthPx / 2, ppy: heightPx / 2.2 };
    const distortion = { rk1: -0.3, rk2: 0.1, rk3: 0.01, tp1: 0.002, tp2: -0.001 };
    const expected = undistort(frame, undistortionMap(intrinsics, distortion));
    expect((await gpu.undistort(frame, { intrinsics, distortion })).samples).toEqual(expected.samples);
  });

  it.each([
    ['float32', 'nchw', 40, 30],
    ['float32', 'nhwc', 64, 48],
    ['uint8', 'nchw', 33, 21],
    ['uint8', 'nhwc', 5, 3],
    ['float32', 'nchw', null, null],
  ] as const)('becomes a %s %s tensor bit for bit', async (dtype, layout, widthPx, heightPx) => {
    const spec: InputSpec = {
      tensorName: 'image',
      dtype,
      layout,
      widthPx,
      heightPx,
      bgr: layout === 'nhwc',
      mean: [0.485, 0.456, 0.406],
      stdDev: [0.229, -0.224, 0.225],
    };
    for (const steps of [[], [resize(50, 41)], [resize(50, 41), rotate(180)]]) {
      const onGpu = stepped(frame, steps);
      const expected = preprocess(pixelsOf(onGpu), spec);
      const actual = await gpu.tensor(onGpu, spec);
      expect([actual.shape, actual.data.length]).toEqual([expected.shape, expected.data.length]);
      const bits = ({ data }: typeof expected) => new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
      expect(largestDifference(bits(actual), bits(expected))).toBe(0);
    }
  });
});

describe('the clock of the GPU', () => {
  const spec: InputSpec = {
    tensorName: 'image',
    dtype: 'float32',
    layout: 'nchw',
    widthPx: 320,
    heightPx: 320,
    bgr: false,
    mean: [0, 0, 0],
    stdDev: [1, 1, 1],
  };
  const large = randomFrame(randomSource(3), 'rgba8', 1280, 720, 'opaque') as EightBitFrame;
  const packed = (on: WebGpuDevice, by: WebGpuFrames, frame: GpuFrame) =>
    on.order(async () => {
      const { onGpu } = await by.pack(frame, spec);
      return { answer: on.device.queue.onSubmittedWorkDone().then(() => onGpu) };
    });

  it('tells how long it was at the steps and at stretch and pack, of a frame that went the same way', async ({
    skip,
  }) => {
    if (!device.device.features.has('timestamp-query')) skip('this GPU does not tell');
    const frame = stepped(large, [resize(1920, 1080), rotate(90)]);
    expect(await packed(device, gpu, frame)).toBeUndefined();
    await expect.poll(() => packed(device, gpu, frame)).toBeDefined();
    const { stepsMs, packMs } = (await packed(device, gpu, frame))!;
    expect([stepsMs > 0, packMs > 0]).toEqual([true, true]);
    const camera = toGpu(randomYuvFrame(randomSource(4), 'nv12', 1280, 720));
    expect(await packed(device, gpu, camera)).toBeUndefined();
    await expect.poll(() => packed(device, gpu, camera)).toMatchObject({ stepsMs: 0 }); // the colour conversion is not counted as a step
  });

  it('tells nothing where its adapter offers none', async () => {
    const adapter = (await navigator.gpu.requestAdapter())!;
    const { limits } = adapter;
    const requestDevice = (descriptor: GPUDeviceDescriptor) => adapter.requestDevice(descriptor);
    const plain = { features: new Set(), limits, requestDevice } as unknown as GPUAdapter;
    const untimed = await WebGpuDevice.open({ requestAdapter: async () => plain } as unknown as GPU);
    const frames = new WebGpuFrames(untimed);
    for (let run = 0; run < 3; run++)
      expect(await packed(untimed, frames, stepped(large, [rotate(90)]))).toBeUndefined();
    untimed.close();
  });
});

describe.each(['i420', 'nv12'] as const)("a camera's frame as %s planes", (format) => {
  it.each([
    ['smpte170m', false],
    ['smpte170m', true],
    ['bt709', false],
    ['bt709', true],
  ] as const)('has every colour of %s, full range %s, to the bit', async (matrix, fullRange) => {
    const size = { format, widthPx: colourCardSidePx, heightPx: colourCardSidePx };
    const card = { ...size, planes: yuvColourCard(format), matrix: yuvMatrices({ matrix, fullRange })[0]! };
    await expectSamePicture(toGpu(yuvFrame(card, pixelsByReference)));
  });

  it.each(sizes)('of %d×%d goes through steps and becomes a tensor as on the CPU', async (width, height) => {
    const frame = randomYuvFrame(randomSource(width), format, width, height);
    await expectSamePicture(stepped(frame, []));
    await expectSamePicture(stepped(frame, [resize(40, 31), rotate(90), crop(2, 3, 15, 39), resize(53, 20)]));
    await expectSamePicture(stepped(frame, [rotate(33.3)]), 1);
    for (const steps of [[], [resize(50, 41), rotate(180)]]) {
      const onGpu = stepped(frame, steps);
      expect((await gpu.tensor(onGpu, spec)).data).toEqual(preprocess(pixelsOf(onGpu), spec).data);
    }
  });
});

const small = randomFrame(randomSource(1), 'rgba8', 8, 8, 'opaque') as EightBitFrame;

it('takes up what alpha lies beside a frame', async () => {
  const onBlack = pixelsOf(
    stepped(randomFrame(randomSource(3), 'rgba8', 20, 11, 'mixed') as EightBitFrame, [resize(9, 8)]),
  );
  await expectSamePicture(stepped(onBlack as EightBitFrame, [rotate(90)]));
  await expectSamePicture(stepped(onBlack as EightBitFrame, []));
});

describe('the check at the start', () => {
  it('finds nothing wrong here', async () => {
    expect(await checkShaders(gpu)).toBe('');
  });

  it('says what a wrong GPU gets wrong', async () => {
    const right = { pixels: gpu.pixels.bind(gpu), tensor: gpu.tensor.bind(gpu), undistort: gpu.undistort.bind(gpu) };
    const wrong = {
      ...right,
      pixels: async (frame: GpuFrame) => {
        const picture = await gpu.pixels(frame);
        picture.samples[5]! ^= 8;
        return picture;
      },
    };
    expect(await checkShaders(wrong)).toMatch(/computes wrongly: a crop differs .* by 8 of 255 levels/);
    const bent = {
      ...right,
      undistort: async (...given: Parameters<WebGpuFrames['undistort']>) => {
        const picture = await gpu.undistort(...given);
        picture.samples[4 * 67 * 20 + 130]! ^= 4;
        return picture;
      },
    };
    expect(await checkShaders(bent)).toMatch(/a picture without its lens's distortion differs .* by 4 of 255 levels/);
    const rounding = {
      ...right,
      tensor: async (...given: Parameters<WebGpuFrames['tensor']>) => {
        const tensor = await gpu.tensor(...given);
        tensor.data[7] = (tensor.data[7] as number) * (1 + 2 ** -22);
        return tensor;
      },
    };
    expect(await checkShaders(rounding)).toMatch(/a model's float32 input is not the CPU's/);
  });
});

describe('a GPU that is not there', () => {
  it('is reported in words where the browser has no WebGPU', async () => {
    await expect(WebGpuDevice.open({ requestAdapter: async () => null } as unknown as GPU)).rejects.toMatchObject({
      code: 'unavailable',
      message: /no adapter/,
    });
  });

  it('rejects what is on its way and all that follows once the device is lost', async () => {
    const lost = await WebGpuDevice.open();
    const lostFrames = new WebGpuFrames(lost);
    await lostFrames.pixels(stepped(small, [rotate(90)]));
    const running = lostFrames.pixels(stepped(small, [rotate(45)]));
    const outcome = expect(running).rejects.toMatchObject({ code: 'device-lost' });
    lost.close();
    await outcome;
    await expect(lostFrames.pixels(stepped(small, [rotate(45)]))).rejects.toMatchObject({ code: 'device-lost' });
    await expect(lost.lost).rejects.toMatchObject({ code: 'device-lost' });
    expect(lost.isLost).toBe(true);
  });

  it('is told from one that refuses: what it refuses is said of that frame, and the next one is right', async () => {
    const notForShaders = device.device.createBuffer({ size: 768, usage: GPUBufferUsage.MAP_READ });
    const ordered = device.order(async () => ({
      answer: Promise.resolve(await gpu.pack(toGpu(small), spec, { into: () => notForShaders })),
    }));
    await expect(ordered).rejects.toMatchObject({
      code: 'runtime',
      message: /The GPU refused the work: .*model input|MapRead/,
    });
    await expectSamePicture(toGpu(small));
  });

  it('is told from one that is too small', async () => {
    expect(() => createStorage(device, 'vast', 2 ** 45)).toThrow(
      expect.objectContaining({ code: 'too-large' }) as Error,
    );
    await expect(gpu.pixels(stepped(small, [resize(2 ** 29, 1)]))).rejects.toMatchObject({ code: 'too-large' });
    await expectSamePicture(toGpu(small));
  });
});

const spec: InputSpec = {
  tensorName: 'image',
  dtype: 'float32',
  layout: 'nchw',
  widthPx: 8,
  heightPx: 8,
  bgr: false,
  mean: [0.5, 0.5, 0.5],
  stdDev: [0.5, 0.5, 0.5],
};
