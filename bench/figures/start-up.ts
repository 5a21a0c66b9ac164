import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright';
import { watchLoading } from '../load-timeline.ts';
import { median, type Figure } from '../figure.ts';

const rounds = 5;

/** Of a PerformanceResourceTiming, which Node has no type for. */
interface LoadedFile {
  readonly name: string;
  readonly initiatorType: string;
  readonly responseEnd: number;
}

export const figure: Figure = {
  title:
    'what a first visit loads before the first paint, and the first detection on a built-in frame after a warm start',
  async measure({ openApp, root, note, at }) {
    const page = await openApp();
    await firstDetection(page); // fills the caches, registers the service worker
    const paths = await loadedBeforePaint(page);
    const files = await Promise.all(paths.map((path) => readFile(`${root}dist/${path}`)));
    const gzipKb = files.reduce((sum, bytes) => sum + gzipSync(bytes, { level: 9 }).length, 0) / 1024;
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) {
      at(`in round ${round + 1} of ${rounds} warm starts`);
      const loading = watchLoading(page);
      const startMs = performance.now();
      await page.reload({ waitUntil: 'commit' });
      await firstDetection(page);
      times.push(performance.now() - startMs);
      const timeline = loading.end();
      if (round === rounds - 1) note(`before the first box of the last start, ms: ${timeline.join(', ')}`);
    }
    return [
      {
        name: `loaded before the first paint, gzip, ${files.length} files`,
        value: gzipKb,
        unit: 'KB',
        atMost: 150,
      },
      { name: 'first detection after a warm start', value: median(times) / 1000, unit: 's', atMost: 2 },
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

/** The detector's boxes stand in a table. */
async function firstDetection(page: Page): Promise<void> {
  await page.locator('table tbody tr').first().waitFor({ timeout: 60_000 });
}
