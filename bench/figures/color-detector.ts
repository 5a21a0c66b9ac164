import { glob, readFile } from 'node:fs/promises';
import { loadKernel } from '../../src/cli/shared/load-kernel.ts';
import { decodeJpeg } from '../../src/platform/decode/jpeg.ts';
import { findBlobs } from '../../src/machine/vision/color-detector/find-blobs.ts';
import { machinePixels } from '../../src/machine/vision/color-detector/machine-pixels.ts';
import { degreesOf, machineHsv } from '../../src/machine/vision/color-detector/machine-hsv.ts';
import { markPixels, type MarkPixels } from '../../src/machine/vision/color-detector/mark-pixels.ts';
import { hueRange, pixelTest } from '../../src/machine/vision/color-detector/pixel-test.ts';
import { randomSource } from '../../tests/random-frame.ts';
import { median, medianRatio, type Figure, type Measurement } from '../figure.ts';

const rounds = 25;
const [widthPx, heightPx] = [1280, 720];
const rule = { hueDeg: 210, tolerance: 0.1, saturationCutoff: 0.2, valueCutoff: 0.3 };
const test = pixelTest(rule);

/** How many bare passes over its pixels a detection may take, by kind of frame. */
const mostPasses = { 'flat grey': 2, photographs: 3, noise: 12 };

export const figure: Figure = {
  title: 'a colour detector on frames of 1280 × 720, in Node',
  async measure({ root }) {
    const { markPixels: kernelMarks } = await loadKernel();
    if (!kernelMarks) throw new Error('The kernel is not built: run npm run assets.');
    const photographs: Uint32Array[] = [];
    for await (const path of glob(`${root}assets/photographs/*.jpg`)) {
      const frame = decodeJpeg(await readFile(path));
      photographs.push(stretched(machinePixels(frame), frame.widthPx, frame.heightPx));
    }
    const random = randomSource(3);
    const noise = Uint32Array.from({ length: widthPx * heightPx }, () => Math.floor(random() * 2 ** 24));
    const grey = new Uint32Array(widthPx * heightPx).fill(0x808080);
    return [
      ...measured('flat grey', [grey], kernelMarks),
      ...measured('photographs', photographs, kernelMarks),
      ...measured('noise', [noise], kernelMarks),
      ...compared(photographs, kernelMarks),
    ];
  },
};

function measured(
  name: keyof typeof mostPasses,
  pictures: readonly Uint32Array[],
  mark: MarkPixels,
): readonly Measurement[] {
  const [own, pass] = timedInTurn(pictures, [detected(mark), passed]);
  return [
    { name: `${name}: best`, value: Math.min(...own!), unit: 'ms' },
    { name: `${name}: median`, value: median(own!), unit: 'ms' },
    { name: `${name}: of a bare pass`, value: medianRatio(own!, pass!), unit: '×', atMost: mostPasses[name] },
  ];
}

function compared(pictures: readonly Uint32Array[], mark: MarkPixels): readonly Measurement[] {
  const [own, reference, plain] = timedInTurn(pictures, [detected(mark), detected(markPixels), flooded]);
  return [
    { name: 'the reference in TypeScript', value: median(reference!), unit: 'ms' },
    { name: 'flooded pixel by pixel, as the machine does it', value: median(plain!), unit: 'ms' },
    { name: 'faster than the reference', value: medianRatio(reference!, own!), unit: '×', atLeast: 2 },
    { name: 'faster than flooding', value: medianRatio(plain!, own!), unit: '×', atLeast: 10 },
  ];
}

const detected = (mark: MarkPixels) => (pixels: Uint32Array) =>
  findBlobs(mark(pixels, widthPx, test), widthPx, 5000).count;

/** What reading the pixels alone takes. */
function passed(pixels: Uint32Array): number {
  let sum = 0;
  for (let at = 0; at < pixels.length; at++) sum ^= pixels[at]!;
  return sum;
}

/** Each work's times for a picture, a round each, in ms; the first rounds warm up and are left out. */
function timedInTurn(
  pictures: readonly Uint32Array[],
  works: readonly ((pixels: Uint32Array) => number)[],
): readonly (readonly number[])[] {
  const times = works.map((): number[] => []);
  for (let round = -2; round < rounds; round++) {
    works.forEach((work, at) => {
      const startMs = performance.now();
      pictures.forEach(work);
      const tookMs = (performance.now() - startMs) / pictures.length;
      if (round >= 0) times[at]!.push(tookMs);
    });
  }
  return times;
}

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
