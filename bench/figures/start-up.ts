import type { Page } from 'playwright';
import { cpuTimes, cpuUsed } from '../cpu-time.ts';
import { firstPaintOf } from '../../scripts/first-paint.ts';
import { watchLoading } from '../load-timeline.ts';
import { median, medianRatio, type Figure } from '../figure.ts';

/** The selector of a row in the table of detections. */
const boxRow = 'table tbody tr';
const rounds = 7;
/** Number of visits before measuring: browsers cache the compiled code of a script after a few visits. */
const unmeasured = 3;
const limit = { timeout: 120_000 };

declare global {
  /** a global of the app's page */
  var crossOriginIsolated: boolean | undefined;
  /** a global of the script `watch-start` */
  var keepsTheRuntime: (() => Promise<boolean>) | undefined;
}

interface Start {
  /** from the visit until the first box is in the table */
  readonly ms: number;
  /** CPU time of all processes until then */
  readonly cpuMs: number;
  readonly timeline: readonly string[];
}

export const figure: Figure = {
  title:
    'what the first paint needs, and the first detection on a built-in frame after a warm start, in turn with a bare page and with the app of a plain host',
  async measure({ openApp, openAppOfPlainHost, openPage, pageScript, root, note, at }) {
    const firstPaint = await firstPaintOf(`${root}dist`);
    const watch = await pageScript('watch-start');
    const app = await openApp();
    const ofPlainHost = await openAppOfPlainHost();
    for (const page of [app, ofPlainHost]) {
      at('waiting until the service worker has kept what the app needs');
      // on a host without isolation headers, the page reloads once to become isolated by its service worker
      await page.waitForFunction(() => globalThis.crossOriginIsolated, null, limit);
      await page.locator(boxRow).first().waitFor(limit);
      await page.evaluate(watch);
      await page.waitForFunction(() => globalThis.keepsTheRuntime?.(), null, limit);
    }
    const pages = { app, bare: await openPage('start-up'), ofPlainHost };
    const boxes = await Promise.all(Object.values(pages).map((page) => page.locator(boxRow).count()));
    if (new Set(boxes).size > 1) throw new Error(`The pages show ${boxes.join(', ')} boxes.`);
    for (const page of Object.values(pages)) await page.addInitScript({ content: watch });
    const starts = { app: [] as Start[], bare: [] as Start[], ofPlainHost: [] as Start[] };
    for (let round = -unmeasured; round < rounds; round++) {
      for (const name of ['app', 'bare', 'ofPlainHost'] as const) {
        at(`in round ${round} of ${rounds} warm starts of the ${name} page`);
        const start = await warmStart(pages[name]);
        if (round >= 0) starts[name].push(start);
      }
    }
    for (const [name, all] of Object.entries(starts)) {
      const middle = all.toSorted((a, b) => a.ms - b.ms)[all.length >> 1]!;
      note(`the ${name} page until its first box at ${middle.ms.toFixed(0)} ms: ${middle.timeline.join(', ')}`);
    }
    const times = (name: keyof typeof starts, field: 'ms' | 'cpuMs') => starts[name].map((start) => start[field]);
    return [
      {
        name: `needed for the first paint, gzip, ${firstPaint.paths.length} files`,
        value: firstPaint.gzipBytes / 1024,
        unit: 'KB',
        atMost: 130,
      },
      { name: 'first detection after a warm start', value: median(times('app', 'ms')) / 1000, unit: 's' },
      { name: 'the same on a bare page', value: median(times('bare', 'ms')) / 1000, unit: 's' },
      {
        name: 'over the bare page',
        value: medianRatio(times('app', 'ms'), times('bare', 'ms')),
        unit: '×',
        atMost: 1.25,
      },
      {
        name: 'processor time until then, all processes, over the bare page',
        value: medianRatio(times('app', 'cpuMs'), times('bare', 'cpuMs')),
        unit: '×',
      },
      {
        name: 'processor time of the app of a plain host over one that isolates',
        value: medianRatio(times('ofPlainHost', 'cpuMs'), times('app', 'cpuMs')),
        unit: '×',
        atMost: 1.2,
      },
    ];
  },
};

/** Visits the page again, coming from another page, as a person does. */
async function warmStart(page: Page): Promise<Start> {
  const url = page.url();
  const browser = page.context().browser()!;
  await page.goto('about:blank');
  const before = await cpuTimes(browser);
  const loading = watchLoading(page);
  await page.goto(url, { waitUntil: 'commit' });
  await page.locator(boxRow).first().waitFor({ timeout: 60_000 });
  const cpuMs = cpuUsed(before, await cpuTimes(browser)).reduce((sum, { ms }) => sum + ms, 0);
  const ms = await page.evaluate(() => performance.getEntriesByName('first box')[0]!.startTime);
  return { ms, cpuMs, timeline: loading.end() };
}
