import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright';
import { median, type Figure } from '../figure.ts';

const rounds = 5;

export const figure: Figure = {
  title: 'JavaScript before the first paint, and the first detection on a built-in frame after a warm start',
  async measure({ openApp, root }) {
    const page = await openApp();
    await firstDetection(page); // fills the caches, registers the service worker
    const scripts = await scriptsBeforePaint(root);
    const gzipKb = scripts.reduce((sum, bytes) => sum + gzipSync(bytes, { level: 9 }).length, 0) / 1024;
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const startMs = performance.now();
      await page.reload({ waitUntil: 'commit' });
      await firstDetection(page);
      times.push(performance.now() - startMs);
    }
    return [
      {
        name: `JavaScript before the first paint, gzip, ${scripts.length} files`,
        value: gzipKb,
        unit: 'KB',
        atMost: 150,
      },
      { name: 'first detection after a warm start', value: median(times) / 1000, unit: 's', atMost: 2 },
    ];
  },
};

/** What index.html loads or preloads: everything that the first paint waits for. */
async function scriptsBeforePaint(root: string): Promise<Buffer[]> {
  const html = await readFile(`${root}dist/index.html`, 'utf8');
  const paths = [...html.matchAll(/<(?:script|link)[^>]+(?:src|href)="\.?\/?([^"]+\.js)"/g)].map((match) => match[1]!);
  return Promise.all([...new Set(paths)].map((path) => readFile(`${root}dist/${path}`)));
}

/** The detector's boxes stand in a table. */
async function firstDetection(page: Page): Promise<void> {
  await page.locator('table tbody tr').first().waitFor({ timeout: 60_000 });
}
