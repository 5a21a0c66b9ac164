import type { SourceCopy, SourceStore, VisitSource } from '../../../platform/ports/source-store.ts';
import { singleFlight } from '../../../base/schedule/single-flight.ts';
import { errorMessage } from '../../../machine/vision/face/errors.ts';
import { chooseCopies, copyBudget } from './choose-copies.ts';
import { NO_COPIES, type CopyReport } from './copy-report.ts';

/** A picture or a video on the bench, with the function that reads its file. */
export interface BenchSource {
  readonly source: VisitSource;
  readonly content: () => Promise<Blob>;
}

interface Wanted {
  readonly visitId: string;
  /** sources on the visit's list that are missing on the bench, because their copies are gone */
  readonly missing: readonly VisitSource[];
  readonly here: readonly BenchSource[];
}

/** Limits of one write. Writing files one by one takes five times as long, and writing all at once shows no progress. */
const BATCH = { files: 50, bytes: 16e6 };

/** Stores copies of the bench's sources, for a reload. If several lists arrive during a write, only the last one is written next. */
export class SourceCopies {
  readonly #store: SourceStore;
  readonly #quotaBytes: () => Promise<number | null>;
  readonly #lengths = new Map<string, number>();
  #wanted: Wanted | null = null;
  readonly #writeAll = singleFlight(() => this.#writeWanted());
  #report = NO_COPIES;
  readonly #onReport: (report: CopyReport) => void;

  /** `quotaBytes`: the browser's storage quota for the page; null = unknown. `onReport` is called after every change. */
  constructor(
    store: SourceStore,
    quotaBytes: () => Promise<number | null>,
    onReport: (report: CopyReport) => void = () => {},
  ) {
    this.#store = store;
    this.#quotaBytes = quotaBytes;
    this.#onReport = onReport;
  }

  /** Writes the visit's list, then copies the sources that have no copy. Never rejects: failures are in the report. */
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

  /** The source with the size of its file, which is known only after the file was opened. */
  async #measured({ source, content }: BenchSource): Promise<VisitSource> {
    let byteLength = source.byteLength || this.#lengths.get(source.id);
    if (byteLength === undefined) {
      byteLength = (await readCopy(source, content))?.content.size ?? 0;
      this.#lengths.set(source.id, byteLength);
    }
    return { ...source, byteLength };
  }
}

/** The copy of a source; null if its file can no longer be read. The stage reports that when it shows the source. */
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
