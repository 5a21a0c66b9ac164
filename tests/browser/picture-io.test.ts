import { encode as encodePng } from 'fast-png';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createPictureIo } from '../../src/platform/browser/media/picture-io.ts';
import { toRgba8 } from '../../src/machine/vision/frame/frame-formats.ts';
import type { EightBitFrame } from '../../src/machine/vision/frame/frame.ts';
import { pixelsOf as colours } from '../../src/machine/vision/gpu/gpu-frame.ts';
import { yuvToRgba } from '../../src/machine/vision/yuv/yuv-to-rgba.ts';

const pictures = createPictureIo();
const turned = 'its frames are scaled, turned or mirrored to be shown';
const widthPx = 24;
const heightPx = 10;

/** Left half orange, right half blue. */
function halves(): Uint8Array<ArrayBuffer> {
  const samples = new Uint8Array(4 * widthPx * heightPx);
  for (let i = 0; i < samples.length; i += 4) {
    samples.set((i / 4) % widthPx < widthPx / 2 ? [255, 128, 0, 255] : [0, 64, 255, 255], i);
  }
  return samples;
}

function canvasOf(samples: Uint8Array<ArrayBuffer>): OffscreenCanvas {
  const canvas = new OffscreenCanvas(widthPx, heightPx);
  canvas.getContext('2d')!.putImageData(new ImageData(new Uint8ClampedArray(samples), widthPx, heightPx), 0, 0);
  return canvas;
}

const pixelAt = (samples: ArrayLike<number>, x: number, y: number) =>
  [0, 1, 2, 3].map((k) => samples[4 * (y * widthPx + x) + k]!);

function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return Math.max(...Array.from(a, (sample, i) => Math.abs(sample - b[i]!)));
}

function pixelsOf(bitmap: ImageBitmap): Uint8ClampedArray {
  const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')!;
  context.drawImage(bitmap, 0, 0);
  return context.getImageData(0, 0, bitmap.width, bitmap.height).data;
}

