import type { Page } from 'playwright';
import { median, medianRatio, type Figure } from '../figure.ts';

const [imagesEach, rounds] = [334, 3];
const [imageCount, boxesAnImage, labelCount] = [5000, 100, 80];

interface Runs {
  readonly threads: number;
  /** ms, by round */
  readonly bares: readonly number[];
  readonly runs: readonly number[];
}

export const figure: Figure = {
  title: `evaluation of ${imagesEach * rounds} images over bare session.run of as many, in turn, built-in detector, WASM; the page with ${imageCount} images × ${boxesAnImage} boxes × ${labelCount} labels`,
  limitMinutes: 20,
  async measure({ openPage, openWatchedPage, note, at }) {
    const { page: filling, memoryInUse } = await openWatchedPage('evaluation-run');
    const held: number[] = [];
    for (const count of [2500, 10_000]) {
      at(`at ${count} images in memory`);
      await renew(filling);
      await call(filling, 'openCrowded', count, 10, labelCount);
      const { heapBytes, bufferBytes } = await memoryInUse();
      held.push((heapBytes + bufferBytes) / 2 ** 20);
    }
    await filling.close();
    const page = await openPage('evaluation-run');
    at('at the runs');
    const { threads, bares, runs } = await call<Runs>(
      page,
      'measure',
      './builtin/models/face-detector.onnx',
      rounds,
      imagesEach,
    );
    const ratios = runs.map((ms, round) => (ms / bares[round]!).toFixed(3));
    note(`${threads} thread(s); ratios of the rounds: ${ratios.join(', ')}`);
    await renew(page);
    at('at the report');
    await call(page, 'openCrowded', 1000, boxesAnImage, labelCount);
    const reportMs = await call<number>(page, 'makeReport');
    await renew(page);
    at('at the large set');
    const countMs = await call<number>(page, 'openCrowded', imageCount, boxesAnImage, labelCount);
    await page.getByRole('slider', { name: /^Threshold of/ }).waitFor();
    const dragsMs = await call<readonly number[]>(page, 'dragLine', 60);
    return [
      { name: 'session.run alone, an image', value: median(bares) / imagesEach, unit: 'ms' },
      { name: 'evaluation, an image', value: median(runs) / imagesEach, unit: 'ms' },
      { name: 'evaluation over session.run', value: medianRatio(runs, bares), unit: '×', atMost: 1.05 },
      { name: 'one count of the large set, in the worker', value: countMs / 1000, unit: 's', atMost: 10 },
      { name: 'the line dragged over the large set, page painted', value: median(dragsMs), unit: 'ms', atMost: 16 },
      { name: 'slowest of those drags', value: Math.max(...dragsMs), unit: 'ms' },
      { name: `report of 1,000 images × ${boxesAnImage} boxes`, value: reportMs / 1000, unit: 's', atMost: 3 },
      { name: 'heap and buffers with 2,500 images × 10 boxes', value: held[0]!, unit: 'MB' },
      { name: 'with 10,000', value: held[1]!, unit: 'MB' },
      { name: 'an image more', value: (1024 * (held[1]! - held[0]!)) / 7500, unit: 'KB' },
    ];
  },
};

/** Loads a page again, so that its memory is empty. */
async function renew(page: Page): Promise<void> {
  await page.reload();
  await page.waitForFunction(() => 'measure' in globalThis);
}

/** Calls a global function of the page. */
function call<T>(page: Page, name: string, ...given: readonly unknown[]): Promise<T> {
  return page.evaluate(
    ([of, args]) => (globalThis as unknown as Record<string, (...all: readonly unknown[]) => Promise<T>>)[of]!(...args),
    [name, given] as const,
  );
}
