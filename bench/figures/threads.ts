import { availableParallelism } from 'node:os';
import { median, type BenchTools, type Figure } from '../figure.ts';

const rounds = 3;
const runs = 40;
const model = './builtin/models/face-detector.onnx';

interface OfThreads {
  /** medians of the rounds */
  readonly runMs: number[];
  /** camera frames per second that the other page displayed */
  readonly shownPerSecond: number[];
}

export const figure: Figure = {
  title:
    'session.run with 1 … n threads beside a page that shows a 1280×720 camera, in turn; the built-in detector, WASM',
  async measure(tools) {
    const camera = await tools.openPage('frame-cost');
    await camera.evaluate(() =>
      (globalThis as unknown as { begin: { showCamera: () => Promise<void> } }).begin.showCamera(),
    );
    const shown = () => camera.evaluate(() => (globalThis as unknown as { measure: () => number }).measure());
    const counts = Array.from({ length: availableParallelism() }, (_, at) => at + 1);
    const measured = new Map<number, OfThreads>(counts.map((threads) => [threads, { runMs: [], shownPerSecond: [] }]));
    for (let round = 1; round <= rounds; round++) {
      for (const threads of round % 2 ? counts : counts.toReversed()) {
        tools.at(`in round ${round} with ${threads} thread(s)`);
        const [before, startMs] = [await shown(), performance.now()];
        measured.get(threads)!.runMs.push(median(await runOn(tools, threads)));
        const seconds = (performance.now() - startMs) / 1000;
        measured.get(threads)!.shownPerSecond.push(((await shown()) - before) / seconds);
      }
    }
    await camera.close();
    const alone = median(measured.get(1)!.runMs);
    return [...measured].flatMap(([threads, { runMs, shownPerSecond }]) => {
      const on = `${threads} thread${threads > 1 ? 's' : ''}`;
      return [
        { name: `a run, ${on}`, value: median(runMs), unit: 'ms' },
        { name: `over one thread, ${on}`, value: median(runMs) / alone, unit: '×' },
        { name: `frames of the camera shown meanwhile, ${on}`, value: median(shownPerSecond), unit: '/s' },
      ];
    });
  },
};

function runOn({ measureOnPage }: BenchTools, threads: number): Promise<number[]> {
  return measureOnPage<number[]>('native', model, threads, runs);
}
