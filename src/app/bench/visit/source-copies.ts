import type { SourceCopy, SourceStore, VisitSource } from '../../../ports/source-store.ts';
import { singleFlight } from '../../../schedule/single-flight.ts';
import { errorMessage } from '../../../vision/error-words.ts';
import { chooseCopies, copyBudget } from './choose-copies.ts';

/** A picture or a video of the bench, with what it is read from. */
export interface BenchSource {
  readonly source: VisitSource;
  readonly content: () => Promise<Blob>;
}

interface Wanted {
  readonly visitId: string;
  /** on the visit's list, but not on the bench: they have no copy any more */
  readonly missing: readonly VisitSource[];
  readonly here: readonly BenchSource[];
}

/** What a reload will find. */
export interface CopyReport {
  readonly copied: readonly VisitSource[];
  /** still to be copied; none after all was tried */
  readonly waiting: number;
  /** without a copy, but the browser can be asked to open their files again */
  readonly onRequest: readonly VisitSource[];
  /** without a copy: a reload loses them */
  readonly leftOut: readonly VisitSource[];
  readonly budgetBytes: number;
  /** why copies are not kept, beside what is over the budget; '' = nothing is in the way */
  readonly trouble: string;
}

/** Nothing on the bench to be copied. */
export const NO_COPIES: CopyReport = {
  copied: [],
  waiting: 0,
  onRequest: [],
  leftOut: [],
  budgetBytes: 0,
  trouble: '',
};

/** So many files or bytes are written at once: one by one they take five times as long, all together nobody sees how far it is. */
const BATCH = { files: 50, bytes: 16e6 };

/** Keeps copies of what is on the bench, for a reload. Of several lists that arrive while one is written the last is written next. */
export class SourceCopies {
  readonly #store: SourceStore;
  readonly #quotaBytes: () => Promise<number | null>;
  readonly #lengths = new Map<string, number>();
  #wanted: Wanted | null = null;
  readonly #writeAll = singleFlight(() => this.#writeWanted());
  #report = NO_COPIES;
  readonly #onReport: (report: CopyReport) => void;

  /** `quotaBytes`: what the browser gives the page in all, null = not known. `onReport` is called whenever something changed. */
  constructor(
    store: SourceStore,
    quotaBytes: () => Promise<number | null>,
    onReport: (report: CopyReport) => void = () => {},
  ) {
    this.#store = store;
    this.#quotaBytes = quotaBytes;
    this.#onReport = onReport;
  }

  /** Writes the visit's list, then copies what has none. Never rejects: what failed is in the report. */
  keep(wanted: Wanted): Promise<void> {
    this.#wanted = wanted;
    return this.#writeAll();
  }

  async #writeWanted(): Promise<void> {
    while (this.#wanted) {
      const wanted = this.#wanted;
      this.#wanted = null;
      const sources = await Promise.all(wanted.here.map((one) => this.#measured(one)));
      try {
        await this.#write(wanted, sources);
      } catch (error) {
        const copied = new Set(this.#report.copied.map(({ id }) => id));
        const leftOut = sources.filter(({ id }) => !copied.has(id));
        this.#tell({ ...this.#report, waiting: 0, leftOut, trouble: errorMessage(error) });
      }
    }
  }

  async #write({ visitId, missing, here }: Wanted, sources: readonly VisitSource[]): Promise<void> {
    this.#tell({ ...NO_COPIES, waiting: sources.length });
    const copiedIds = await this.#store.write({ id: visitId, sources: [...missing, ...sources] });
    const budgetBytes = copyBudget(await this.#quotaBytes());
    const contentOf = new Map(here.map(({ source, content }) => [source.id, content]));
    const chosen = chooseCopies(sources, budgetBytes);
    await this.#store.makeRoom(chosen, budgetBytes);
    const copied = new Map(chosen.filter(({ id }) => copiedIds.has(id)).map((source) => [source.id, source]));
    for (const batch of batchesOf(chosen.filter(({ id }) => !copied.has(id)))) {
      this.#tell({ ...NO_COPIES, budgetBytes, copied: [...copied.values()], waiting: chosen.length - copied.size });
      if (this.#wanted) return;
      const copies = await Promise.all(batch.map((source) => readCopy(source, contentOf.get(source.id)!)));
      const readable = copies.filter((copy) => copy !== null);
      await this.#store.keep(readable);
      for (const { source } of readable) copied.set(source.id, source);
    }
    const onRequest: VisitSource[] = [];
    const leftOut: VisitSource[] = [];
    for (const source of sources.filter(({ id }) => !copied.has(id))) {
      const content = await readCopy(source, contentOf.get(source.id)!);
      if (content && (await this.#store.point(source.id, content.content))) onRequest.push(source);
      else leftOut.push(source);
    }
    this.#tell({ ...NO_COPIES, budgetBytes, copied: [...copied.values()], onRequest, leftOut });
  }

  #tell(report: CopyReport): void {
    this.#report = report;
    this.#onReport(report);
  }

  /** With its length, which is known as soon as somebody read it. */
  async #measured({ source, content }: BenchSource): Promise<VisitSource> {
    let byteLength = source.byteLength || this.#lengths.get(source.id);
    if (byteLength === undefined) {
      byteLength = (await readCopy(source, content))?.content.size ?? 0;
      this.#lengths.set(source.id, byteLength);
    }
    return { ...source, byteLength };
  }
}

/** null where it cannot be read any more: the stage says so when it is shown. */
async function readCopy(source: VisitSource, content: () => Promise<Blob>): Promise<SourceCopy | null> {
  try {
    return { source, content: await content() };
  } catch {
    return null;
  }
}

function batchesOf(sources: readonly VisitSource[]): readonly (readonly VisitSource[])[] {
  const batches: VisitSource[][] = [];
  let bytes = Infinity;
  for (const source of sources) {
    const batch = batches.at(-1);
    if (batch && batch.length < BATCH.files && bytes + source.byteLength <= BATCH.bytes) batch.push(source);
    else {
      batches.push([source]);
      bytes = 0;
    }
    bytes += source.byteLength;
  }
  return batches;
}
