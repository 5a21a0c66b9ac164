import { describe, expect, it } from 'vitest';
import { loadStretchKernel } from '../../src/platform/browser/wasm/load-stretch-kernel.ts';
import { createPictureIo } from '../../src/platform/browser/media/picture-io.ts';
import { applyPixelStep, type PixelStep } from '../../src/machine/vision/transforms/pixel-step.ts';
import { pixelsOf } from '../../src/machine/vision/gpu/gpu-frame.ts';
import type { InputSpec } from '../../src/machine/vision/preprocess/input-spec.ts';
import { shrinkToRgba } from '../../src/machine/vision/yuv/shrink-yuv.ts';
import { isYuvFrame, yuvLayout } from '../../src/machine/vision/yuv/yuv-frame.ts';
import { colourCardSidePx, yuvColourCard } from '../../src/machine/vision/yuv/colour-card.ts';
import { randomSource } from '../random-frame.ts';

const kernel = await loadStretchKernel();
const byPlanesAnew = () => createPictureIo(kernel.toRgba!, kernel.shrinkToRgba!, kernel.planesMemory!);
const byPlanes = byPlanesAnew();
const byBrowser = createPictureIo();

const spec: InputSpec = {
  tensorName: 'image',
  dtype: 'float32',
  layout: 'nchw',
  widthPx: 160,
  heightPx: 120,
  bgr: false,
  mean: [0.485, 0.456, 0.406],
  stdDev: [0.229, 0.224, 0.225],
};
const cropped = { type: 'crop', attributes: { xMin: 0.1, yMin: 0.2, xMax: 0.9, yMax: 0.8, overlayCropBox: false } };
const resized = { type: 'resize', attributes: { widthPx: 77, heightPx: 41 } };
const turned = { type: 'rotate', attributes: { angleDegs: 90 } };
const steps = [cropped, resized, turned] as unknown as readonly PixelStep[];

/** TypeScript's VideoColorSpace has no wide gamuts yet. */
type ColourSpace = Readonly<Record<'matrix' | 'primaries' | 'transfer', string>> & { readonly fullRange: boolean };

const spaces: Readonly<Record<string, ColourSpace>> = {
  'a webcam’s': { matrix: 'smpte170m', primaries: 'smpte170m', transfer: 'smpte170m', fullRange: false },
  'a webcam’s, full range': { matrix: 'smpte170m', primaries: 'bt709', transfer: 'iec61966-2-1', fullRange: true },
  'a video’s': { matrix: 'bt709', primaries: 'bt709', transfer: 'bt709', fullRange: false },
  'a video’s, full range': { matrix: 'bt709', primaries: 'bt709', transfer: 'bt709', fullRange: true },
};

function noise(format: 'I420' | 'NV12', widthPx: number, heightPx: number, space: ColourSpace): VideoFrame {
  const { byteLength } = yuvLayout({ format: format === 'I420' ? 'i420' : 'nv12', widthPx, heightPx });
  const colorSpace = space as VideoColorSpaceInit;
  const random = randomSource(widthPx * heightPx);
  const planes = Uint8Array.from({ length: byteLength }, () => Math.floor(random() * 256));
  return new VideoFrame(planes, { format, codedWidth: widthPx, codedHeight: heightPx, timestamp: 0, colorSpace });
}

/** Compares arrays; Vitest's deep comparison of a million numbers takes minutes. */
function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  if (a.length !== b.length || a.length === 0) throw new Error(`${a.length} numbers beside ${b.length}`);
  let largest = 0;
  for (let at = 0; at < a.length; at++) largest = Math.max(largest, Math.abs(a[at]! - b[at]!));
  return largest;
}

