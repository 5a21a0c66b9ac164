import type { Page } from 'playwright';
import { cpuTimes, cpuUsed } from '../cpu-time.ts';
import { median, medianRatio, type Figure } from '../figure.ts';

const rounds = 3;
const movesEach = 40;

interface Outcome {
  readonly inferences: number;
  readonly boxesInMemory: number;
  readonly changed: boolean;
}

export const figure: Figure = {
  title:
    'threshold change with 2,000 frames × 300 raw boxes in memory, until the page has repainted, in turn with a bare page',
  async measure({ openPage, note, at }) {
    const pages = { app: await openPage('thresholds'), bare: await openPage('thresholds') };
    for (const [place, page] of Object.entries(pages)) {
      at(`at filling the ${place} page`);
      await page.bringToFront(); // what is not seen paints nothing
      await call(page, 'measure', place, 2000, 300);
    }
    const times: Record<'app' | 'bare' | 'labels', number[][]> = { app: [], bare: [], labels: [] };
    const cpuMs: Record<keyof typeof times, number[]> = { app: [], bare: [], labels: [] };
    const inTurn = async (name: keyof typeof times, page: Page, move: string): Promise<void> => {
      at(`at moves of "${name}"`);
      await page.bringToFront();
      const browser = page.context().browser()!;
      const before = await cpuTimes(browser);
      times[name].push(await call(page, `opened.${move}`, movesEach));
      const used = cpuUsed(before, await cpuTimes(browser)).reduce((sum, { ms }) => sum + ms, 0);
      cpuMs[name].push(used / movesEach);
    };
    for (let round = 0; round < rounds; round++) {
      await inTurn('app', pages.app, 'moveDefault');
      await inTurn('bare', pages.bare, 'moveDefault');
    }
    await pages.app.bringToFront();
    const { inferences, boxesInMemory, changed } = await call<Outcome>(pages.app, 'opened.outcome');
    if (!changed) throw new Error('Moving the threshold changed nothing on the stage.');
    for (let round = 0; round < rounds; round++) await inTurn('labels', pages.app, 'moveLabel');
    const all = times.app.flat();
    const [app, bare, labels] = [times.app, times.bare, times.labels].map((each) => each.map(median));
    note(
      `${boxesInMemory.toLocaleString('en')} boxes in memory; rounds: ${app!.map((ms) => ms.toFixed(1)).join(', ')} ms`,
    );
    return [
      { name: 'threshold moved, page painted', value: median(all), unit: 'ms', atMost: 16 },
      { name: 'a bare page that filters the same and draws the same', value: median(bare!), unit: 'ms' },
      { name: 'over the bare page', value: medianRatio(app!, bare!), unit: '×', atMost: 1.5 },
      { name: `slowest of ${all.length} over the median`, value: Math.max(...all) / median(all), unit: '×', atMost: 3 },
      {
        name: "a label's threshold with 80 of them listed, over the bare page",
        value: medianRatio(labels!, bare!),
        unit: '×',
      },
      {
        name: 'processor time of a move, all processes, over the bare page',
        value: medianRatio(cpuMs.app, cpuMs.bare),
        unit: '×',
      },
      {
        name: "processor time of a label's move, over the bare page",
        value: medianRatio(cpuMs.labels, cpuMs.bare),
        unit: '×',
      },
      { name: 'inferences', value: inferences, unit: '', atMost: 0 },
    ];
  },
};

/** Calls a global of the page, by its path. */
function call<T>(page: Page, path: string, ...given: readonly unknown[]): Promise<T> {
  return page.evaluate(
    ([names, args]) => {
      const [last, ...holders] = names.toReversed();
      const holder = holders.reduceRight((at, name) => at[name] as never, globalThis as Record<string, unknown>);
      return (holder[last!] as (...args: readonly unknown[]) => Promise<T>)(...args);
    },
    [path.split('.'), given] as const,
  );
}
