import type { Page } from 'playwright';
import { build } from 'vite';
import type { Figure } from '../figure.ts';

const imageCount = 100_000;

export const figure: Figure = {
  title: `scrolling through ${imageCount.toLocaleString('en')} stored images`,
  async measure({ openApp, root, note }) {
    const page = await openApp('#/data/settings');
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('heading', { name: 'Storage' }).waitFor();
    await page.evaluate(await fillScript(root));
    await page.evaluate(
      (count) => (globalThis as unknown as { fillImages: (count: number) => Promise<void> }).fillImages(count),
      imageCount,
    );
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
      const { longestMs, medianMs, longTasks } = await scroll(page, pxPerFrame);
      note(`${name}: median frame ${medianMs.toFixed(1)} ms, ${longTasks} tasks of the page over 50 ms`);
      measurements.push({ name: `longest frame, ${name}`, value: longestMs, unit: 'ms', atMost: 50 });
    }
    return measurements;
  },
};

/** What fills the store, as a script for the app's own page: only there is the app's storage. */
async function fillScript(root: string): Promise<string> {
  const lib = { entry: `${root}bench/pages/stored-images.ts`, formats: ['iife' as const], name: 'ignored' };
  const built = await build({ configFile: false, publicDir: false, logLevel: 'silent', build: { write: false, lib } });
  return (built as unknown as { output: { code: string }[] }[])[0]!.output[0]!.code;
}

/** Scrolls for five seconds, frame by frame, there and back at the ends. */
function scroll(page: Page, pxPerFrame: number): Promise<{ longestMs: number; medianMs: number; longTasks: number }> {
  return page.evaluate(async (step) => {
    const view = document.querySelector<HTMLElement>('[role=listbox]')!;
    view.scrollTop = 0;
    await new Promise((resolve) => setTimeout(resolve, 1000));
    let longTasks = 0;
    const observer = new PerformanceObserver((list) => (longTasks += list.getEntries().length));
    observer.observe({ type: 'longtask' });
    const frames: number[] = [];
    let direction = 1;
    let before = await new Promise<number>(requestAnimationFrame);
    const endMs = before + 5_000;
    while (before < endMs) {
      view.scrollTop += step * direction;
      const bottom = view.scrollHeight - view.clientHeight;
      if (view.scrollTop <= 0) direction = 1;
      else if (view.scrollTop >= bottom) direction = -1;
      const now = await new Promise<number>(requestAnimationFrame);
      frames.push(now - before);
      before = now;
    }
    observer.disconnect();
    frames.sort((a, b) => a - b);
    return { longestMs: frames.at(-1)!, medianMs: frames[frames.length >> 1]!, longTasks };
  }, pxPerFrame);
}