/** Reads a frame in both ways, closes it, and compares the results. */
async function compare(image: VideoFrame): Promise<void> {
  const [planes, colours] = await Promise.all([byPlanes.read(image), byBrowser.read(image)]);
  expect(byPlanes.whyColours(image)).toBe('');
  image.close();
  expect([isYuvFrame(planes), isYuvFrame(colours)]).toEqual([true, false]);
  const tensors = [planes, colours].map((frame) => kernel.stretchToTensor(frame, spec).data.slice());
  expect(largestDifference(tensors[0] as Float32Array, tensors[1] as Float32Array)).toBe(0);
  expect(largestDifference(pixelsOf(planes).samples, pixelsOf(colours).samples)).toBe(0);
  const [ours, theirs] = [planes, colours].map((frame) => steps.reduce(applyPixelStep, pixelsOf(frame)));
  expect([ours!.widthPx, ours!.heightPx]).toEqual([theirs!.widthPx, theirs!.heightPx]);
  expect(largestDifference(ours!.samples, theirs!.samples)).toBe(0);
  for (const frame of [planes, colours]) byPlanes.recycle(frame);
}

describe.each(Object.entries(spaces))('%s planes', (_, colorSpace) => {
  it.each([
    ['I420', 640, 480],
    ['NV12', 640, 480],
    ['I420', 321, 241],
    ['NV12', 333, 77],
    ['I420', 1281, 3],
    ['NV12', 3, 3],
    ['I420', 2, 5],
  ] as const)('of %s %i×%i give what the browser’s colours give', async (format, widthPx, heightPx) => {
    await compare(noise(format, widthPx, heightPx, colorSpace));
  });

  it('of a part of a frame do too', async () => {
    const whole = noise('I420', 64, 48, colorSpace);
    await compare(new VideoFrame(whole, { visibleRect: { x: 2, y: 4, width: 31, height: 21 } }));
    whole.close();
  });

  it('give every colour that the browser’s conversion has', async () => {
    for (const format of ['I420', 'NV12'] as const) {
      const card = yuvColourCard(format === 'I420' ? 'i420' : 'nv12');
      const layout = { format, codedWidth: colourCardSidePx, codedHeight: colourCardSidePx, timestamp: 0 };
      await compare(new VideoFrame(card, { ...layout, colorSpace: colorSpace as VideoColorSpaceInit }));
    }
  });
});

