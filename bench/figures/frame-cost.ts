import type { Page } from 'playwright';
import { cpuTimes, cpuUsed, type CpuUse } from '../cpu-time.ts';
import { median, type BenchTools, type Figure } from '../figure.ts';

const rounds = 3;
const seconds = 8;
/** a page runs this long before it is measured, to compile code and fill pools */
const settleMs = 3000;

interface Cost {
  readonly framesPerSecond: number;
  /** CPU time of all processes of the browser, without the inference threads and the capture thread */
  readonly msPerSecond: number;
  /** CPU time of the inference threads, which are the busiest worker threads */
  readonly inferenceMsPerSecond: number;
  readonly threads: readonly CpuUse[];
}

export const figure: Figure = {
  title:
    'processor time of one 1280×720 camera frame in the whole app, all processes, beyond inference and the camera itself',
  limitMinutes: 10,
  async measure(tools) {
    const beyond: number[] = [];
    const framesASecond: number[] = [];
    const runs: number[] = [];
    const cameras: number[] = [];
    for (let round = 1; round <= rounds; round++) {
      const camera = await costOf(tools, `round ${round}: the camera alone`, 'showCamera', 0);
      const app = await costOf(tools, `round ${round}: the app`, 'runApp', 1);
      cameras.push(camera.msPerSecond / camera.framesPerSecond);
      framesASecond.push(app.framesPerSecond);
      runs.push(app.inferenceMsPerSecond / app.framesPerSecond);
      beyond.push(app.msPerSecond / app.framesPerSecond - camera.msPerSecond / camera.framesPerSecond);
      const perFrame = ({ thread, ms }: CpuUse) => `${thread} ${(ms / seconds / app.framesPerSecond).toFixed(1)}`;
      tools.note(`ms a frame: ${app.threads.slice(0, 9).map(perFrame).join(', ')}`);
    }
    tools.note(`beyond inference and camera: ${beyond.map((ms) => ms.toFixed(1)).join(', ')} ms a frame`);
    return [
      { name: 'a frame of the camera shown by a page', value: median(cameras), unit: 'ms' },
      { name: 'frames of the app', value: median(framesASecond), unit: '/s' },
      { name: 'the thread that infers, a frame', value: median(runs), unit: 'ms' },
      {
        name: 'all other threads of all processes, over the frame that is only shown',
        value: median(beyond),
        unit: 'ms',
        atMost: 5,
      },
    ];
  },
};

/** @param start a function of bench/pages/frame-cost.ts @param inferring number of inference threads that it uses */
async function costOf({ openPage, at }: BenchTools, place: string, start: string, inferring: number): Promise<Cost> {
  const page = await openPage('frame-cost');
  at(`in ${place}`);
  await page.evaluate(
    (name) => (globalThis as unknown as { begin: Record<string, () => Promise<void>> }).begin[name]!(),
    start,
  );
  await page.waitForTimeout(settleMs);
  const browser = page.context().browser()!;
  const [before, finishedBefore, startMs] = [await cpuTimes(browser), await finished(page), performance.now()];
  await page.waitForTimeout(1000 * seconds);
  const [after, finishedAfter, endMs] = [await cpuTimes(browser), await finished(page), performance.now()];
  await page.close();
  const frames = finishedAfter - finishedBefore;
  if (frames === 0) throw new Error(`Nothing came of ${place}.`);
  const threads = cpuUsed(before, after).filter(({ thread }) => !thread.startsWith('video_capture'));
  const elapsed = (endMs - startMs) / 1000;
  const workers = threads.filter(({ thread }) => thread.endsWith('DedicatedWorker')).slice(0, inferring);
  const sum = (of: readonly CpuUse[]) => of.reduce((total, { ms }) => total + ms, 0);
  return {
    framesPerSecond: frames / elapsed,
    msPerSecond: (sum(threads) - sum(workers)) / elapsed,
    inferenceMsPerSecond: sum(workers) / elapsed,
    threads,
  };
}

function finished(page: Page): Promise<number> {
  return page.evaluate(() => (globalThis as unknown as { measure: () => number }).measure());
}
