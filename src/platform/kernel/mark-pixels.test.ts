import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildKernel } from '../../../scripts/build-kernel.ts';
import { randomSource } from '../../../tests/random-frame.ts';
import { detectColors } from '../../machine/vision/color-detector/detect-colors.ts';
import { markPixels } from '../../machine/vision/color-detector/mark-pixels.ts';
import { pixelTest } from '../../machine/vision/color-detector/pixel-test.ts';
import { referenceStretchKernel } from '../../machine/vision/preprocess/preprocess.ts';
import { WasmStretchKernel } from './wasm-kernel.ts';

let kernel: WasmStretchKernel;
let shared: WasmStretchKernel;

beforeAll(async () => {
  await buildKernel();
  const compiled = async (file: URL) => WebAssembly.compile(await readFile(file));
  const [plainFile, sharedFile] = [
    new URL('../../../build/pixels.wasm', import.meta.url),
    new URL('../../../build/pixels-shared.wasm', import.meta.url),
  ];
  kernel = new WasmStretchKernel(await compiled(plainFile), referenceStretchKernel);
  shared = new WasmStretchKernel(await compiled(sharedFile), referenceStretchKernel, true);
}, 60_000);

const random = randomSource(41);
const upTo = (limit: number) => Math.floor(random() * limit);
const oneOf = <T>(...values: readonly T[]) => values[upTo(values.length)]!;
/** Pure, near-grey and dark colours beside random ones, where channels are equal and ranges end; any alpha. */
const channel = () => oneOf(upTo(256), upTo(256), oneOf(0, 1, 128, 254, 255));
const pixel = () => channel() + 256 * channel() + 65536 * channel() + 2 ** 24 * upTo(256);
const rule = () => ({
  hueDeg: random() * 360,
  tolerance: oneOf(1e-9, 0.001, 0.05, 0.3, 0.5, 0.999, 1),
  saturationCutoff: oneOf(1e-9, 0.2, 1, random()),
  valueCutoff: oneOf(1e-9, 0.3, 1, random()),
});

describe('the kernel’s marks', () => {
  it('equal the reference’s in 400 seeded cases of every width', () => {
    let passing = 0;
    for (let number = 0; number < 400; number++) {
      const widthPx = oneOf(1, 2, 15, 16, 17, 31, 32, 33, 64, 100, 1 + upTo(300));
      const pixels = Uint32Array.from({ length: widthPx * (1 + upTo(oneOf(3, 90))) }, pixel);
      const test = pixelTest(rule());
      const expected = markPixels(pixels, widthPx, test);
      for (const one of [kernel, shared])
        expect(one.markPixels(pixels, widthPx, test), `case ${number}`).toEqual(expected);
      passing += expected.reduce((sum, word) => sum + (word !== 0 ? 1 : 0), 0);
    }
    expect(passing).toBeGreaterThan(1000);
  });

  it('equal them at every hue of a chroma, to either side of a range', () => {
    const pixels = Uint32Array.from({ length: 6 * 256 }, (_, at) => {
      const [sector, step] = [at >> 8, at & 255];
      const channels = [
        [255, step, 0],
        [255 - step, 255, 0],
        [0, 255, step],
        [0, 255 - step, 255],
        [step, 0, 255],
        [255, 0, 255 - step],
      ][sector]!;
      return channels[0]! + 256 * channels[1]! + 65536 * channels[2]!;
    });
    for (let hueDeg = 0; hueDeg < 360; hueDeg += 3) {
      const test = pixelTest({ hueDeg, tolerance: 0.1, saturationCutoff: 0.2, valueCutoff: 0.3 });
      expect(kernel.markPixels(pixels, 256, test)).toEqual(markPixels(pixels, 256, test));
    }
  });

  it('give the same boxes', () => {
    const samples = Uint8ClampedArray.from({ length: 4 * 90 * 70 }, (_, at) => (at % 360 < 120 ? (at % 4) * 80 : 40));
    const detector = { rule: { ...rule(), hueDeg: 210, tolerance: 0.3, minAreaPx: 1, label: 'x' } };
    const whole = { ...detector, test: pixelTest({ ...detector.rule, saturationCutoff: 0.1, valueCutoff: 0.1 }) };
    const frame = { format: 'rgba8', widthPx: 90, heightPx: 70, samples } as const;
    const found = detectColors(frame, whole, kernel.markPixels);
    expect(found.count).toBeGreaterThan(0);
    expect(found).toEqual(detectColors(frame, whole));
  });
});
