import type { DatasetClient } from '../../../../../../workers/datasets/client.ts';
import type { ImageDrift } from '../../../../../evidence/certificate/image-drift.ts';
import { isDependenceOpen, type DriftReport } from '../../../../../evidence/drift/compare-frames.ts';
import type { KeptDrift } from '../../../../certificates/kept-drift.svelte.ts';
import { errorWords, type ErrorWords } from '../../../../kit/words/error-words.ts';
import type { StoredPicture } from '../../../annotate/saving/stored-pictures.ts';
import type { DataContext } from '../../../context/data-context.ts';
import { framesOf, imageDrift, imagesOf, laterThan, type Scans } from '../shared/compared-images.ts';
import { keepReference, listReferences, readReference, type ListedReference } from './drift-references.ts';

/** What a comparison was made of, and what it says. */
export interface ComparedImages {
  readonly referenceName: string;
  readonly report: DriftReport;
  /** whether no shift can be told from chance, since it is not known which frames depend on each other */
  readonly isOpen: boolean;
  /** how many images of the reference itself were left out: they are no later ones */
  readonly ownCount: number;
  /** the part that concerns certificates */
  readonly drift: ImageDrift;
}

/** Images that are compared with a reference. */
export interface ComparedPictures {
  /** what a person calls them */
  readonly name: string;
  readonly pictures: readonly StoredPicture[];
  readonly scans: Scans;
}

type Ports = Pick<DataContext, 'data' | 'sync' | 'home' | 'announce'>;

/** Keeps the frames of a dataset as a reference, and compares later images with one. */
export class DriftCheck {
  readonly #context: Ports;
  readonly #engine: Pick<DatasetClient, 'compareFrames'>;
  readonly #kept: Pick<KeptDrift, 'add'>;
  readonly #now: () => number;
  #dataSerial = 0;
  readonly #life = new AbortController();
  /** the latest first; null until they are listed */
  references = $state.raw<readonly ListedReference[] | null>(null);
  #chosenId = $state('');
  level = $state(0.05);
  #areIndependent = $state(false);
  /** null until a comparison was made of what is chosen now */
  compared = $state.raw<ComparedImages | null>(null);
  failure = $state.raw<ErrorWords | null>(null);
  /** the work under way; null: none */
  busy: 'keeping' | 'comparing' | null = $state(null);

  constructor(
    context: Ports,
    engine: Pick<DatasetClient, 'compareFrames'>,
    kept: Pick<KeptDrift, 'add'>,
    now: () => number = Date.now,
  ) {
    this.#context = context;
    this.#engine = engine;
    this.#kept = kept;
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

  /** A person says that each image of which nothing is recorded is of another scene or time. */
  get areIndependent(): boolean {
    return this.#areIndependent;
  }

  setIndependent(areIndependent: boolean): void {
    this.#areIndependent = areIndependent;
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
      const images = imagesOf(pictures);
      const reference = {
        name,
        keptAtMs: this.#now(),
        images,
        frames: framesOf(pictures, scans, this.areIndependent),
        answeredBy: null,
      };
      const kept = await keepReference(this.#context, reference, this.#life.signal);
      this.references = [kept, ...(this.references ?? []).filter(({ id }) => id !== kept.id)];
      this.choose(kept.id);
      this.#context.announce(`${kept.name} is kept as reference.`);
    });
  }

  /** Compares; where the later images are recorded to be of the reference's camera, it counts for certificates, too. */
  async compare({ name, pictures, scans }: ComparedPictures): Promise<void> {
    const { chosenId, level, areIndependent } = this;
    const serial = this.#dataSerial;
    await this.#attempt('comparing', async () => {
      const reference = await readReference(this.#context, chosenId, this.#life.signal);
      const later = laterThan(reference, pictures);
      if (later.length === 0) throw new Error('All of these are images of the reference itself: choose later ones.');
      const answeredBy = { reference: reference.answeredBy, later: null };
      const frames = { reference: reference.frames, later: framesOf(later, scans, areIndependent), answeredBy };
      const isOpen = !areIndependent && [frames.reference, frames.later].some(isDependenceOpen);
      const found = await this.#engine.compareFrames(frames, level);
      const report = { ...found, canTell: found.canTell && !isOpen };
      if (
        chosenId !== this.chosenId ||
        level !== this.level ||
        areIndependent !== this.areIndependent ||
        serial !== this.#dataSerial
      )
        return;
      const referenceName = this.references?.find(({ id }) => id === chosenId)?.name ?? reference.name;
      const drift = imageDrift(report, reference.images, { name, pictures: later, nowMs: this.#now() });
      this.compared = { referenceName, report, isOpen, drift, ownCount: pictures.length - later.length };
      if (drift.isSameCamera === true) this.#kept.add(drift);
    });
  }

  /** A person says that the images that were compared are of the reference's camera. */
  countForCertificates(): void {
    if (this.compared) this.#kept.add(this.compared.drift);
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
