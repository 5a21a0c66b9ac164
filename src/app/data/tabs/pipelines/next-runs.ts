import { ConnectError } from '@connectrpc/connect';
import { Schedule, startDelay } from '../../../../data-service/face/pipelines.ts';

/** A future run. It reads the data of `[windowStart, windowEnd)`, and starts a little later so that late data is included. */
export interface NextRun {
  readonly windowStart: Date;
  readonly windowEnd: Date;
  readonly starts: Date;
}

export type SchedulePreview = { readonly runs: readonly NextRun[] } | { readonly refused: string };

const toDate = (micros: number): Date => new Date(micros / 1000);

/**
 * The next runs of a schedule (five cron fields, UTC), computed with the data service's own parser; or the reason why
 * the service refuses the schedule.
 */
export function nextRuns(schedule: string, now: Date, count: number): SchedulePreview {
  const nowMicros = now.getTime() * 1000;
  let read: Schedule;
  try {
    read = Schedule.parse(schedule, nowMicros);
  } catch (error) {
    return { refused: ConnectError.from(error).rawMessage };
  }
  const runs: NextRun[] = [];
  let window = read.windowOf(nowMicros);
  while (window && runs.length < count) {
    const { start, end } = window;
    runs.push({ windowStart: toDate(start), windowEnd: toDate(end), starts: toDate(end + startDelay) });
    window = read.windowAfter(window);
  }
  return { runs };
}
