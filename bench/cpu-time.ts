import { readdir, readFile } from 'node:fs/promises';
import type { Browser } from 'playwright';

/** CPU time of a browser's threads so far in ms, by process type, thread name and thread id: "renderer/Compositor 17". */
export type CpuTimes = ReadonlyMap<string, number>;

/** CPU time of every thread of a browser, from Linux's statistics. Waiting for a processor is not counted. */
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

/** CPU time of one process so far, in ms. */
export async function processCpuMs(pid: number): Promise<number> {
  return [...(await threadTimes(pid)).values()].reduce((sum, ms) => sum + ms, 0);
}

/** CPU time of the main thread of a process so far, in ms: in Node the thread that serves. */
export async function mainThreadCpuMs(pid: number): Promise<number> {
  return Number((await readFile(`/proc/${pid}/task/${pid}/schedstat`, 'utf8')).split(' ', 1)[0]) / 1e6;
}

/** CPU time of a process and of the processes that it started so far, in ms. */
export async function familyCpuMs(pid: number): Promise<number> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => ''); // it has ended
  const own = [
    processCpuMs(pid),
    ...children
      .split(' ')
      .filter(Boolean)
      .map((child) => familyCpuMs(Number(child))),
  ];
  return (await Promise.all(own)).reduce((sum, ms) => sum + ms, 0);
}

/** CPU time in ms, by thread name and thread id */
async function threadTimes(pid: number): Promise<CpuTimes> {
  const times = new Map<string, number>();
  for (const thread of await readdir(`/proc/${pid}/task`).catch(() => [])) {
    const read = (name: string) => readFile(`/proc/${pid}/task/${thread}/${name}`, 'utf8').catch(() => ''); // the thread has ended
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

/** The CPU time of each thread between two measurements, largest first. */
export function cpuUsed(before: CpuTimes, after: CpuTimes): readonly CpuUse[] {
  return [...after]
    .map(([key, ms]) => ({ thread: key.replace(/ \d+$/, ''), ms: ms - (before.get(key) ?? 0) }))
    .toSorted((a, b) => b.ms - a.ms);
}