describe('reading pictures', () => {
  it('takes a PNG sample by sample, alpha not premultiplied', async () => {
    const data = Uint8Array.of(200, 100, 50, 3, 1, 2, 3, 0);
    const frame = await pictures.read(
      new Blob([encodePng({ width: 2, height: 1, data, channels: 4 }) as Uint8Array<ArrayBuffer>]),
    );
    expect([...frame.samples]).toEqual([...data]);
  });

  it('reads a live frame into memory that was given back, and shows it as it was read', async () => {
    const planes = new Uint8Array(24 * 10 * 1.5).map((_, i) => (i < 240 ? i : 128));
    const layout = { format: 'I420', codedWidth: widthPx, codedHeight: heightPx, timestamp: 0 } as const;
    const image = new VideoFrame(planes, layout);
    const first = colours(await pictures.read(image));
    const expected = [...first.samples];
    pictures.recycle(first);
    const second = colours(await pictures.read(image));
    expect(second.samples.buffer).toBe(first.samples.buffer);
    expect([...second.samples]).toEqual(expected);
    expect(pictures.isAllRead(image)).toBe(true);
    image.close();
    expect([...pixelsOf(await pictures.picture(second, null))]).toEqual(expected);
  });

  it('draws a live frame where copyTo gives planes although colours are asked for, as in WebKit', async () => {
    const layout = { format: 'I420', codedWidth: widthPx, codedHeight: heightPx, timestamp: 0 } as const;
    const image = new VideoFrame(new Uint8Array(24 * 10 * 1.5).fill(128), layout);
    const { samples: expected } = colours(await pictures.read(image));
    image.allocationSize = () => 24 * 10 * 1.5;
    image.copyTo = (planes) => VideoFrame.prototype.copyTo.call(image, planes);
    const { samples } = colours(await createPictureIo().read(image));
    expect(largestDifference(samples, expected)).toBeLessThan(3);
    image.close();
  });

  it('draws a live frame again where nothing of it was drawn, as in WebKit on a busy machine, or says so', async () => {
    const layout = { format: 'I420', codedWidth: widthPx, codedHeight: heightPx, timestamp: 0 } as const;
    const image = new VideoFrame(new Uint8Array(24 * 10 * 1.5).fill(128), layout);
    const { samples: expected } = colours(await pictures.read(image));
    image.allocationSize = () => 24 * 10 * 1.5;
    let blanks = 2;
    const draw = OffscreenCanvasRenderingContext2D.prototype.drawImage;
    vi.spyOn(OffscreenCanvasRenderingContext2D.prototype, 'drawImage').mockImplementation(function (
      this: OffscreenCanvasRenderingContext2D,
      ...given: unknown[]
    ) {
      if (blanks-- <= 0) draw.apply(this, given as Parameters<typeof draw>);
    });
    onTestFinished(() => void vi.restoreAllMocks());
    const { samples } = colours(await createPictureIo().read(image));
    expect(largestDifference(samples, expected)).toBeLessThan(3);
    expect(blanks).toBe(-1);
    blanks = Infinity;
    await expect(createPictureIo().read(image)).rejects.toMatchObject({ name: 'ImageDecodeError' });
    image.close();
  });

  it('shows a transparent live frame on black in memory that held an opaque one', async () => {
    const layout = { codedWidth: widthPx, codedHeight: heightPx, timestamp: 0 } as const;
    const opaque = new VideoFrame(new Uint8Array(24 * 10 * 1.5).fill(128), { ...layout, format: 'I420' });
    const first = colours(await pictures.read(opaque));
    pictures.recycle(first);
    const samples = halves().map((sample, i) => (i % 4 === 3 ? 51 : sample));
    const clear = new VideoFrame(samples, { ...layout, format: 'RGBA' });
    const second = colours(await pictures.read(clear));
    expect(second.samples.buffer).toBe(first.samples.buffer);
    expect(pixelAt(pixelsOf(await pictures.picture(second, null)), 0, 0)).toEqual([51, 25, 0, 255]);
    expect(pictures.isAllRead(clear)).toBe(false);
    expect(pixelAt(pixelsOf(await pictures.copy(clear)), 0, 0)).toEqual([255, 130, 0, 51]);
    opaque.close();
    clear.close();
  });

  it('takes a JPEG as planes, near what the browser decodes', async () => {
    const blob = await (await fetch('/builtin/frames/sample1.jpg')).blob();
    const frame = await pictures.read(blob);
    expect(frame.format).toBe('ycbcr8');
    const bitmap = await createImageBitmap(blob, { colorSpaceConversion: 'none' });
    const theirs = pixelsOf(bitmap);
    const ours = toRgba8(frame).samples;
    let sum = 0;
    for (let i = 0; i < ours.length; i++) sum += Math.abs(ours[i]! - theirs[i]!);
    // Chromium interpolates chroma samples, the machine repeats them: the results are equal except at edges.
    expect(sum / ours.length).toBeLessThan(1);
  });

  it('ignores EXIF orientation, which the browser alone would follow', async () => {
    const jpeg = new Uint8Array(await (await canvasOf(halves()).convertToBlob({ type: 'image/jpeg' })).arrayBuffer());
    const turned = [0xff, 0xe1, 0, 34, ...Array.from('Exif\0\0MM', (c) => c.charCodeAt(0)), 0, 42, 0, 0, 0, 8, 0, 1];
    const entry = [1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0];
    const blob = new Blob([jpeg.slice(0, 2), Uint8Array.from([...turned, ...entry]), jpeg.slice(2)], {
      type: 'image/jpeg',
    });
    const upright = await createImageBitmap(blob, { imageOrientation: 'from-image' });
    expect([upright.width, upright.height]).toEqual([heightPx, widthPx]); // proves that the EXIF orientation is valid
    expect(await pictures.read(blob)).toMatchObject({ widthPx, heightPx });
  });

  it('takes other kinds by the browser, within a level', async () => {
    const blob = await canvasOf(halves()).convertToBlob({ type: 'image/webp', quality: 1 });
    expect(blob.type).toBe('image/webp');
    const frame = await pictures.read(blob);
    expect(frame).toMatchObject({ format: 'rgba8', widthPx, heightPx });
    expect(largestDifference(frame.samples, halves())).toBeLessThanOrEqual(1);
  });

  it('takes RGB video frames and bitmaps as they are', async () => {
    const canvas = canvasOf(halves());
    const video = new VideoFrame(canvas, { timestamp: 0, alpha: 'discard' });
    expect(largestDifference(colours(await pictures.read(video)).samples, halves())).toBeLessThanOrEqual(1);
    video.close();
    const bitmap = await createImageBitmap(canvas);
    expect(largestDifference(colours(await pictures.read(bitmap)).samples, halves())).toBe(0);
    bitmap.close();
  });

  it('takes I420 video frames as colours', async () => {
    const [w, h] = [8, 8];
    const gray = new Uint8Array((w * h * 3) / 2).fill(128);
    const frame = new VideoFrame(gray, { format: 'I420', codedWidth: w, codedHeight: h, timestamp: 0 });
    const [red, green, blue, alpha] = colours(await pictures.read(frame)).samples;
    frame.close();
    expect(Math.max(red!, green!, blue!) - Math.min(red!, green!, blue!)).toBeLessThanOrEqual(2);
    expect(red).toBeGreaterThan(120);
    expect(red).toBeLessThan(140);
    expect(alpha).toBe(255);
  });

  it.each([
    [{}, [0, 60, 180, 240]],
    [{ rotation: 180 }, [240, 180, 60, 0]],
    [{ flip: true }, [60, 0, 240, 180]],
    [{ rotation: 90 }, [180, 0, 240, 60]],
  ] as const)('takes a video frame as it is shown: %j', async (orientation, expected) => {
    const reader = createPictureIo(yuvToRgba);
    const layout = { format: 'I420', codedWidth: 2, codedHeight: 2, timestamp: 0 } as const;
    const colorSpace = { matrix: 'smpte170m', primaries: 'smpte170m', transfer: 'smpte170m', fullRange: true } as const;
    const image = new VideoFrame(Uint8Array.of(0, 60, 180, 240, 128, 128), { ...layout, colorSpace, ...orientation });
    const { samples } = colours(await reader.read(image));
    expect([0, 4, 8, 12].map((at) => samples[at])).toEqual(expected);
    expect(reader.whyColours(image)).toBe('rotation' in orientation || 'flip' in orientation ? turned : '');
    image.close();
  });

  it('says in words what is no picture', async () => {
    await expect(pictures.read(new Blob(['words']))).rejects.toMatchObject({
      name: 'ImageDecodeError',
      code: 'not-an-image',
    });
  });
});

