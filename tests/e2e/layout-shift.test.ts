import { readFileSync } from 'node:fs';
import { encode } from 'fast-png';
import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { useApp } from './app.ts';
import { fixedDetector } from '../models.ts';
import { expectDetections, expectFirstBoxes, figure, panel } from './bench-page.ts';
import { openDataClient, uploadBytes } from './data-client.ts';
import { dropOnBench } from './dropped-files.ts';
import { storeDataset } from './evaluated-faces.ts';
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

it('moves nothing under the pointer as it loads, as results come, as a model of eighty labels and as a video are dropped, and as results of many labels come', async () => {
  const { page } = await app.open({ prepare: (context) => context.addInitScript(noteShifts) });
  await expectFirstBoxes(page);
  await page.getByText('machine-ready').waitFor();
  expectStill(await shifted(page));

  const rows = Array.from({ length: 8 }, (_, at) => at);
  const model = fixedDetector({
    input: { dtype: 'uint8' },
    boxes: rows.map((at) => [at / 8, 0, (at + 1) / 8, 0.5]),
    categories: rows.map((at) => 10 * at),
    scores: rows.map((at) => 0.95 - at / 10),
  });
  const names = ['sofa', ...Array.from({ length: 79 }, (_, at) => `thing ${at + 1}`)].join('\n');
  await dropOnBench(page, [
    { name: 'eighty.onnx', bytes: model },
    { name: 'eighty.labels.txt', bytes: names },
  ]);
  await panel(page, 'Thresholds').getByPlaceholder('Find one of 80').waitFor();
  await expectDetections(page, 5);
  await panel(page, 'Model').getByText('What do the numbers mean?').waitFor();
  expectStill(await shifted(page));

  // A video gives the stage its size at once, and none in between.
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

  // Results of many labels come.
  await openDataClient(page);
  const ids: string[] = [];
  for (let at = 0; at < 24; at++) {
    const data = Uint8Array.from({ length: 3 * 64 * 64 }, (_, byte) => (byte * (at + 1)) & 255);
    ids.push(await uploadBytes(page, `${at}.png`, 'image/png', encode({ width: 64, height: 64, channels: 3, data })));
  }
  // Later images bring labels that the ones before lack, some of which the model does not have.
  await page.evaluate(async (all) => {
    for (const [at, binaryDataId] of all.entries()) {
      const labels = [`thing ${10 * (at % 8)}`, ...(at > 6 ? ['couch'] : []), ...(at > 12 ? [`odd ${at % 5}`] : [])];
      for (const [place, label] of labels.entries())
        await pageData.client.data.addBoundingBoxToImageByID({
          binaryDataId,
          label,
          xMinNormalized: place / 8,
          yMinNormalized: 0,
          xMaxNormalized: (place + 1) / 8,
          yMaxNormalized: 0.5,
        });
    }
  }, ids);
  await storeDataset(page, 'Things', ids);
  await page.goto(`${app.url}#/evaluate`);
  const run = page.getByRole('button', { name: 'Run', exact: true });
  await run.waitFor();
  await shifted(page);
  await run.click();
  await page.getByText('24 images run,').waitFor();
  await page.getByText('1 name differs only in wording').waitFor();
  expectStill(await shifted(page));

  // The table of labels has its last column, also beside the plots.
  const table = page.getByRole('region', { name: 'Labels', exact: true }).locator('div:has(> table)');
  for (const width of [1920, 1440, 1366, 1280, 1024]) {
    await page.setViewportSize({ width, height: 800 });
    await expect.poll(() => table.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
  }
});
