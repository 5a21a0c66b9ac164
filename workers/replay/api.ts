import { transfer } from 'comlink';
import { mergeGaps } from '../../src/evidence/replay/gaps.ts';
import {
  replay,
  replayInTwo,
  type ReplayEvents,
  type ReplayOrder,
  type ReplayPicture,
} from '../../src/evidence/replay/replay.ts';
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
  let eventsOfPicture: (() => ReplayEvents) | null = null;
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
      eventsOfPicture = null;
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

    /**
     * @returns what a person sees first of an order
     * @throws Error when nothing or another reading is held; RangeError for an order that cannot be met
     */
    async picture(reading: number, order: ReplayOrder): Promise<ReplayPicture> {
      const { picture, events } = replayInTwo(heldOf(reading).build(), order, mostListedEvents);
      eventsOfPicture = events;
      const shown = { ...picture, gaps: mergeGaps(picture.gaps, order.span, mostDrawnGaps) };
      return transfer(
        shown,
        sidesOf(picture).flatMap(({ timeline }) => buffersOf({ frames: timeline.frames, results: timeline.results })),
      );
    },

    /**
     * @returns the rest of what the last picture's order asks for
     * @throws Error when nothing or another reading is held, or no picture was asked for; RangeError for a rule that nothing meets
     */
    async events(reading: number): Promise<ReplayEvents> {
      heldOf(reading);
      if (!eventsOfPicture) throw new Error('Events are asked for behind their picture alone.');
      const found = eventsOfPicture();
      return transfer(found, [
        ...sidesOf(found).flatMap(({ events }) => buffersOf({ ...events })),
        ...buffersOf(found.differences ? { ...found.differences.frames } : {}),
      ]);
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

const sidesOf = <Side>({ side, other }: { readonly side: Side; readonly other: Side | null }): readonly Side[] =>
  other ? [side, other] : [side];

/** The buffers of columns that nothing else uses: the page takes them over, as to copy those of a week would hold it up. */
const buffersOf = (columns: Readonly<Record<string, ArrayBufferView>>): Transferable[] =>
  Object.values(columns).map(({ buffer }) => buffer as ArrayBuffer);