describe('frames that are read as colours', () => {
  it.each<[string, ColourSpace, string]>([
    ['of a wide gamut', { matrix: 'bt2020-ncl', primaries: 'bt2020', transfer: 'pq', fullRange: false }, 'bt2020-ncl'],
    [
      'whose primaries the browser converts too',
      { matrix: 'bt470bg', primaries: 'bt470bg', transfer: 'bt709', fullRange: false },
      'a way of its own',
    ],
  ])('%s are the browser’s, with the reason', async (_, colorSpace, reason) => {
    const image = noise('I420', 64, 48, colorSpace);
    const [frame, expected] = await Promise.all([byPlanes.read(image), byBrowser.read(image)]);
    expect(isYuvFrame(frame)).toBe(false);
    expect(largestDifference(pixelsOf(frame).samples, pixelsOf(expected).samples)).toBe(0);
    expect(byPlanes.whyColours(image)).toContain(reason);
    image.close();
  });

  it('are those of a browser that converts in another way than the one that is known', async () => {
    const image = noise('I420', 64, 48, spaces['a webcam’s']!);
    const another = createPictureIo((planes, into) => {
      kernel.toRgba!(planes, into);
      into[4 * 63]! ^= 1;
    });
    expect(isYuvFrame(await another.read(image))).toBe(false);
    expect(another.whyColours(image)).toContain('a way of its own');
    image.close();
  });

  it('are those whose first frame differs, though the card did not', async () => {
    const image = noise('I420', 64, 48, spaces['a webcam’s']!);
    const another = createPictureIo((planes, into) => {
      kernel.toRgba!(planes, into);
      if (planes.widthPx === 64) into[0]! ^= 1;
    });
    expect(isYuvFrame(await another.read(image))).toBe(false);
    expect(another.whyColours(image)).toContain('first frame');
    image.close();
  });

  it('are those of a camera that begins with black, until there is something to compare', async () => {
    const dark = new Uint8Array(yuvLayout({ format: 'i420', widthPx: 64, heightPx: 48 }).byteLength).fill(128);
    dark.fill(16, 0, 64 * 48);
    const colorSpace = spaces['a webcam’s'] as unknown as VideoColorSpaceInit;
    const layout = { format: 'I420', codedWidth: 64, codedHeight: 48, timestamp: 0, colorSpace } as const;
    const black = new VideoFrame(dark, layout);
    const image = noise('I420', 64, 48, spaces['a webcam’s']!);
    const another = createPictureIo((planes, into) => {
      kernel.toRgba!(planes, into);
      if (planes.widthPx === 64 && planes.planes[0] !== 16) into[0]! ^= 1;
    });
    for (const [pictures, reason] of [
      [byPlanesAnew(), ''],
      [another, 'first frame'],
    ] as const) {
      expect(isYuvFrame(await pictures.read(black))).toBe(false);
      expect(pictures.whyColours(black)).toContain('too few shades');
      expect(isYuvFrame(await pictures.read(image))).toBe(reason === '');
      expect(pictures.whyColours(image)).toContain(reason);
    }
    black.close();
    image.close();
  });

  it('are those with colours already, with an alpha, and all where there is no kernel', async () => {
    const rgb = new VideoFrame(new Uint8Array(16), { format: 'RGBX', codedWidth: 2, codedHeight: 2, timestamp: 0 });
    const alpha = new VideoFrame(new Uint8Array(10), { format: 'I420A', codedWidth: 2, codedHeight: 2, timestamp: 0 });
    for (const image of [rgb, alpha]) {
      expect(isYuvFrame(await byPlanes.read(image))).toBe(false);
      expect(byPlanes.whyColours(image)).toContain(image.format);
    }
    expect(byBrowser.whyColours(rgb)).toContain('SIMD');
    rgb.close();
    alpha.close();
  });
});

it('reads the next planes, and makes the next colours, in memory that was given back', async () => {
  const pictures = createPictureIo(kernel.toRgba!);
  const image = noise('I420', 96, 64, spaces['a webcam’s']!);
  const buffers = new Set<ArrayBuffer>();
  for (let round = 0; round < 6; round++) {
    const frame = await pictures.read(image);
    if (!isYuvFrame(frame)) throw new Error('read as colours');
    buffers.add(frame.planes.buffer).add(frame.pixels().samples.buffer);
    pictures.recycle(frame);
  }
  image.close();
  expect(buffers.size).toBe(2);
});

