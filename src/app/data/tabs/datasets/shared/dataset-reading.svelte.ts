import type { DatasetClient } from '../../../../../../workers/datasets/client.ts';
import type { PictureScan } from '../../../../../evidence/datasets/face/health.ts';
import type { DataContext } from '../../../context/data-context.ts';
import { completeSequences } from './complete-sequences.ts';
import { gatherScans } from './gather-scans.ts';
import { isPicture, picturePages, type StoredPicture } from '../../../annotate/saving/stored-pictures.ts';

/** Near duplicates differ in at most this many bits of their hashes: recompressed or scaled copies, and frames with little motion. */
const maxDistance = 5;

export interface ReadingProgress {
  readonly doneCount: number;
  readonly count: number;
}

/** Reads files page by page. */
type PicturePages = (signal: AbortSignal) => AsyncIterable<readonly StoredPicture[]>;

/**
 * All pictures of a dataset or a filter: their annotations and metadata, and on request the result of scanning each
 * picture. Health, splits and drift are computed from them.
 */
export class DatasetReading {
  readonly #context: Pick<DataContext, 'data' | 'home' | 'report'>;
  readonly #engine: Pick<DatasetClient, 'knownScans' | 'scan' | 'groupNearDuplicates'>;
  readonly #pages: PicturePages;
  /** in order of capture, with frames of a sequence together, and with interpolated boxes; null until they are read */
  pictures = $state.raw<readonly StoredPicture[] | null>(null);
  /** by picture id; null until a scan has ended. A stopped or failed scan leaves the results so far. */
  scans = $state.raw<ReadonlyMap<string, PictureScan> | null>(null);
  /** groups of ids of near duplicates */
  nearDuplicates = $state.raw<readonly (readonly string[])[]>([]);
  /** progress of the running scan; null if none runs */
  scanning = $state.raw<ReadingProgress | null>(null);
  #life = new AbortController();
  #scanStop: AbortController | null = null;
  /** counts recalls and scans: what began last is what is shown */
  #gathered = 0;

  constructor(
    context: Pick<DataContext, 'data' | 'home' | 'report'>,
    engine: Pick<DatasetClient, 'knownScans' | 'scan' | 'groupNearDuplicates'>,
    /** or the id of the dataset */
    pages: PicturePages | string,
  ) {
    this.#context = context;
    this.#engine = engine;
    this.#pages = typeof pages === 'string' ? (signal) => picturePages(context, pages, signal) : pages;
  }

  /** whether every picture was scanned */
  get isSeen(): boolean {
    return this.pictures !== null && this.scans !== null && this.pictures.length <= this.scans.size;
  }

  /** Reads the annotations and metadata of all pictures. */
  async read(): Promise<void> {
    this.#life.abort();
    this.#life = new AbortController();
    const { signal } = this.#life;
    try {
      const pictures: StoredPicture[] = [];
      for await (const page of this.#pages(signal))
        for (const picture of page) if (isPicture(picture)) pictures.push(picture);
      const full = await completeSequences(this.#context, pictures, signal);
      if (!signal.aborted) this.pictures = full;
    } catch (error) {
      if (!signal.aborted) this.#context.report(error, 'The images could not be read.');
    }
  }

  /** Loads the scan results that earlier visits stored. Scans nothing. */
  recallScans(): Promise<void> {
    return this.#gather(false);
  }

  /** Scans every picture that has no stored scan result. */
  scan(): Promise<void> {
    return this.#gather(true);
  }

  async #gather(scansNew: boolean): Promise<void> {
    const pictures = this.pictures;
    if (!pictures || this.scanning) return;
    const turn = ++this.#gathered;
    const life = this.#life.signal;
    const stop = (this.#scanStop = new AbortController());
    const signal = AbortSignal.any([stop.signal, life]);
    const onProgress = (doneCount: number): void => {
      this.scanning = { doneCount, count: pictures.length };
    };
    if (scansNew) onProgress(0);
    const ports = { data: this.#context.data, engine: this.#engine };
    const { scans, failure } = await gatherScans(ports, pictures, { scansNew, signal, onProgress });
    if (failure !== null && !signal.aborted) this.#context.report(failure, 'Not all pictures could be scanned.');
    if (turn !== this.#gathered) return; // a scan was begun while earlier ones were recalled
    if (!life.aborted) {
      this.scans = scans;
      const hashed = [...scans.values()].flatMap(({ id, hash }) => (hash === null ? [] : [{ contentId: id, hash }]));
      this.nearDuplicates = await this.#engine.groupNearDuplicates(hashed, maxDistance).catch(() => []);
    }
    if (turn === this.#gathered) this.scanning = null;
  }

  stopScanning(): void {
    this.#scanStop?.abort();
  }

  close(): void {
    this.#life.abort();
  }
}
