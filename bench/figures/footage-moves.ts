import type { Page } from 'playwright';
import { median, medianRatio, type Figure } from '../figure.ts';
import { watchMainThread } from '../main-thread.ts';

const rounds = 3;
/** ten hours at ten frames a second */
const frameCount = 360_000;
const thresholds = [0.3, 0.75, 0.45, 0.6, 0.35];

export const figure: Figure = {
  title: `a threshold moved over ten hours of a whole run (${frameCount.toLocaleString('en')} frames, about 6 boxes each), until its numbers are painted, in turn with a bare page`,
  async measure({ openPage, note, at }) {
    const [app, bare] = [await openPage('footage-moves'), await openPage('footage-moves')];
    at('at storing the results');
    await app.bringToFront(); // a hidden page does not paint
    const openedMs = await call<number>(app, 'measure', frameCount);
    await bare.bringToFront();
    await call(bare, 'openBare', frameCount);
    const times = { app: [] as number[], bare: [] as number[], label: [] as number[] };
    const watch = await watchMainThread(app);
    for (let round = 0; round < rounds; round++) {
      at(`in round ${round + 1}`);
      const ours = await moves(app, 'moveDefault', round);
      const others = await moves(bare, 'moveDefault', round);
      if (ours.kept !== others.kept) throw new Error(`The bare page keeps ${others.kept} boxes, the app ${ours.kept}.`);
      times.app.push(ours.ms);
      times.bare.push(others.ms);
    }
    for (let round = 0; round < rounds; round++) times.label.push((await moves(app, 'moveLabel', round)).ms);
    const { longestCpuMs } = await watch.end();
    note(`the results read from the disk and shown first: ${(openedMs / 1000).toFixed(1)} s`);
    note(`rounds, median: app ${text(times.app)}; bare ${text(times.bare)}; a label's ${text(times.label)} ms`);
    return [
      { name: 'threshold moved, numbers painted', value: median(times.app), unit: 'ms', atMost: 100 },
      { name: 'a bare page that filters, counts and draws the same', value: median(times.bare), unit: 'ms' },
      { name: 'a move over the bare page', value: medianRatio(times.app, times.bare), unit: '×', atMost: 1.2 },
      { name: "a label's threshold moved", value: median(times.label), unit: 'ms', atMost: 100 },
      { name: 'processor time of the longest task', value: longestCpuMs, unit: 'ms', atMost: 100 },
    ];
  },
};

/** One drag; each round at other thresholds. */
async function moves(page: Page, move: string, round: number): Promise<{ ms: number; kept: number }> {
  await page.bringToFront();
  const times: number[] = [];
  let kept = 0;
  for (const threshold of thresholds) {
    const one = await call<{ ms: number; kept: number }>(page, move, threshold + 0.01 * round);
    times.push(one.ms);
    kept = one.kept;
  }
  return { ms: median(times), kept };
}

const text = (values: readonly number[]): string => values.map((ms) => ms.toFixed(0)).join(', ');

/** Calls a global function of the page. */
function call<T>(page: Page, name: string, ...given: readonly unknown[]): Promise<T> {
  return page.evaluate(
    ([of, args]) => (globalThis as unknown as Record<string, (...all: readonly unknown[]) => Promise<T>>)[of]!(...args),
    [name, given] as const,
  );
}
