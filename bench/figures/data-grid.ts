import type { Figure } from '../figure.ts';
import { watchMainThread } from '../main-thread.ts';
import type { StoredImagesPage } from '../pages/stored-images-page.ts';

const imageCount = 100_000;

export const figure: Figure = {
  title: `scrolling through ${imageCount.toLocaleString('en')} stored images`,
  async measure({ openApp, pageScript, note }) {
    const page = await openApp('#/data/settings');
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('heading', { name: 'Storage' }).waitFor();
    await page.evaluate(await pageScript('stored-images'));
    await page.evaluate((count) => (globalThis as unknown as StoredImagesPage).fillImages(count), imageCount);
    const startMs = performance.now();
    await page.getByRole('link', { name: 'Images' }).click();
    await page.getByRole('option', { name: /^frame-99999/ }).waitFor();
    note(`first images ${(performance.now() - startMs).toFixed(0)} ms after the tab was opened`);
    await page.waitForTimeout(2000);
    const measurements = [];
    for (const [name, pxPerFrame] of Object.entries({
      'as one reads': 60,
      'a screen a frame': 800,
      'the bar dragged': 20_000,
    })) {
      const watch = await watchMainThread(page);
      const { longestMs, medianMs } = await page.evaluate(
        (step) => (globalThis as unknown as StoredImagesPage).scrollImages(step),
        pxPerFrame,
      );
      const { longestCpuMs, ownShare, othersShare } = await watch.end();
      const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;
      note(
        `${name}: median frame ${medianMs.toFixed(1)} ms; of all processors the browser used ${percent(ownShare)}, other programs ${percent(othersShare)}`,
      );
      measurements.push(
        { name: `longest frame, ${name}`, value: longestMs, unit: 'ms', atMost: 50 },
        // The duration of a frame includes waiting for processors that other programs use, so bound the page's CPU time.
        { name: `processor time of the longest task, ${name}`, value: longestCpuMs, unit: 'ms', atMost: 50 },
      );
    }
    return measurements;
  },
};
