import type { DatasetClient, PictureLook } from '../../../../../workers/datasets/client.ts';
import type { DataContext } from '../../data-context.ts';
import { gatherLooks } from './gather-looks.ts';
import { isPicture, picturePages, type StoredPicture } from './stored-pictures.ts';

/** Bits in which near duplicates may differ: recompressed and scaled copies, and frames that hardly moved. */
const maxDistance = 5;

export interface ReadingProgress {
  readonly doneCount: number;
  readonly count: number;
}

/**
 * What is known of all pictures of a dataset: what was said about each, and, once somebody asks, what a look at each
 * tells. Health and splits are made of it.
 */
export class DatasetReading {
  readonly #context: Pick<DataContext, 'data' | 'home' | 'report'>;
  readonly #engine: Pick<DatasetClient, 'knownLooks' | 'look' | 'groupAlike'>;
  readonly #datasetId: string;
  #pictures = $state.raw<readonly StoredPicture[] | null>(null);
  #looks = $state.raw<ReadonlyMap<string, PictureLook> | null>(null);
  #alike = $state.raw<readonly (readonly string[])[]>([]);
  #looking = $state.raw<ReadingProgress | null>(null);
  #life = new AbortController();
  #lookStop: AbortController | null = null;

  constructor(
    context: Pick<DataContext, 'data' | 'home' | 'report'>,
    engine: Pick<DatasetClient, 'knownLooks' | 'look' | 'groupAlike'>,
    datasetId: string,
  ) {
    this.#context = context;
    this.#engine = engine;
    this.#datasetId = datasetId;
  }

  /** in the order they were captured; null until they are read */
  get pictures(): readonly StoredPicture[] | null {
    return this.#pictures;
  }

  /** null until every picture was looked at, or that was stopped: then of those that were */
  get looks(): ReadonlyMap<string, PictureLook> | null {
    return this.#looks;
  }

  /** ids of pictures that look alike, a group each */
  get alike(): readonly (readonly string[])[] {
    return this.#alike;
  }

  /** null while nothing is looked at */
  get looking(): ReadingProgress | null {
    return this.#looking;
  }

  /** whether every picture was looked at */
  get isSeen(): boolean {
    return this.#pictures !== null && this.#looks !== null && this.#pictures.length <= this.#looks.size;
  }

  /** Reads what was said about the pictures. */
  async read(): Promise<void> {
    this.#life.abort();
    this.#life = new AbortController();
    const { signal } = this.#life;
    try {
      const pictures: StoredPicture[] = [];
      for await (const page of picturePages(this.#context, this.#datasetId, signal))
        for (const picture of page) if (isPicture(picture)) pictures.push(picture);
      if (!signal.aborted) this.#pictures = pictures;
    } catch (error) {
      if (!signal.aborted) this.#context.report(error, 'The dataset could not be read.');
    }
  }

  /** Takes what earlier visits have seen; looks at nothing. */
  recallLooks(): Promise<void> {
    return this.#gather(false);
  }

  /** Looks at every picture that was not looked at before, here or on an earlier visit. */
  look(): Promise<void> {
    return this.#gather(true);
  }

  async #gather(looksAtNew: boolean): Promise<void> {
    const pictures = this.#pictures;
    if (!pictures || this.#looking) return;
    const life = this.#life.signal;
    const stop = (this.#lookStop = new AbortController());
    const signal = AbortSignal.any([stop.signal, life]);
    const onProgress = (doneCount: number): void => {
      this.#looking = { doneCount, count: pictures.length };
    };
    if (looksAtNew) onProgress(0);
    const ports = { data: this.#context.data, engine: this.#engine };
    const { looks, failure } = await gatherLooks(ports, pictures, { looksAtNew, signal, onProgress });
    if (failure !== null && !signal.aborted) this.#context.report(failure, 'Not all pictures could be looked at.');
    if (!life.aborted) {
      this.#looks = looks;
      const hashed = [...looks.values()].flatMap(({ id, hash }) => (hash === null ? [] : [{ contentId: id, hash }]));
      this.#alike = await this.#engine.groupAlike(hashed, maxDistance).catch(() => []);
    }
    this.#looking = null;
  }

  stopLooking(): void {
    this.#lookStop?.abort();
  }

  close(): void {
    this.#life.abort();
  }
}
