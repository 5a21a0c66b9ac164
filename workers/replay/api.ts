import { transfer } from 'comlink';
import { mergeGaps } from '../../src/evidence/replay/gaps.ts';
import { replay, type Replay, type ReplayOrder } from '../../src/evidence/replay/replay.ts';
import {
  replayReportText,
  type ReplayReportFormat,
  type ReplaySubject,
} from '../../src/evidence/replay/replay-report.ts';
import { ResultColumnsBuilder, type ResultColumns } from '../../src/evidence/replay/result-columns.ts';

export type ReplayApi = ReturnType<typeof createReplayApi>;

/** The page lists no more events of a configuration; the report has all. */
const mostListedEvents = 20_000;
/** The page draws no more gaps: more than a timeline has pixels. */
const mostDrawnGaps = 4000;

/** Holds the stored results that are replayed, and filters them again. */
export function createReplayApi() {
  let held: { readonly reading: number; readonly columns: ResultColumnsBuilder } | null = null;
  // Counted from a time, so that a worker that is started again gives no number of the one that died.
  let lastReading = Date.now();
  const heldOf = (reading: number): ResultColumnsBuilder => {
    if (!held) throw new Error('No captures are held. Read the captures again.');
    if (held.reading !== reading) throw new Error('Other captures were read meanwhile. Read the captures again.');
    return held.columns;
  };

  return {
    /**
     * Forgets what was held.
     * @returns the number of this reading, by which its captures are asked for: other data services are read by the same worker
     */
    async begin(): Promise<number> {
      held = { reading: ++lastReading, columns: new ResultColumnsBuilder() };
      return held.reading;
    },

    /**
     * @returns how many frames are held
     * @throws Error when nothing has begun, as after the worker died, or another reading; RangeError for a piece that does not fit
     */
    async append(reading: number, piece: ResultColumns): Promise<number> {
      const columns = heldOf(reading);
      columns.append(piece);
      return columns.frameCount;
    },

    /** @throws Error when nothing or another reading is held; RangeError for an order that cannot be met */
    async replay(reading: number, order: ReplayOrder): Promise<Replay> {
      const all = replay(heldOf(reading).build(), order, mostListedEvents);
      return transfer({ ...all, gaps: mergeGaps(all.gaps, order.span, mostDrawnGaps) }, buffersOf(all));
    },

    /**
     * @returns the text of the report's file
     * @throws as `replay`
     */
    async report(
      reading: number,
      order: ReplayOrder,
      subject: ReplaySubject,
      format: ReplayReportFormat,
    ): Promise<string> {
      return replayReportText(subject, replay(heldOf(reading).build(), order), format);
    },
  };
}

/** The buffers of an answer that nothing else uses: the page takes them over, as to copy those of a week would hold it up. */
function buffersOf({ side, other, differences }: Replay): Transferable[] {
  const columns = [side, ...(other ? [other] : [])].flatMap(({ events, timeline }) => [
    ...(Object.values(events) as (Uint32Array | Float64Array | Uint8Array)[]),
    timeline.frames,
    timeline.results,
  ]);
  return [...columns, ...(Object.values(differences?.frames ?? {}) as (Uint32Array | Float64Array)[])].map(
    ({ buffer }) => buffer as ArrayBuffer,
  );
}
