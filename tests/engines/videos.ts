import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { brightestPixelDetector } from '../models.ts';
import { captured, chooseModel } from './bench.ts';
import type { EnginePage } from './engine-page.ts';

/**
 * Twenty grey frames of 64×48 px, frame n of luma 16 + 10 n, as ffmpeg made them of `color=black:s=64x48:r=10:d=2,
 * geq=lum='16+10*N':cb=128:cr=128` (libx264, -qp 8, +faststart): ten a second; at uneven times; and turned by 90 degrees.
 */
const greys: readonly Video[] = [
  { path: 'tests/engines/fixtures/even.mp4', framesAtMs: [0, 100, 200, 300, 400, 500, 600, 700], size: [64, 48] },
  { path: 'tests/engines/fixtures/turned.mp4', framesAtMs: [0, 100, 200, 300, 400, 500, 600, 700], size: [48, 64] },
  { path: 'tests/engines/fixtures/uneven.mp4', framesAtMs: [0, 100, 200, 300, 400, 600, 700, 900], size: [64, 48] },
];
const cars = {
  path: '../shared/data/video/car-detection.mp4',
  framesAtMs: Array.from({ length: 8 }, (_, at) => 80 * at),
  size: [768, 432],
} as const;

interface Video {
  readonly path: string;
  readonly framesAtMs: readonly number[];
  readonly size: readonly [widthPx: number, heightPx: number];
}

/** Moves the slider below the video, as a hand does. */
function seek(page: EnginePage, positionMs: number): Promise<void> {
  return page.evaluate((to) => {
    const slider = document.querySelector<HTMLInputElement>('[aria-label="Position in the video"]')!;
    slider.value = String(to);
    slider.dispatchEvent(new Event('input', { bubbles: true }));
    slider.dispatchEvent(new Event('change', { bubbles: true }));
  }, positionMs);
}

const hasCars = existsSync(cars.path);
export const whereCars = hasCars ? ', and of cars' : ' (not the one of cars, which is not here)';

/** Opens a video, and goes through its first frames by keys and by jumps. */
async function walk(page: EnginePage, { path, framesAtMs, size }: Video, isGrey: boolean): Promise<void> {
  const name = basename(path);
  await page.chooseFiles({ css: 'input[type="file"]', within: 'Source' }, path);
  await page.click({ css: 'button', name: 'Loop', within: 'Video' }); // or the end comes before the pause, where the engine is slow
  await page.click({ css: 'button', name: 'Pause', within: 'Video' });
  const shows = async (index: number): Promise<void> => {
    const kept = await captured(page, { source: { name, index } });
    expect(kept.source.timestampMs).toBeCloseTo(framesAtMs[index]!, 0);
    expect(kept.size).toEqual(size);
    // Its picture is that frame's: a level of luma is 255/219 of 255. The decoders differ by a level.
    if (isGrey) expect((kept.rawScores[0]! * 219) / 10, `${name}, frame ${index}`).toBeCloseTo(index, 0);
  };
  await seek(page, 0);
  await shows(0);
  for (const [key, index] of [
    ['f', 1],
    ['f', 2],
    ['f', 3],
    ['d', 2],
    ['f', 3],
  ] as const) {
    await page.driver.press(key);
    await shows(index);
  }
  await seek(page, framesAtMs[6]! + 20);
  await shows(6);
  await page.driver.press('f');
  await shows(7);
  await page.driver.press('d');
  await shows(6);
}

/** On the bench: steps and jumps by whole frames in videos of even and uneven rate, and turned ones, and runs all of one. */
export async function goThroughVideos(page: EnginePage): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sightglass-engines-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const model = join(folder, 'brightest.onnx');
  writeFileSync(model, brightestPixelDetector({ input: { dtype: 'uint8' } }));
  await chooseModel(page, model);
  await captured(page, { model: 'brightest.onnx' });
  if (hasCars) await walk(page, cars, false);
  for (const grey of greys) await walk(page, grey, true);

  await page.click({ css: 'button', name: 'Run all of it' });
  await expect.poll(() => page.texts('dialog[open] [role="status"]')).toContain('All 20 frames were run');
}
