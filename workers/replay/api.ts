import { replay, type Replay, type ReplayOrder, type ReplaySide } from '../../src/replay/replay.ts';
import { replayReportText, type ReplayReportFormat, type ReplaySubject } from '../../src/replay/replay-report.ts';
import { ResultColumnsBuilder, type ResultColumns } from '../../src/replay/result-columns.ts';

export type ReplayApi = ReturnType<typeof createReplayApi>;

/** The page lists no more events of a configuration; the report has all. */
const mostListedEvents = 20_000;

/** Holds the stored results that are replayed, and filters them again. */
export function createReplayApi() {
  let columns: ResultColumnsBuilder | null = null;
  const held = (): ResultColumns => {
    if (!columns) throw new Error('No captures are read.');
    return columns.build();
  };

  return {
    /** Forgets what was held. */
    async begin(): Promise<void> {
      columns = new ResultColumnsBuilder();
    },

    /**
     * @returns how many frames are held
     * @throws Error when nothing has begun, as after the worker died; RangeError for a piece that does not fit
     */
    async append(piece: ResultColumns): Promise<number> {
      if (!columns) throw new Error('No captures are read.');
      columns.append(piece);
      return columns.frameCount;
    },

    /** @throws Error when nothing is held; RangeError for an order that cannot be met */
    async replay(order: ReplayOrder): Promise<Replay> {
      const all = replay(held(), order);
      return { ...all, side: listed(all.side), other: all.other && listed(all.other) };
    },

    /** @returns the text of the report's file */
    async report(order: ReplayOrder, subject: ReplaySubject, format: ReplayReportFormat): Promise<string> {
      return replayReportText(subject, replay(held(), order), format);
    },
  };
}

const listed = (side: ReplaySide): ReplaySide => ({ ...side, events: side.events.slice(0, mostListedEvents) });
