import type { Page } from 'playwright';
import { openDataClient } from '../../tests/e2e/data-client.ts';
import type { Figure } from '../figure.ts';

const imageCount = 100_000;
const perUpload = 200;

export const figure: Figure = {
  title: `scrolling through ${imageCount.toLocaleString('en')} stored images`,
  async measure({ openApp, note }) {
    const page = await openApp('#/data/images');
    await page.setViewportSize({ width: 1440, height: 900 });
    await openDataClient(page);
    const startMs = Date.now();
    for (let first = 0; first < imageCount; first += 10_000) await seed(page, first, 10_000);
    note(`stored in ${((Date.now() - startMs) / 1000).toFixed(0)} s through the data service`);
    await page.reload();
    await page
      .getByRole('option', { name: /^frame-/ })
      .first()
      .waitFor();
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

/** Pictures of 320 × 240, of some colours in turn; many in a call, as a camera of several streams sends them. */
function seed(page: Page, first: number, count: number): Promise<void> {
  return page.evaluate(
    async ([from, wanted, at]) => {
      const { client, home } = pageData;
      const pictures = await Promise.all(
        Array.from({ length: 12 }, async (_, hue) => {
          const canvas = new OffscreenCanvas(320, 240);
          const drawn = canvas.getContext('2d')!;
          drawn.fillStyle = `hsl(${hue * 30} 50% 50%)`;
          drawn.fillRect(0, 0, 320, 240);
          return new Uint8Array(await (await canvas.convertToBlob({ type: 'image/png' })).arrayBuffer());
        }),
      );
      for (let start = from; start < from + wanted; start += at) {
        const metadata = {
          ...{ partId: home.partId, type: 1, fileExtension: '.png', componentName: 'cam' },
          ...{ componentType: 'rdk:component:camera', methodName: 'ReadImage', fileName: `frame-${start}.png` },
          tags: start % 3 === 0 ? ['dusk'] : [],
        };
        const sensorContents = Array.from({ length: at }, (_, i) => ({
          metadata: { timeRequested: { seconds: BigInt(1_700_000_000 + start + i), nanos: 0 } },
          data: { case: 'binary' as const, value: pictures[(start + i) % 12]! },
        }));
        await client.sync.dataCaptureUpload({ metadata, sensorContents });
      }
    },
    [first, count, perUpload] as const,
  );
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