describe('planes in a kernel’s memory', () => {
  it('are written there by the browser, and there again once they were given back', async () => {
    const image = noise('NV12', 96, 64, spaces['a webcam’s']!);
    const places = new Set<number>();
    for (let round = 0; round < 4; round++) {
      const frame = await byPlanes.read(image);
      if (!isYuvFrame(frame)) throw new Error('read as colours');
      expect(frame.planes.buffer).toBeInstanceOf(SharedArrayBuffer);
      places.add(frame.planes.byteOffset);
      byPlanes.recycle(frame);
    }
    image.close();
    expect(places.size).toBe(1);
  });

  it('lie in memory of their own where there is no room', async () => {
    const image = noise('I420', 64, 48, spaces['a webcam’s']!);
    const frames = [];
    for (let round = 0; round < 12; round++) frames.push(await byPlanes.read(image));
    image.close();
    const kinds = new Set(
      frames.map((frame) => isYuvFrame(frame) && Object.prototype.toString.call(frame.planes.buffer)),
    );
    expect(kinds).toEqual(new Set(['[object SharedArrayBuffer]', '[object ArrayBuffer]']));
    const tensors = frames.map((frame) => kernel.stretchToTensor(frame, spec).data.slice() as Float32Array);
    for (const tensor of tensors) expect(largestDifference(tensor, tensors[0]!)).toBe(0);
    for (const frame of frames) byPlanes.recycle(frame);
  });

  it('are given up for good where the browser refuses to write there', async () => {
    const asked: number[] = [];
    const givenBack: Uint8Array[] = [];
    const pictures = createPictureIo(kernel.toRgba!, null, {
      take(byteLength) {
        asked.push(byteLength);
        const resizable = Reflect.construct(ArrayBuffer, [
          byteLength,
          { maxByteLength: 2 * byteLength },
        ]) as ArrayBuffer;
        return new Uint8Array(resizable); // Web IDL refuses views of resizable buffers
      },
      give: (planes) => givenBack.push(planes) > 0,
    });
    const image = noise('I420', 64, 48, spaces['a webcam’s']!);
    const read = [await pictures.read(image), await pictures.read(image)];
    const expected = await byBrowser.read(image);
    image.close();
    for (const frame of read) {
      expect(isYuvFrame(frame)).toBe(true);
      expect(largestDifference(pixelsOf(frame).samples, pixelsOf(expected).samples)).toBe(0);
    }
    expect([asked.length, givenBack.length]).toEqual([1, 1]);
  });

  it('are given back where the browser gives no colours to compare them with', async () => {
    const [taken, givenBack] = [[] as Uint8Array[], [] as Uint8Array[]];
    const pictures = createPictureIo(kernel.toRgba!, null, {
      take: (byteLength) => taken[taken.push(new Uint8Array(byteLength)) - 1] as Uint8Array<ArrayBuffer>,
      give: (planes) => givenBack.push(planes) > 0,
    });
    const image = noise('I420', 64, 48, spaces['a webcam’s']!);
    const copyTo = image.copyTo.bind(image);
    image.copyTo = (into, options) =>
      options ? Promise.reject(new DOMException('no colours', 'NotSupportedError')) : copyTo(into);
    expect(isYuvFrame(await pictures.read(image))).toBe(false);
    image.close();
    expect(taken).toHaveLength(1);
    expect(givenBack).toEqual(taken);
  });
});

it('shows planes smaller without making their colours in full, in memory that was given back', async () => {
  let conversions = 0;
  const buffers = new Set<ArrayBuffer>();
  const pictures = createPictureIo(
    (planes, into) => {
      conversions++;
      kernel.toRgba!(planes, into);
    },
    (planes, size, into) => {
      buffers.add(into.buffer);
      kernel.shrinkToRgba!(planes, size, into);
    },
  );
  const image = noise('NV12', 96, 64, spaces['a webcam’s']!);
  const frame = await pictures.read(image);
  image.close();
  if (!isYuvFrame(frame)) throw new Error('read as colours');
  const before = conversions;
  for (let round = 0; round < 3; round++) {
    const shown = [await pictures.picture(frame, { widthPx: 66, heightPx: 80 }), await pictures.thumbnail(frame, 24)];
    expect(shown.map(({ width, height }) => [width, height])).toEqual([
      [66, 44],
      [24, 16],
    ]);
    for (const bitmap of shown) {
      const { width: widthPx, height: heightPx } = bitmap;
      const expected = new Uint8ClampedArray(4 * widthPx * heightPx);
      shrinkToRgba(frame, { widthPx, heightPx }, expected);
      expect(largestDifference(drawn(bitmap), expected)).toBe(0);
      bitmap.close();
    }
  }
  expect([conversions, buffers.size]).toEqual([before, 2]);
  const inFull = await pictures.picture(frame, null);
  expect(largestDifference(drawn(inFull), frame.pixels().samples)).toBe(0);
});

function drawn(bitmap: ImageBitmap): Uint8ClampedArray {
  const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')!;
  context.drawImage(bitmap, 0, 0);
  return context.getImageData(0, 0, bitmap.width, bitmap.height).data;
}
