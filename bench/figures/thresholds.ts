import type { Page } from 'playwright';
import { cpuTimes, cpuUsed } from '../cpu-time.ts';
import { median, medianRatio, type Figure, type Measurement } from '../figure.ts';

const rounds = 3;
const movesEach = 40;
/** What a move may cost at most, in moves of the bare page. */
const overBare = 1.2;

interface Outcome {
  readonly inferences: number;
  readonly boxesInMemory: number;
  readonly changed: boolean;
}

const frames = 2000;
const boxesEach = 300;
const labels = 80;

type Side = 'app' | 'bare' | 'labels';

export const figure: Figure = {
  title:
    'threshold change with 2,000 frames × 300 raw boxes in memory, until the page has repainted, in turn with a bare page: the same arrays, the same stage',
  async measure({ openPage, note, at }) {
    const [app, bare] = [await openPage('thresholds'), await openPage('thresholds')];
    at('at filling the app');
    await app.bringToFront(); // a hidden page does not paint
    await call(app, 'measure', frames, boxesEach);
    const stage = await app.evaluate(() => (globalThis as unknown as { opened: { stage: unknown } }).opened.stage);
    at('at filling the bare page');
    await bare.bringToFront();
    await call(bare, 'measure', frames, boxesEach, stage);
    const times: Record<Side, number[][]> = { app: [], bare: [], labels: [] };
    const cpuMs: Record<Side, number[]> = { app: [], bare: [], labels: [] };
    const inTurn = async (side: Side, page: Page, move: string): Promise<void> => {
      at(`at moves of "${side}"`);
      await page.bringToFront();
      await call(page, 'rest', 500); // a page that becomes visible first repaints completely
      const browser = page.context().browser()!;
      const before = await cpuTimes(browser);
      times[side].push(await call(page, `opened.${move}`, movesEach));
      const used = cpuUsed(before, await cpuTimes(browser)).reduce((sum, { ms }) => sum + ms, 0);
      cpuMs[side].push(used / movesEach);
    };
    for (let round = 0; round < rounds; round++) {
      await inTurn('app', app, 'moveDefault');
      await inTurn('bare', bare, 'moveDefault');
    }
    await app.bringToFront();
    const { inferences, boxesInMemory, changed } = await call<Outcome>(app, 'opened.outcome');
    if (!changed) throw new Error('Moving the threshold changed nothing on the stage.');
    const beside = { times: times.bare, cpuMs: cpuMs.bare };
    [times.bare, cpuMs.bare] = [[], []];
    for (let round = 0; round < rounds; round++) {
      await inTurn('labels', app, 'moveLabel');
      await inTurn('bare', bare, 'moveDefault');
    }
    const text = (values: readonly number[]): string => values.map((ms) => ms.toFixed(1)).join(', ');
    const count = (of: number): string => of.toLocaleString('en');
    note(`${count(boxesInMemory)} boxes in memory; rounds of the app, median: ${text(times.app.map(median))} ms`);
    note(`processor time of a move, all processes: app ${text(cpuMs.app)}; bare ${text(beside.cpuMs)} ms`);
    note(`with ${labels} labels listed: app ${text(cpuMs.labels)}; bare ${text(cpuMs.bare)} ms`);
    return [
      { name: 'threshold moved, page painted', value: median(times.app.flat()), unit: 'ms', atMost: 16 },
      { name: 'a bare page that filters the same and draws the same', value: median(beside.times.flat()), unit: 'ms' },
      ...againstBare('a move', { times: times.app, cpuMs: cpuMs.app }, beside),
      { name: `a label's threshold with ${labels} listed`, value: median(times.labels.flat()), unit: 'ms', atMost: 16 },
      ...againstBare(
        "a label's move",
        { times: times.labels, cpuMs: cpuMs.labels },
        { times: times.bare, cpuMs: cpuMs.bare },
      ),
      { name: 'inferences', value: inferences, unit: '', atMost: 0 },
    ];
  },
};

/** Times in ms until the page has painted, and the CPU time in ms of a move, for each round. */
interface Moves {
  readonly times: readonly (readonly number[])[];
  readonly cpuMs: readonly number[];
}

function againstBare(name: string, moves: Moves, bare: Moves): readonly Measurement[] {
  return [
    {
      name: `${name}, processor time of all processes over the bare page`,
      value: medianRatio(moves.cpuMs, bare.cpuMs),
      unit: '×',
      atMost: overBare,
    },
    {
      name: `${name}, until painted, over the bare page`,
      value: medianRatio(moves.times.map(median), bare.times.map(median)),
      unit: '×',
      atMost: overBare,
    },
    { name: `${name}, slowest of ${rounds * movesEach}`, value: slowestMs(moves), unit: 'ms' },
    {
      name: '… over the slowest of the bare page',
      value: slowestMs(moves) / slowestMs(bare),
      unit: '×',
      atMost: overBare,
    },
  ];
}

const slowestMs = ({ times }: Moves): number => Math.max(...times.flat());

/** Calls a global function of the page, given by its path. */
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
