import type { DatasetClient } from '../../../../../workers/datasets/client.ts';
import type { PictureScan } from '../../../../datasets/health/picture-scan.ts';
import { sequenceOf } from '../../../../datasets/tracks/sequences.ts';
import type { DriftReport } from '../../../../drift/compare-frames.ts';
import { featuresOf, type FrameFeatures } from '../../../../drift/frame-features.ts';
import { errorWords, type ErrorWords } from '../../../kit/words/error-words.ts';
import type { StoredPicture } from '../../annotate/stored-pictures.ts';
import type { DataContext } from '../../context/data-context.ts';
import { keepReference, listReferences, readReference, type ListedReference } from './drift-references.ts';

/** What a comparison was made of, and what it says. */
export interface ComparedDataset {
  readonly referenceName: string;
  readonly report: DriftReport;
}

type Ports = Pick<DataContext, 'data' | 'sync' | 'home' | 'announce'>;

/** Keeps the frames of a dataset as a reference, and compares a dataset with one. */
export class DriftCheck {
  readonly #context: Ports;
  readonly #engine: Pick<DatasetClient, 'compareFrames'>;
  readonly #now: () => number;
  #dataSerial = 0;
  readonly #life = new AbortController();
  /** the latest first; null until they are listed */
  references = $state.raw<readonly ListedReference[] | null>(null);
  #chosenId = $state('');
  level = $state(0.05);
  /** null until a comparison was made of what is chosen now */
  compared = $state.raw<ComparedDataset | null>(null);
  failure = $state.raw<ErrorWords | null>(null);
  /** what is under way */
  busy: 'keeping' | 'comparing' | null = $state(null);

  constructor(context: Ports, engine: Pick<DatasetClient, 'compareFrames'>, now: () => number = Date.now) {
    this.#context = context;
    this.#engine = engine;
    this.#now = now;
  }

  /** The reference to compare with; '': there is none. */
  readonly chosenId: string = $derived.by(
    () => (this.references?.find(({ id }) => id === this.#chosenId) ?? this.references?.[0])?.id ?? '',
  );

  choose(id: string): void {
    this.#chosenId = id;
    this.compared = null;
  }

  /** Forgets what was compared, because the dataset's pictures or their scans are others now. */
  changeData(): void {
    this.#dataSerial++;
    this.compared = null;
  }

  setLevel(level: number): void {
    this.level = level;
    this.compared = null;
  }

  async list(): Promise<void> {
    await this.#attempt(null, async () => {
      this.references = await listReferences(this.#context, this.#life.signal);
    });
  }

  /** Keeps these pictures as a reference under the dataset's name, and chooses it. */
  async keep(name: string, pictures: readonly StoredPicture[], scans: Scans): Promise<void> {
    await this.#attempt('keeping', async () => {
      const reference = { name, keptAtMs: this.#now(), frames: framesOf(pictures, scans) };
      const kept = await keepReference(this.#context, reference, this.#life.signal);
      this.references = [kept, ...(this.references ?? []).filter(({ id }) => id !== kept.id)];
      this.choose(kept.id);
      this.#context.announce(`${kept.name} is kept as reference.`);
    });
  }

  async compare(pictures: readonly StoredPicture[], scans: Scans): Promise<void> {
    const { chosenId, level } = this;
    const serial = this.#dataSerial;
    await this.#attempt('comparing', async () => {
      const reference = await readReference(this.#context, chosenId, this.#life.signal);
      const frames = { reference: reference.frames, later: framesOf(pictures, scans) };
      const report = await this.#engine.compareFrames(frames, level);
      if (chosenId !== this.chosenId || level !== this.level || serial !== this.#dataSerial) return;
      const referenceName = this.references?.find(({ id }) => id === chosenId)?.name ?? reference.name;
      this.compared = { referenceName, report };
    });
  }

  close(): void {
    this.#life.abort();
  }

  async #attempt(what: 'keeping' | 'comparing' | null, work: () => Promise<void>): Promise<void> {
    this.busy = what;
    this.failure = null;
    try {
      await work();
    } catch (error) {
      if (!this.#life.signal.aborted) this.failure = errorWords(error);
    }
    this.busy = null;
  }
}

type Scans = ReadonlyMap<string, Pick<PictureScan, 'statistics'>>;

function framesOf(pictures: readonly StoredPicture[], scans: Scans): readonly FrameFeatures[] {
  return pictures.map(({ contentId: id, fileName: name, tags, timeMs, source, boxes }) =>
    featuresOf({
      id,
      name,
      sequence: sequenceOf(tags),
      timeMs,
      source,
      boxes,
      statistics: scans.get(id)?.statistics ?? null,
    }),
  );
}
