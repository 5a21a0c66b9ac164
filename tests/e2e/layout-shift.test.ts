import { readFileSync } from 'node:fs';
import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { useApp } from './app.ts';
import { fixedDetector } from '../models.ts';
import { expectDetections, expectFirstBoxes, figure, panel } from './bench-page.ts';
import { dropOnBench } from './dropped-files.ts';
import { twentyGrays } from './test-media.ts';

const app = useApp();
const mostShift = 0.02;

interface Shift {
  readonly value: number;
  readonly moved: readonly string[];
}

function noteShifts(): void {
  const shifts: Shift[] = [];
  Object.assign(globalThis, { shifts });
  type Entry = PerformanceEntry & {
    readonly value: number;
    readonly sources: readonly { readonly node: Element | null }[];
  };
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries() as Entry[])
      shifts.push({ value, moved: sources.map(({ node }) => `${node?.nodeName} ${node?.textContent?.slice(0, 40)}`) });
  }).observe({ type: 'layout-shift', buffered: true });
}

/** What moved since this was last asked. */
const shifted = (page: Page): Promise<readonly Shift[]> =>
  page.evaluate(() => {
    const { shifts } = globalThis as unknown as { shifts: Shift[] };
    return new Promise((resolve) =>
      requestAnimationFrame(() => requestAnimationFrame(() => resolve(shifts.splice(0)))),
    );
  });

function expectStill(shifts: readonly Shift[]): void {
  const total = shifts.reduce((sum, { value }) => sum + value, 0);
  expect(total, JSON.stringify(shifts, null, 1)).toBeLessThanOrEqual(mostShift);
}

it('moves nothing under the pointer as it loads and as results come', async () => {
  const { page } = await app.open({ prepare: (context) => context.addInitScript(noteShifts) });
  await expectFirstBoxes(page);
  await page.getByText('machine-ready').waitFor();
  expectStill(await shifted(page));

  await page.goto(`${app.url}#/evaluate`);
  await page.getByRole('button', { name: 'Try it with the samples' }).waitFor();
  await shifted(page);
  await page.getByRole('button', { name: 'Try it with the samples' }).click();
  await page.getByText('6 images run,').waitFor();
  await page.getByRole('button', { name: 'Remove the samples' }).waitFor();
  expectStill(await shifted(page));
});

it('moves nothing under the pointer as a model of eighty labels is dropped', async () => {
  const { page } = await app.open({ prepare: (context) => context.addInitScript(noteShifts) });
  await expectFirstBoxes(page);
  await page.getByText('machine-ready').waitFor();
  await shifted(page);
  const rows = Array.from({ length: 8 }, (_, at) => at);
  const model = fixedDetector({
    input: { dtype: 'uint8' },
    boxes: rows.map((at) => [at / 8, 0, (at + 1) / 8, 0.5]),
    categories: rows.map((at) => 10 * at),
    scores: rows.map((at) => 0.95 - at / 10),
  });
  const names = Array.from({ length: 80 }, (_, at) => `thing ${at}`).join('\n');
  await dropOnBench(page, [
    { name: 'eighty.onnx', bytes: model },
    { name: 'eighty.labels.txt', bytes: names },
  ]);
  await panel(page, 'Thresholds').getByPlaceholder('Find one of 80').waitFor();
  await expectDetections(page, 5);
  await panel(page, 'Model').getByText('What do the numbers mean?').waitFor();
  expectStill(await shifted(page));
});

it('gives the stage its size at once as a video is opened, and none in between', async () => {
  const { page } = await app.open();
  await expectFirstBoxes(page);
  const stage = page.getByRole('region', { name: 'Stage' });
  await stage
    .locator('canvas')
    .first()
    .evaluate((canvas) => {
      const heights: number[] = [];
      Object.assign(globalThis, { heights });
      new ResizeObserver(([entry]) => heights.push(entry!.contentRect.height)).observe(canvas.parentElement!);
    });
  await dropOnBench(page, [{ name: 'grays.webm', bytes: readFileSync(twentyGrays), mimeType: 'video/webm' }]);
  await page.getByRole('toolbar', { name: 'Video' }).waitFor();
  await expect.poll(() => figure(page, 'frame')).toBe('64 × 48');
  const heights = await page.evaluate(() => (globalThis as unknown as { heights: number[] }).heights);
  expect(heights.length, heights.join(', ')).toBeLessThanOrEqual(2); // that of the photographs, and that of the video
});
