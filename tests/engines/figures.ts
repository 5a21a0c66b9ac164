import { appendFileSync, copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type * as Ort from 'onnxruntime-web';
import { expect } from 'vitest';
import { firstSample } from '../e2e/test-media.ts';
import type { EnginePage } from './engine-page.ts';

/** The figures of an engine, in the order of docs/browsers.md. `null`: it could not be measured here. */
export interface EngineFigures {
  readonly firstBoxesColdS: number;
  readonly firstBoxesWarmS: number;
  readonly runtimeAloneS: number;
  readonly inferenceMs: number;
  readonly thresholdMs: number;
  readonly frameMs: number;
  readonly videoFramesPerS: number | null;
  readonly importOf40S: number;
}

export const carVideo = '../shared/data/video/car-detection.mp4';

const medianOf = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;

/** A figure of the running bench by its name, such as "inference": its number. NaN where it is not shown. */
const figure = (page: EnginePage, name: string): Promise<number> =>
  page.evaluate((wanted) => {
    const entries = [...document.querySelectorAll('dl[aria-label="Figures of the running bench"] > div')];
    const entry = entries.find((one) => one.querySelector('dt')?.textContent.trim() === wanted);
    return Number.parseFloat(entry?.querySelector('dd')?.textContent ?? '');
  }, name);

/** The page is fresh, and of its browser the first. */
export async function measure(page: EnginePage, url: string, folder: string): Promise<EngineFigures> {
  await page.driver.goto(url);
  const firstBoxesColdS = await page.evaluate(firstBoxesS);

  const warmS: number[] = [];
  for (let round = 0; round < 3; round++) {
    await page.driver.reload();
    warmS.push(await page.evaluate(firstBoxesS));
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

  const frameMs: number[] = [];
  for (let round = 0; round < 9; round++) frameMs.push(await page.evaluate(changeFrame));

  return {
    firstBoxesColdS,
    firstBoxesWarmS: medianOf(warmS),
    inferenceMs: medianOf(inferenceMs),
    thresholdMs: medianOf(thresholdMs),
    frameMs: medianOf(frameMs),
    videoFramesPerS: existsSync(carVideo) ? await videoFramesPerS(page) : null,
    importOf40S: await importOf40S(page, url, folder),
    runtimeAloneS: await runtimeAloneS(page, url),
  };
}

/**
 * The time from a loaded page's navigation until the frame after its first boxes, by its own clock. Who asks again and again from
 * outside takes a share of the processor, and measures the driver too.
 */
async function firstBoxesS(): Promise<number> {
  const areShown = () => document.querySelectorAll('section[aria-labelledby] table tbody tr').length === 3;
  await new Promise<void>((resolve) => {
    const look = () => {
      if (!areShown()) return;
      watching.disconnect();
      resolve();
    };
    const watching = new MutationObserver(look);
    watching.observe(document.body, { subtree: true, childList: true });
    look();
  });
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  return performance.now() / 1000;
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

/** What the engine itself needs of that: the next frame, with a text that nothing of ours drew. */
async function changeFrame(): Promise<number> {
  const text = document.createElement('p');
  text.style.cssText = 'position: fixed; inset: 0 auto auto 0; background: white; color: black';
  text.textContent = 'A frame';
  await new Promise((resolve) => setTimeout(resolve, 200));
  const beganMs = performance.now();
  document.body.append(text);
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  text.remove();
  return performance.now() - beganMs;
}

/**
 * What the engine itself needs for the first visit: the runtime that the page uses without WebGPU, in a page without anything of ours,
 * from its import to the end of the first run.
 */
async function runtimeAloneS(page: EnginePage, url: string): Promise<number> {
  const runtime = readdirSync('dist/assets').find((name) => /^ort\.wasm\..*\.js$/.test(name))!;
  const times: number[] = [];
  for (let round = 0; round < 3; round++) {
    await page.driver.goto(`${url}builtin/LICENCES.txt?${round}`);
    // An import in a function that crosses would be Vitest's own.
    const run = `((beganMs) => import('${url}assets/${runtime}').then((ort) => (${String(firstRunS)})(ort, beganMs)))(performance.now())`;
    times.push((await page.driver.evaluate(run)) as number);
  }
  return medianOf(times);
}

async function firstRunS({ env, InferenceSession, Tensor }: typeof Ort, beganMs: number): Promise<number> {
  env.wasm.numThreads = 1;
  const bytes = await (await fetch('models/face-detector.onnx')).arrayBuffer();
  const session = await InferenceSession.create(bytes, { executionProviders: ['wasm'], logSeverityLevel: 3 });
  const [input] = session.inputMetadata as Ort.InferenceSession.TensorValueMetadata[];
  const shape = input!.shape.map((side) => (typeof side === 'number' ? side : 640));
  const values = new Float32Array(shape.reduce((product, size) => product * size, 1));
  await session.run({ [input!.name]: new Tensor('float32', values, shape) });
  return (performance.now() - beganMs) / 1000;
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
  await page.evaluate(timeImport, input);
  await page.driver.chooseFiles(input, paths);
  return page.evaluate(() => (window as TimedWindow).importS!);
}

type TimedWindow = Window & { importS?: Promise<number> };

/** Notes when the page is given the files, and when it says that all are stored. */
function timeImport(input: string): void {
  (window as TimedWindow).importS = new Promise((resolve) => {
    let beganMs = 0;
    document.querySelector(input)!.addEventListener('change', () => (beganMs = performance.now()), { capture: true });
    const watching = new MutationObserver(() => {
      if (!document.body.textContent.includes('40 stored')) return;
      watching.disconnect();
      resolve((performance.now() - beganMs) / 1000);
    });
    watching.observe(document.body, { subtree: true, childList: true, characterData: true });
  });
}
