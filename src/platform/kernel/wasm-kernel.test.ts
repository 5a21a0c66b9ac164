import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildKernel } from '../../../scripts/build-kernel.ts';
import { randomFrame, randomSource, randomYuvFrame } from '../../../tests/random-frame.ts';
import type { InputSpec } from '../../machine/vision/preprocess/input-spec.ts';
import { referenceStretchKernel } from '../../machine/vision/preprocess/preprocess.ts';
import type { Tensor } from '../../machine/vision/tensor/tensor.ts';
import type { ReadFrame } from '../../machine/vision/yuv/yuv-frame.ts';
import { colourCardSidePx, yuvColourCard } from '../../machine/vision/yuv/colour-card.ts';
import { shrinkToRgba } from '../../machine/vision/yuv/shrink-yuv.ts';
import { yuvMatrices } from '../../machine/vision/yuv/yuv-matrix.ts';
import { yuvToRgba } from '../../machine/vision/yuv/yuv-to-rgba.ts';
import { WasmStretchKernel } from './wasm-kernel.ts';
import { weightSumLimit } from './weight-table.ts';

let module: WebAssembly.Module;
let sharedModule: WebAssembly.Module;

beforeAll(async () => {
  await buildKernel();
  const compiled = async (file: URL) => WebAssembly.compile(await readFile(file));
  module = await compiled(new URL('../../../build/pixels.wasm', import.meta.url));
  sharedModule = await compiled(new URL('../../../build/pixels-shared.wasm', import.meta.url));
}, 60_000);

const halves: InputSpec = {
  tensorName: 'image',
  dtype: 'float32',
  layout: 'nchw',
  widthPx: 64,
  heightPx: 48,
  bgr: false,
  mean: [0.5, 0.5, 0.5],
  stdDev: [0.5, 0.5, 0.5],
};
const imagenet = { mean: [0.485, 0.456, 0.406], stdDev: [0.229, 0.224, 0.225] } as const;

/** The bits, so that -0 is not 0; no deep comparison, which takes seconds for a million numbers. */
function bitsOf({ data }: Tensor): Buffer {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
}

function expectEqualToReference(kernel: WasmStretchKernel, frame: ReadFrame, spec: InputSpec): void {
  const expected = referenceStretchKernel.stretchToTensor(frame, spec);
  const actual = kernel.stretchToTensor(frame, spec);
  expect(actual.shape).toEqual(expected.shape);
  expect(actual.dtype).toBe(expected.dtype);
  const what = `${frame.format} ${frame.widthPx}×${frame.heightPx} → ${JSON.stringify(spec)}`;
  expect(bitsOf(actual).equals(bitsOf(expected)), what).toBe(true);
}

