import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright';
import { cpuTimes, cpuUsed } from '../cpu-time.ts';
import { watchLoading } from '../load-timeline.ts';
import { median, medianRatio, type Figure } from '../figure.ts';

/** The detector's boxes stand in a table. */
const boxRow = 'table tbody tr';
const rounds = 7;
/** Browsers keep what they compiled of a script after they have seen it a few times. */
const unmeasured = 3;

/** Of a PerformanceResourceTiming, which Node has no type for. */
interface LoadedFile {
  readonly name: string;
  readonly initiatorType: string;
  readonly responseEnd: number;
}

interface Start {
  /** from the visit until the first box stands in a table */
  readonly ms: number;
  /** until then, of all processes */
  readonly cpuMs: number;
  readonly timeline: readonly string[];
}

export const figure: Figure = {
  title:
    'what a first visit loads before the first paint, and the first detection on a built-in frame after a warm start, in turn with a bare page',
  async measure({ openApp, openPage, pageScript, root, note, at }) {
    const app = await openApp();
    await app.locator(boxRow).first().waitFor({ timeout: 60_000 });
    const paths = await loadedBeforePaint(app);
    const files = await Promise.all(paths.map((path) => readFile(`${root}dist/${path}`)));
    const gzipKb = files.reduce((sum, bytes) => sum + gzipSync(bytes, { level: 9 }).length, 0) / 1024;
    at('waiting until the service worker has kept what the app needs');
    const watch = await pageScript('watch-start');
    await app.evaluate(watch);
    await app.waitForFunction('keepsTheRuntime()', null, { timeout: 120_000 });
    const pages = { app, bare: await openPage('start-up') };
    const boxes = await Promise.all(Object.values(pages).map((page) => page.locator(boxRow).count()));
    if (boxes[0] !== boxes[1]) throw new Error(`The app shows ${boxes[0]} boxes, the bare page ${boxes[1]}.`);
    for (const page of Object.values(pages)) await page.addInitScript({ content: watch });
    const starts = { app: [] as Start[], bare: [] as Start[] };
    for (let round = -unmeasured; round < rounds; round++) {
      for (const name of ['app', 'bare'] as const) {
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
        name: `loaded before the first paint, gzip, ${files.length} files`,
        value: gzipKb,
        unit: 'KB',
        atMost: 150,
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
    ];
  },
};

/**
 * Paths in dist of the document and of the scripts and styles that were there when the page first painted. No paint waits for workers and
 * what is fetched, which a busy machine may have by then.
 */
function loadedBeforePaint(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const [paint] = performance.getEntriesByName('first-contentful-paint');
    if (!paint) throw new Error('The page has painted nothing.');
    const loaded = performance.getEntriesByType('resource') as unknown as LoadedFile[];
    const paths = loaded
      .filter((file) => ['script', 'link'].includes(file.initiatorType) && file.responseEnd <= paint.startTime)
      .map(({ name }) => new URL(name).pathname.slice(1));
    return ['index.html', ...new Set(paths)];
  });
}

/** Visits the page again, from elsewhere, as a person does. */
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