describe('drawing pictures', () => {
  const frame: EightBitFrame = { format: 'rgba8', widthPx, heightPx, samples: new Uint8ClampedArray(halves()) };

  it('shows every pixel as it is', async () => {
    const picture = await pictures.picture(frame, null);
    expect([...pixelsOf(picture)]).toEqual([...halves()]);
  });

  it('shows what is transparent over black, as a model sees it', async () => {
    const samples = new Uint8ClampedArray(halves());
    samples[3] = 128;
    const picture = await pictures.picture({ ...frame, samples }, null);
    expect(pixelAt(pixelsOf(picture), 0, 0)).toEqual([128, 64, 0, 255]);
  });

  it('draws no larger than is seen, in the shape of the frame', async () => {
    const half = await pictures.picture(frame, { widthPx: 12, heightPx: 100 });
    const drawn = pixelsOf(half);
    expect([half.width, half.height]).toEqual([12, 5]);
    for (const [x, colour] of [
      [0, [255, 128, 0, 255]],
      [5, [255, 128, 0, 255]],
      [6, [0, 64, 255, 255]],
      [11, [0, 64, 255, 255]],
    ] as const) {
      const at = 4 * (2 * half.width + x);
      expect([...drawn.slice(at, at + 4)]).toEqual(colour);
    }
    const third = await pictures.picture(frame, { widthPx: 100, heightPx: 3 });
    expect([third.width, third.height]).toEqual([7, 3]);
  });

  it('draws in full what would hardly become smaller, and never larger', async () => {
    for (const within of [
      { widthPx: 22, heightPx: 10 },
      { widthPx: 48, heightPx: 20 },
    ]) {
      expect([...pixelsOf(await pictures.picture(frame, within))]).toEqual([...halves()]);
    }
  });

  it('shows each frame of planes as its own, also after another one', async () => {
    const shown: number[][] = [];
    for (const y of [0, 200, 200]) {
      const samples = new Uint8ClampedArray(4 * widthPx * heightPx).map((_, i) => [y, 128, 128, 255][i % 4]!);
      const planes: EightBitFrame = { format: 'ycbcr8', widthPx, heightPx, samples };
      for (const bitmap of [await pictures.picture(planes, null), await pictures.thumbnail(planes, widthPx)])
        shown.push(pixelAt(pixelsOf(bitmap), 0, 0));
    }
    const [black, grey] = [
      [0, 0, 0, 255],
      [200, 200, 200, 255],
    ];
    expect(shown).toEqual([black, black, grey, grey, grey, grey]);
  });

  it('makes thumbnails in the shape of the frame, and never larger', async () => {
    const small = await pictures.thumbnail(frame, 12);
    expect([small.width, small.height]).toEqual([12, 5]);
    const own = await pictures.thumbnail(frame, 500);
    expect([own.width, own.height]).toEqual([widthPx, heightPx]);
  });

  it('encodes losslessly', async () => {
    expect((await pictures.read(await pictures.encode(frame))).samples).toEqual(frame.samples);
  });
});
