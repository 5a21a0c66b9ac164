import { recordedMethod } from '../../data-service/face/stores.ts';
import type { BinaryRecord } from '../../data-service/face/captures.ts';
import { quarterOf } from './result-sheets.ts';

/** Whether frames are kept in sheets too. */
export const isRecorded = ({ methodName }: Pick<BinaryRecord, 'methodName'>): boolean => methodName === recordedMethod;

/** Where a frame is kept. */
export interface FramePlace {
  readonly organizationId: string;
  readonly stream: number;
  readonly quarter: number;
}

/** The places of those captures that are recorded frames. */
export const placesOf = (
  stored: readonly { readonly stream: number; readonly capture: BinaryRecord }[],
): readonly FramePlace[] =>
  stored
    .filter(({ capture }) => isRecorded(capture))
    .map(({ stream, capture: { organizationId, timeRequested } }) => ({
      organizationId,
      stream,
      quarter: quarterOf(timeRequested),
    }));

/** Each quarter of a stream that places are in, once. */
export const quartersOf = (places: readonly FramePlace[]): readonly FramePlace[] => [
  ...new Map(places.map((place) => [`${place.stream} ${place.quarter}`, place])).values(),
];

/**
 * How many frames of a quarter of an hour make a sheet of results, where about so many readings make one of readings: four
 * sheets of an hour are to hold as many.
 */
export const enoughFrames = (sheetRows: number): number => Math.ceil(sheetRows / 4);

/** Counts frames as they arrive: when those of a stream come to another quarter of an hour, the one before gets its sheet. */
export class SheetsDue {
  readonly #enough: number;
  readonly #make: (place: FramePlace) => Promise<unknown>;
  /** by stream: the quarter of the newest frames, and how many came one after the other */
  readonly #last = new Map<number, { readonly quarter: number; count: number }>();
  #making: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  /** @param enough frames of a quarter for a sheet */
  constructor(enough: number, make: (place: FramePlace) => Promise<unknown>) {
    this.#enough = enough;
    this.#make = make;
  }

  /** Tells of frames that were added. */
  added(places: readonly FramePlace[]): void {
    for (const { organizationId, stream, quarter } of places) {
      const last = this.#last.get(stream);
      if (last?.quarter === quarter) {
        last.count++;
        continue;
      }
      this.#last.set(stream, { quarter, count: 1 });
      if (last !== undefined && last.count >= this.#enough)
        this.#queue({ organizationId, stream, quarter: last.quarter });
    }
  }

  /** Ends with the sheet under way: those still to be made are made by the first scan. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#making;
  }

  #queue(place: FramePlace): void {
    const make = async (): Promise<void> => {
      // where that fails, rows go on being read one by one
      if (!this.#isClosed) await this.#make(place).catch(() => undefined);
    };
    this.#making = this.#making.then(make);
  }
}