describe('WasmStretchKernel', () => {
  it.each([
    [1, 1, 1, 1],
    [1, 1, 7, 5],
    [5, 5, 320, 320],
    [640, 360, 320, 320],
    [1280, 720, 640, 640],
    [300, 200, 300, 200],
    [300, 200, 300, 100],
    [301, 203, 301, 204],
    [97, 61, 13, 17],
    [2000, 3, 9, 11],
    [3, 2000, 8, 16],
    [4000, 2, 63, 2], // a sum of weights just below the limit
    [4200, 2, 64, 2], // and just above it
    [1, 300, 640, 1],
    [1281, 9, 641, 9],
    [34, 4, 17, 9], // half
    [2, 2, 1, 1],
    [1920, 4, 640, 3],
  ])('equals the reference from %i×%i to %i×%i', (width, height, widthPx, heightPx) => {
    const kernel = new WasmStretchKernel(module, referenceStretchKernel);
    const random = randomSource(width * 31 + widthPx);
    for (const format of ['rgba8', 'ycbcr8'] as const) {
      for (const alpha of ['opaque', 'mixed'] as const) {
        if (format === 'ycbcr8' && alpha === 'mixed') continue;
        const frame = randomFrame(random, format, width, height, alpha);
        for (const dtype of ['float32', 'uint8'] as const) {
          for (const layout of ['nchw', 'nhwc'] as const) {
            expectEqualToReference(kernel, frame, {
              ...halves,
              ...imagenet,
              dtype,
              layout,
              bgr: layout === 'nhwc',
              widthPx,
              heightPx,
            });
          }
        }
      }
    }
  });

  it('equals the reference for 400 random frames and inputs', () => {
    const kernel = new WasmStretchKernel(module, referenceStretchKernel);
    const random = randomSource(20261121);
    const upTo = (limit: number) => 1 + Math.floor(random() * limit);
    const oneOf = <T>(...values: readonly T[]) => values[Math.floor(random() * values.length)]!;
    for (let round = 0; round < 400; round++) {
      const longest = oneOf(8, 40, 200);
      const format = oneOf('rgba8', 'rgba8', 'ycbcr8', 'rgba16', 'i420', 'nv12');
      const frame =
        format === 'i420' || format === 'nv12'
          ? randomYuvFrame(random, format, upTo(longest), upTo(longest))
          : randomFrame(random, format, upTo(longest), upTo(longest), oneOf('opaque', 'mixed'));
      const [mean, stdDev] = oneOf(
        [halves.mean, halves.stdDev],
        [imagenet.mean, imagenet.stdDev],
        [
          [0, 0, 0],
          [1, 1, 1],
        ],
        [
          [random(), -random(), 3 * random()],
          [random() + 0.01, -random() - 0.01, 100 * random() + 1],
        ],
      ) as readonly [InputSpec['mean'], InputSpec['stdDev']];
      expectEqualToReference(kernel, frame, {
        tensorName: 'image',
        dtype: oneOf('float32', 'uint8'),
        layout: oneOf('nchw', 'nhwc'),
        widthPx: oneOf(null, upTo(longest), upTo(longest)),
        heightPx: oneOf(null, upTo(longest), upTo(longest)),
        bgr: oneOf(true, false),
        mean,
        stdDev,
      });
    }
  });

  it('sees one transparent pixel, wherever it is', () => {
    const kernel = new WasmStretchKernel(module, referenceStretchKernel);
    for (let x = 0; x < 67; x++) {
      const frame = randomFrame(randomSource(x), 'rgba8', 67, 2, 'opaque');
      frame.samples[4 * x + 3] = x % 2 === 0 ? 254 : 0;
      for (const widthPx of [33, 67]) expectEqualToReference(kernel, frame, { ...halves, widthPx, heightPx: 2 });
    }
  });

  it('equals the reference for columns shrunk up to 60 times', () => {
    const kernel = new WasmStretchKernel(module, referenceStretchKernel);
    const random = randomSource(60);
    for (let round = 0; round < 120; round++) {
      const widthPx = 1 + Math.floor(random() * 24);
      const width = Math.ceil(widthPx * (1 + random() * (round % 60)));
      const frame = randomFrame(random, 'rgba8', width, 3, 'opaque');
      expectEqualToReference(kernel, frame, { ...halves, widthPx, heightPx: 2, layout: 'nhwc', dtype: 'uint8' });
    }
  });

  it.each([
    [1, 1],
    [16, 2],
    [17, 5],
    [333, 9],
    [640, 7],
  ])('converts planes of %i×%i to colours as the reference does', (widthPx, heightPx) => {
    const kernel = new WasmStretchKernel(module, referenceStretchKernel);
    for (const format of ['i420', 'nv12'] as const) {
      const frame = randomYuvFrame(randomSource(widthPx), format, widthPx, heightPx);
      const [actual, expected] = [0, 0].map(() => new Uint8ClampedArray(4 * widthPx * heightPx));
      kernel.toRgba(frame, actual!);
      yuvToRgba(frame, expected!);
      expect(actual).toEqual(expected);
    }
  });

  it.each([
    [1, 1, 1, 1],
    [2, 2, 1, 1],
    [1280, 720, 630, 354],
    [1280, 720, 160, 90],
    [640, 360, 640, 360],
    [640, 480, 639, 479],
    [333, 31, 167, 16],
    [97, 61, 33, 20],
    [1000, 3, 17, 1],
    [3, 700, 1, 90],
    [257, 5, 65, 2],
  ])('shrinks planes of %i×%i to colours of %i×%i as the reference does', (widthPx, heightPx, toWidth, toHeight) => {
    const kernel = new WasmStretchKernel(module, referenceStretchKernel);
    for (const format of ['i420', 'nv12'] as const) {
      const frame = randomYuvFrame(randomSource(widthPx), format, widthPx, heightPx);
      const size = { widthPx: toWidth, heightPx: toHeight };
      const [actual, expected] = [0, 0].map(() => new Uint8ClampedArray(4 * toWidth * toHeight));
      kernel.shrinkToRgba(frame, size, actual!);
      shrinkToRgba(frame, size, expected!);
      expect(Buffer.from(actual!.buffer).equals(Buffer.from(expected!.buffer)), format).toBe(true);
    }
  });

  it('shrinks 300 random frames to random sizes as the reference does', () => {
    const kernel = new WasmStretchKernel(module, referenceStretchKernel);
    const random = randomSource(20261123);
    const upTo = (limit: number) => 1 + Math.floor(random() * limit);
    for (let round = 0; round < 300; round++) {
      const format = random() < 0.5 ? 'i420' : 'nv12';
      const frame = randomYuvFrame(random, format, upTo(120), upTo(120));
      const size = { widthPx: upTo(frame.widthPx), heightPx: upTo(frame.heightPx) };
      const [actual, expected] = [0, 0].map(() => new Uint8ClampedArray(4 * size.widthPx * size.heightPx));
      kernel.shrinkToRgba(frame, size, actual!);
      shrinkToRgba(frame, size, expected!);
      const what = `${format} ${frame.widthPx}×${frame.heightPx} → ${size.widthPx}×${size.heightPx}`;
      expect(Buffer.from(actual!.buffer).equals(Buffer.from(expected!.buffer)), what).toBe(true);
    }
  });

  it.each(['i420', 'nv12'] as const)('converts every Y, U and V of %s as the reference does', (format) => {
    const kernel = new WasmStretchKernel(module, referenceStretchKernel);
    const size = { widthPx: colourCardSidePx, heightPx: colourCardSidePx };
    const actual = new Uint8ClampedArray(4 * colourCardSidePx ** 2);
    const expected = new Uint8ClampedArray(actual.length);
    for (const standard of ['smpte170m', 'bt709']) {
      for (const fullRange of [false, true]) {
        const matrix = yuvMatrices({ matrix: standard, fullRange })[0]!;
        const planes = { format, ...size, planes: yuvColourCard(format), matrix };
        kernel.toRgba(planes, actual);
        yuvToRgba(planes, expected);
        expect(Buffer.from(actual.buffer).equals(Buffer.from(expected.buffer)), `${standard} ${fullRange}`).toBe(true);
      }
    }
  });

  it('holds no more memory after a thousand frames than after one', () => {
    const kernel = new WasmStretchKernel(module, referenceStretchKernel);
    const frame = randomFrame(randomSource(6), 'rgba8', 120, 90, 'opaque');
    kernel.stretchToTensor(frame, halves);
    const heldBytes = kernel.memoryBytes;
    for (let i = 0; i < 1000; i++) kernel.stretchToTensor(frame, { ...halves, widthPx: 1 + (i % 64) });
    expect(kernel.memoryBytes).toBe(heldBytes);
  });
});

