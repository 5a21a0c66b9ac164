import type { Page } from 'playwright';
import { dropOnBench } from '../../tests/e2e/dropped-files.ts';
import { fixedDetector } from '../../tests/models.ts';
import type { Figure, Measurement } from '../figure.ts';
import { watchMainThread } from '../main-thread.ts';

const boxRow = 'table tbody tr';
const labelCount = 80;
const numbers = Array.from({ length: labelCount }, (_, at) => at);

export const figure: Figure = {
  title: `the longest task of the page's thread, while it loads and while it takes a model with ${labelCount} labels`,
  async measure({ openApp }) {
    const page = await openApp();
    await page.locator(boxRow).first().waitFor();
    const load = await longestTask(page, 'a load', async () => {
      await page.reload();
      await page.locator(boxRow).first().waitFor();
    });
    const model = fixedDetector({
      boxes: numbers.map((at) => [0.1, at / 100, 0.5, 0.2 + at / 100]),
      categories: numbers,
      scores: numbers.map((at) => 0.99 - at / 200),
    });
    const drop = await longestTask(page, 'a dropped model', async () => {
      await dropOnBench(page, [{ name: 'dropped.onnx', bytes: model }]);
      await page.getByPlaceholder(`Find one of ${labelCount}`).waitFor();
    });
    return [load, drop];
  },
};

/** Wall time includes waiting for processors that other programs use, so the task's own processor time is bounded. */
async function longestTask(page: Page, of: string, act: () => Promise<void>): Promise<Measurement> {
  const watch = await watchMainThread(page);
  await act();
  await page.waitForTimeout(2000); // what is fetched after the first paint is part of it
  const { longestCpuMs } = await watch.end();
  return { name: `processor time of the longest task of ${of}`, value: longestCpuMs, unit: 'ms', atMost: 100 };
}
