import type { Page } from 'playwright';
import { cpuTimes, cpuUsed, type CpuUse } from '../cpu-time.ts';
import { median, medianRatio, type Figure } from '../figure.ts';

const rounds = 9;
const seconds = 4;
const settleMs = 1000;
const modes = ['off', 'on', 'open'] as const;
type Mode = (typeof modes)[number];

/** The globals of bench/pages/profile.ts. */
interface ProfilePage {
  begin(modelPath: string): Promise<void>;
  take(mode: Mode): void;
  ownCost(frames: number): number;
  lookCost(looks: number): number;
}

export const figure: Figure = {
  title:
    'processor time of one camera frame in the whole app, all processes, without a profile, with it, and with it open',
  limitMinutes: 5,
  async measure({ openPage, note }) {
    const page = await openPage('profile');
    await ask(page, 'begin', './builtin/models/face-detector.onnx');
    await page.waitForTimeout(3000);
    const costs: Record<Mode, number[]> = { off: [], on: [], open: [] };
    const pageCosts: Record<Mode, number[]> = { off: [], on: [], open: [] };
    for (let round = 0; round < rounds; round++) {
      for (const mode of round % 2 ? modes.toReversed() : modes) {
        await ask(page, 'take', mode);
        await page.waitForTimeout(settleMs);
        const { all, onPage } = await costOfFrame(page);
        costs[mode].push(all);
        pageCosts[mode].push(onPage);
      }
    }
    const ownUs = await ask(page, 'ownCost', 300_000);
    const lookUs = await ask(page, 'lookCost', 1000);
    await page.close();
    const perFrame = (of: Record<Mode, readonly number[]>): string =>
      modes.map((mode) => `${mode} ${of[mode].map((ms) => ms.toFixed(1)).join(' ')}`).join('; ');
    note(`ms a frame, round by round: ${perFrame(costs)}`);
    note(`of these the page's own thread: ${perFrame(pageCosts)}`);
    const frameMs = median(costs.off);
    const moreOnPage = (mode: Mode): number =>
      100 * median(pageCosts[mode].map((ms, round) => (ms - pageCosts.off[round]!) / costs.off[round]!));
    return [
      { name: 'a frame, all processes, no profile', value: frameMs, unit: 'ms' },
      { name: 'with a profile over without, in turn', value: medianRatio(costs.on, costs.off), unit: '×' },
      { name: 'with the dialog open over without, in turn', value: medianRatio(costs.open, costs.off), unit: '×' },
      { name: "more on the page's thread with a profile, of a frame", value: moreOnPage('on'), unit: '%', atMost: 1 },
      {
        name: "more on the page's thread with the dialog open, of a frame",
        value: moreOnPage('open'),
        unit: '%',
        atMost: 1,
      },
      { name: "the profile's own work on a frame", value: ownUs, unit: 'µs' },
      { name: 'that of a frame', value: ownUs / 10 / frameMs, unit: '%', atMost: 1 },
      { name: 'a look at the statistics, once a second while it is open', value: lookUs, unit: 'µs' },
      { name: 'that of a second', value: lookUs / 10_000, unit: '%', atMost: 1 },
    ];
  },
};

/** CPU time in ms for a frame: of all processes of the browser, and of the page's main thread, the busiest besides workers. */
async function costOfFrame(page: Page): Promise<{ readonly all: number; readonly onPage: number }> {
  const browser = page.context().browser()!;
  const [before, finishedBefore] = [await cpuTimes(browser), await finished(page)];
  await page.waitForTimeout(1000 * seconds);
  const [after, finishedAfter] = [await cpuTimes(browser), await finished(page)];
  const frames = finishedAfter - finishedBefore;
  if (frames === 0) throw new Error('No frame came back.');
  const threads = cpuUsed(before, after);
  const sum = (of: readonly CpuUse[]): number => of.reduce((total, { ms }) => total + ms, 0) / frames;
  const main = threads.filter(({ thread }) => thread.startsWith('renderer/') && !thread.endsWith('Worker'));
  return { all: sum(threads), onPage: sum(main.slice(0, 1)) };
}

const finished = (page: Page): Promise<number> =>
  page.evaluate(() => (globalThis as unknown as { measure: () => number }).measure());

function ask<Name extends keyof ProfilePage>(
  page: Page,
  name: Name,
  given: Parameters<ProfilePage[Name]>[0],
): Promise<Awaited<ReturnType<ProfilePage[Name]>>> {
  return page.evaluate(
    ([operation, argument]) => {
      const { profile } = globalThis as unknown as { profile: Record<string, (one: unknown) => unknown> };
      return profile[operation]!(argument);
    },
    [name, given] as const,
  ) as Promise<Awaited<ReturnType<ProfilePage[Name]>>>;
}