describe('a kernel whose memory other threads read', () => {
  const sharing = () => new WasmStretchKernel(sharedModule, referenceStretchKernel, true);
  const frames = Array.from({ length: 4 }, (_, seed) =>
    randomFrame(randomSource(seed + 1), 'rgba8', 150, 110, 'opaque'),
  );
  const expected = frames.map((frame) => bitsOf(referenceStretchKernel.stretchToTensor(frame, halves)));

  it('equals the reference, of pixels and of the planes of a camera', () => {
    const kernel = sharing();
    const random = randomSource(20261122);
    for (const dtype of ['float32', 'uint8'] as const) {
      expectEqualToReference(kernel, randomFrame(random, 'rgba8', 301, 203, 'mixed'), { ...halves, dtype });
      expectEqualToReference(kernel, randomFrame(random, 'ycbcr8', 301, 203, 'opaque'), { ...halves, dtype });
      expectEqualToReference(kernel, randomYuvFrame(random, 'i420', 301, 203), { ...halves, dtype, layout: 'nhwc' });
    }
  });

  it('writes nothing where a lent tensor lies, and there again once it was given back', () => {
    const kernel = sharing();
    const tensors = frames.slice(0, 3).map((frame) => kernel.stretchToTensor(frame, halves));
    expect(bitsOf(tensors[0]!).equals(expected[2]!)).toBe(true); // not lent: the next one takes its place
    const lent = frames.slice(0, 3).map((frame) => {
      const tensor = kernel.stretchToTensor(frame, halves);
      return { tensor, giveBack: kernel.lend(tensor.data)! };
    });
    kernel.toRgba(randomYuvFrame(randomSource(9), 'i420', 640, 480), new Uint8ClampedArray(4 * 640 * 480));
    const last = kernel.stretchToTensor(frames[3]!, { ...halves, widthPx: 200, heightPx: 180 });
    const again = kernel.stretchToTensor(frames[3]!, halves);
    expect(last.data.length).toBe(3 * 200 * 180);
    lent.forEach(({ tensor }, at) => expect(bitsOf(tensor).equals(expected[at]!), `tensor ${at}`).toBe(true));
    expect(bitsOf(again).equals(expected[3]!)).toBe(true);
    for (const { giveBack } of lent) giveBack();
    expect(kernel.stretchToTensor(frames[0]!, halves).data.byteOffset).toBe(tensors[0]!.data.byteOffset);
  });

  it('holds no more memory after a thousand frames than it did when as many were lent', () => {
    const kernel = sharing();
    const lent: (() => void)[] = [];
    const run = (frame: ReadFrame) => {
      if (lent.length === 3) lent.shift()!();
      lent.push(kernel.lend(kernel.stretchToTensor(frame, halves).data)!);
    };
    for (let at = 0; at < 8; at++) run(frames[at % 4]!);
    const heldBytes = kernel.memoryBytes;
    for (let at = 0; at < 1000; at++) run(frames[at % 4]!);
    expect(kernel.memoryBytes).toBe(heldBytes);
  });

  it('lends what another thread sees without a copy, and only its own', () => {
    const kernel = sharing();
    const { data } = kernel.stretchToTensor(frames[0]!, halves);
    expect(data.buffer).toBeInstanceOf(SharedArrayBuffer);
    expect(kernel.lend(data.slice())).toBeNull();
    expect(sharing().lend(data)).toBeNull();
    const alone = new WasmStretchKernel(module, referenceStretchKernel);
    expect(alone.lend(alone.stretchToTensor(frames[0]!, halves).data)).toBeNull();
  });
});

// The kernel multiplies where the reference divides. This walks every case of the proof in assembly/weighted-mean.ts, in the same float32 steps.
describe('arithmetic without division', () => {
  it('is the floor of the mean for every sum of weights below the limit', () => {
    const shift = 1.5 * 2 ** 23;
    const mean = (weightedSum: number, sum: number) =>
      Math.fround(Math.fround(Math.fround(2 * weightedSum - sum + 1) * Math.fround(1 / (2 * sum))) + shift) - shift;
    const wrong: string[] = [];
    for (let sum = 1; sum < weightSumLimit; sum++) {
      for (let level = 1; level <= 255; level++) {
        // The floor steps here and nowhere else; the product is monotonic between.
        if (mean(level * sum, sum) !== level) wrong.push(`${level * sum}/${sum}`);
        if (mean(level * sum - 1, sum) !== level - 1) wrong.push(`${level * sum - 1}/${sum}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});
