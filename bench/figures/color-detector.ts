import { glob, readFile } from 'node:fs/promises';
import { decodeJpeg } from '../../src/platform/decode/jpeg.ts';
import { findBlobs } from '../../src/machine/vision/color-detector/find-blobs.ts';
import { machinePixels } from '../../src/machine/vision/color-detector/machine-pixels.ts';
import { degreesOf, machineHsv } from '../../src/machine/vision/color-detector/machine-hsv.ts';
import { hueRange, pixelTest } from '../../src/machine/vision/color-detector/pixel-test.ts';
import { median, medianRatio, type Figure } from '../figure.ts';

const rounds = 15;
const [widthPx, heightPx] = [1280, 720];
const rule = { hueDeg: 210, tolerance: 0.1, saturationCutoff: 0.2, valueCutoff: 0.3 };

export const figure: Figure = {
  title: 'a colour detector on the sample photographs at 1280 × 720, in Node',
  async measure({ root }) {
    const pictures: Uint32Array[] = [];
    for await (const path of glob(`${root}assets/photographs/*.jpg`)) {
      const frame = decodeJpeg(await readFile(path));
      pictures.push(stretched(machinePixels(frame), frame.widthPx, frame.heightPx));
    }
    const test = pixelTest(rule);
    const own: number[] = [];
    const plain: number[] = [];
    for (let round = -2; round < rounds; round++) {
      const ownMs = timed(() => pictures.forEach((pixels) => findBlobs(pixels, widthPx, test, 5000)));
      const plainMs = timed(() => pictures.forEach(flooded));
      if (round < 0) continue; // warm-up: the engine compiles both after their first runs
      own.push(ownMs / pictures.length);
      plain.push(plainMs / pictures.length);
    }
    return [
      { name: 'rows as runs, whole numbers', value: median(own), unit: 'ms' },
      { name: 'flooded pixel by pixel, as the machine does it', value: median(plain), unit: 'ms' },
      { name: 'faster than flooding', value: medianRatio(plain, own), unit: '×', atLeast: 3 },
    ];
  },
};

/** The nearest pixels: what colours there are stays as it is. */
function stretched(pixels: Uint32Array, fromWidthPx: number, fromHeightPx: number): Uint32Array {
  return Uint32Array.from({ length: widthPx * heightPx }, (_, at) => {
    const x = Math.floor(((at % widthPx) * fromWidthPx) / widthPx);
    const y = Math.floor((Math.floor(at / widthPx) * fromHeightPx) / heightPx);
    return pixels[y * fromWidthPx + x]!;
  });
}

/** The same groups the plain way: hue, saturation and value of every pixel in floating point, and a queue a group. */
function flooded(pixels: Uint32Array): number {
  const { from, to } = hueRange(rule);
  const passes = (at: number): boolean => {
    const pixel = pixels[at]!;
    const { hue, saturation, value } = machineHsv(pixel & 255, (pixel >> 8) & 255, (pixel >> 16) & 255);
    if (saturation / 255 < rule.saturationCutoff || value / 255 < rule.valueCutoff) return false;
    const degrees = degreesOf(hue);
    return degrees >= from && degrees <= to;
  };
  const seen = new Uint8Array(pixels.length);
  let groups = 0;
  for (let start = 0; start < pixels.length; start++) {
    if (seen[start]) continue;
    seen[start] = 1;
    if (!passes(start)) continue;
    groups++;
    const queue = [start];
    for (let next = 0; next < queue.length; next++) {
      const at = queue[next]!;
      const x = at % widthPx;
      for (const beside of [at - widthPx, at + widthPx, x > 0 ? at - 1 : -1, x < widthPx - 1 ? at + 1 : -1]) {
        if (beside < 0 || beside >= pixels.length || seen[beside]) continue;
        seen[beside] = 1;
        if (passes(beside)) queue.push(beside);
      }
    }
  }
  return groups;
}

function timed(work: () => void): number {
  const startMs = performance.now();
  work();
  return performance.now() - startMs;
}
