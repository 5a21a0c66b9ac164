import { readdir, readFile } from 'node:fs/promises';
import type { Browser } from 'playwright';

/** Processor time of a browser's threads so far, ms, by the kind of process, the thread's name and its number: "renderer/Compositor 17". */
export type CpuTimes = ReadonlyMap<string, number>;

/** Processor time of every process of a browser, as Linux counts it: what waits for a processor costs nothing. */
export async function cpuTimes(browser: Browser): Promise<CpuTimes> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const times = new Map<string, number>();
  for (const { type, id } of processInfo) {
    for (const [thread, ms] of await threadTimes(id)) times.set(`${type}/${thread}`, ms);
  }
  return times;
}

/** Processor time of one process so far, ms. */
export async function processCpuMs(pid: number): Promise<number> {
  return [...(await threadTimes(pid)).values()].reduce((sum, ms) => sum + ms, 0);
}

/** ms by the thread's name and its number */
async function threadTimes(pid: number): Promise<CpuTimes> {
  const times = new Map<string, number>();
  for (const thread of await readdir(`/proc/${pid}/task`).catch(() => [])) {
    const read = (name: string) => readFile(`/proc/${pid}/task/${thread}/${name}`, 'utf8').catch(() => ''); // ended by now
    const [name, schedule] = await Promise.all([read('comm'), read('schedstat')]);
    times.set(`${name.trim()} ${thread}`, Number(schedule.split(' ', 1)[0]) / 1e6);
  }
  return times;
}

export interface CpuUse {
  /** "renderer/Compositor" */
  readonly thread: string;
  readonly ms: number;
}

/** What each thread used between two looks, the most first. */
export function cpuUsed(before: CpuTimes, after: CpuTimes): readonly CpuUse[] {
  return [...after]
    .map(([key, ms]) => ({ thread: key.replace(/ \d+$/, ''), ms: ms - (before.get(key) ?? 0) }))
    .toSorted((a, b) => b.ms - a.ms);
}
