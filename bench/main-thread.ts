import { cpus } from 'node:os';
import type { Page } from 'playwright';

export interface MainThreadWork {
  /** CPU time of the page's longest task, without waiting for a processor */
  readonly longestCpuMs: number;
  /** number of the page's tasks of more than 50 ms of CPU time */
  readonly longTasks: number;
  /** the page's fraction of the time of all processors, 0 … 1; `othersShare` is that of other programs */
  readonly ownShare: number;
  readonly othersShare: number;
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** duration in CPU time, µs */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** Watches the tasks of a page's main thread, and which programs use the processors meanwhile. */
export async function watchMainThread(page: Page): Promise<{ end(): Promise<MainThreadWork> }> {
  const browser = await page.context().browser()!.newBrowserCDPSession();
  const events: TraceEvent[] = [];
  browser.on('Tracing.dataCollected', ({ value }) => void events.push(...(value as unknown as TraceEvent[])));
  await browser.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['toplevel'] },
  });
  const ownSeconds = async (): Promise<number> => {
    const { processInfo } = await browser.send('SystemInfo.getProcessInfo');
    return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
  };
  const [startMs, ownBefore, busyBefore] = [performance.now(), await ownSeconds(), busySeconds()];
  return {
    async end() {
      const own = (await ownSeconds()) - ownBefore;
      const busy = busySeconds() - busyBefore;
      const all = (cpus().length * (performance.now() - startMs)) / 1000;
      const complete = new Promise<void>((resolve) => browser.once('Tracing.tracingComplete', () => resolve()));
      await browser.send('Tracing.end');
      await complete;
      await browser.detach();
      const tasksUs = tasksOfPage(events);
      return {
        longestCpuMs: tasksUs.reduce((longest, us) => Math.max(longest, us)) / 1000,
        longTasks: tasksUs.filter((us) => us > 50_000).length,
        ownShare: own / all,
        othersShare: Math.max(0, busy - own) / all,
      };
    },
  };
}

/** The tasks of the busiest page in µs; the browser may have hidden pages. */
function tasksOfPage(events: readonly TraceEvent[]): readonly number[] {
  const tasks = events
    .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
    .map((main) => events.flatMap(({ pid, tid, tdur }) => (pid === main.pid && tid === main.tid && tdur ? [tdur] : [])))
    .toSorted((a, b) => b.length - a.length)[0];
  if (!tasks?.length) throw new Error('The browser told no task of the page.');
  return tasks;
}

function busySeconds(): number {
  return cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0) / 1000;
}
