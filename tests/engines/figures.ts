import { appendFileSync, copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { firstSample } from '../e2e/test-media.ts';
import { expectFirstBoxes } from './bench.ts';
import type { EnginePage } from './engine-page.ts';

/** What is timed in each engine, in the order of docs/browsers.md. `null`: it could not be measured here. */
export interface EngineFigures {
  readonly firstBoxesColdS: number;
  readonly firstBoxesWarmS: number;
  readonly compileS: number;
  readonly inferenceMs: number;
  readonly thresholdMs: number;
  readonly videoFramesPerS: number | null;
  readonly importOf40S: number;
}

export const carVideo = '../shared/data/video/car-detection.mp4';

const medianOf = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;
const secondsSince = (beganMs: number): number => (performance.now() - beganMs) / 1000;

/** A figure of the running bench by its name, such as "inference": its number. NaN where it is not shown. */
const figure = (page: EnginePage, name: string): Promise<number> =>
  page.evaluate((wanted) => {
    const entries = [...document.querySelectorAll('dl[aria-label="Figures of the running bench"] > div')];
    const entry = entries.find((one) => one.querySelector('dt')?.textContent.trim() === wanted);
    return Number.parseFloat(entry?.querySelector('dd')?.textContent ?? '');
  }, name);

/** The page is fresh, and of its browser the first. */
export async function measure(page: EnginePage, url: string, folder: string): Promise<EngineFigures> {
  let beganMs = performance.now();
  await page.driver.goto(url);
  await expectFirstBoxes(page, 50);
  const firstBoxesColdS = secondsSince(beganMs);

  const warmS: number[] = [];
  for (let round = 0; round < 3; round++) {
    beganMs = performance.now();
    await page.driver.reload();
    await expectFirstBoxes(page, 50);
    warmS.push(secondsSince(beganMs));
  }

  const inferenceMs: number[] = [];
  for (let round = 0; round < 5; round++) {
    await page.driver.press('m');
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 1500)));
    inferenceMs.push(await figure(page, 'inference'));
  }

  const thresholdMs: number[] = [];
  for (const threshold of ['0', '1', '0', '1', '0', '1', '0', '1', '0.5']) {
    thresholdMs.push(await page.evaluate(moveThreshold, threshold));
  }

  return {
    firstBoxesColdS,
    firstBoxesWarmS: medianOf(warmS),
    compileS: await compileS(page),
    inferenceMs: medianOf(inferenceMs),
    thresholdMs: medianOf(thresholdMs),
    videoFramesPerS: existsSync(carVideo) ? await videoFramesPerS(page) : null,
    importOf40S: await importOf40S(page, url, folder),
  };
}

/** From the move of the slider until the frame after the table of boxes has changed. */
async function moveThreshold(value: string): Promise<number> {
  const sliders = [...document.querySelectorAll<HTMLInputElement>('input[type="range"]')];
  const slider = sliders.find((one) => one.getAttribute('aria-label')?.startsWith('Default threshold'))!;
  const boxes = () => document.querySelectorAll('section[aria-labelledby] table tbody tr').length;
  const before = boxes();
  const beganMs = performance.now();
  const changed = new Promise<void>((resolve) => {
    const watching = new MutationObserver(() => {
      if (boxes() === before) return;
      watching.disconnect();
      resolve();
    });
    watching.observe(document.body, { subtree: true, childList: true });
  });
  slider.value = value;
  slider.dispatchEvent(new Event('input', { bubbles: true }));
  slider.dispatchEvent(new Event('change', { bubbles: true }));
  await changed;
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  return performance.now() - beganMs;
}

/** What the engine itself needs for the runtime that the page uses without WebGPU. */
function compileS(page: EnginePage): Promise<number> {
  const runtime = readdirSync('dist/assets').find(
    (name) => /^ort-wasm.*\.wasm$/.test(name) && !name.includes('asyncify'),
  )!;
  return page.evaluate(async (path) => {
    const bytes = await (await fetch(path)).arrayBuffer();
    const beganMs = performance.now();
    await WebAssembly.compile(bytes);
    return (performance.now() - beganMs) / 1000;
  }, `assets/${runtime}`);
}

/** Frames a second of a video that the detector runs on. */
async function videoFramesPerS(page: EnginePage): Promise<number> {
  await page.chooseFiles({ css: 'input[type="file"]', within: 'Source' }, carVideo);
  await expect.poll(() => figure(page, 'source')).toBeGreaterThan(0);
  const seen: number[] = [];
  for (let second = 0; second < 8; second++) {
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 1000)));
    seen.push(await figure(page, 'source'));
  }
  return medianOf(seen.filter((value) => value > 0));
}

async function importOf40S(page: EnginePage, url: string, folder: string): Promise<number> {
  mkdirSync(folder, { recursive: true });
  const paths = Array.from({ length: 40 }, (_, at) => {
    const path = join(folder, `image-${at}.jpg`);
    copyFileSync(firstSample, path);
    appendFileSync(path, String(at)); // or they are one image
    return path;
  });
  await page.driver.goto(`${url}#/data/images`);
  await page.driver.reload();
  const input = await page.marked({ css: 'input[type="file"][aria-label="Files to import"]' });
  const beganMs = performance.now();
  await page.driver.chooseFiles(input, paths);
  await expect.poll(() => page.evaluate(() => document.body.innerText), { interval: 50 }).toContain('40 stored');
  return secondsSince(beganMs);
}
