import { SharedLists } from '../../../evidence/evaluation/face/sets.ts';
import type { RawImage } from '../../../platform/ports/raw-image.ts';
import type { ResultStore } from '../../../platform/ports/result-store.ts';
import type { PrepareModel, ReadyModel } from '../ports/raw-model.ts';
import { inOrderOf, type EvaluatedImage, type FailedImage } from './evaluated-image.ts';
import type { TruthImage, TruthSource } from '../ports/truth-source.ts';
import { inBatches } from '../../../base/schedule/in-batches.ts';
import { type LabelPair, pairsInForce } from '../../../evidence/datasets/face/labels.ts';
import { modelLabelsOf, NamedTruth, truthLabelsOf } from './named-truth.ts';
import { RunLife, type RunState } from '../../kit/runs/run-life.svelte.ts';
import { errorWords } from '../../kit/words/error-words.ts';
import { errorCode } from '../../../machine/vision/face/errors.ts';

export interface RunPorts {
  /** which labels of the set models call by other names, as they are kept; default: none */
  readonly pairs?: () => readonly LabelPair[];
  readonly prepare: PrepareModel;
  readonly store: Pick<ResultStore, 'find' | 'put'>;
  readonly now: () => number;
}

/** While one image is inferred, the next one is decoded. */
const RUN_AT_ONCE = 2;
const FOUND_AT_ONCE = 500;
const PUBLISHED_EVERY_MS = 250;

/** Runs a model on the images of a set. Images that were run before under the same configuration are read back. */
export class EvaluationRun {
  readonly #ports: RunPorts;
  readonly #life = new RunLife();
  #model = $state.raw<ReadyModel | null>(null);
  #setId = $state('');
  /** with the labels of the set */
  #images = $state.raw<readonly TruthImage[]>([]);
  #results = $state.raw<readonly EvaluatedImage[]>([]);
  #failed = $state.raw<readonly FailedImage[]>([]);
  #isKept = $state(true);
  /** images run by the model in this run, and the time that took; kept results cost none */
  #ranCount = $state(0);
  #ranMs = $state(0);
  #publishedMs = -Infinity;
  readonly #labels = new SharedLists();
  /** results since the last publication */
  #fresh: EvaluatedImage[] = [];
  /** ms for which the present batch was paused */
  #pausedMs = 0;
  #lastPauseEndMs = 0;
  /** the truth that is read anew: not by the signal of the run, which is aborted once that was cancelled */
  #reading = new AbortController();

  constructor(ports: RunPorts) {
    this.#ports = ports;
  }

  get state(): RunState {
    return this.#life.state;
  }

  /** The model that made the results; null before the first run. */
  get model(): ReadyModel | null {
    return this.#model;
  }

  /** The set whose images are run; '' before the first run. */
  get setId(): string {
    return this.#setId;
  }

  /** The labels of the set, of boxes and of whole images, as it has them. */
  readonly truthLabels: readonly string[] = $derived.by(() => truthLabelsOf(this.#images));

  /** The labels that the model can report, as its results name them; null: nothing was run yet. */
  readonly modelLabels: readonly string[] | null = $derived.by(() => modelLabelsOf(this.#results));

  #named = new NamedTruth([]);

  /** The truth's names, made anew only where other pairs count. */
  readonly #names: NamedTruth = $derived.by(() => {
    const pairs = this.modelLabels ? pairsInForce(this.#ports.pairs?.() ?? [], this.modelLabels) : [];
    if (JSON.stringify(pairs) !== JSON.stringify(this.#named.pairs)) this.#named = new NamedTruth(pairs);
    return this.#named;
  });

  /** Labels of the set that count by the model's names. */
  get pairs(): readonly LabelPair[] {
    return this.#names.pairs;
  }

  /** All images of the set, with the model's names: they are given here, and nowhere else. */
  get images(): readonly TruthImage[] {
    return this.#names.images(this.#images);
  }

  /** In the order of the set once it is done; a new list four times a second while it runs. */
  get results(): readonly EvaluatedImage[] {
    return this.#names.results(this.#results);
  }

  get failed(): readonly FailedImage[] {
    return this.#failed;
  }

  /** false: the browser has no room, so that another visit runs the model again */
  get isKept(): boolean {
    return this.#isKept;
  }

  get isBusy(): boolean {
    return this.#life.isBusy;
  }

  readonly doneCount: number = $derived.by(() => this.#results.length + this.#failed.length);

  /** null until the first image was run */
  readonly imagesPerSecond: number | null = $derived.by(() =>
    this.#ranCount > 0 ? (1000 * this.#ranCount) / this.#ranMs : null,
  );

  readonly leftMs: number | null = $derived.by(() =>
    this.imagesPerSecond === null ? null : (1000 * (this.#images.length - this.doneCount)) / this.imagesPerSecond,
  );

  /** Runs a set from its first image on; a run under way is cancelled. */
  async start(source: TruthSource, setId: string): Promise<void> {
    const signal = this.#life.prepare();
    this.#reading.abort();
    this.#setId = setId;
    this.#images = [];
    this.#results = [];
    this.#fresh = [];
    this.#failed = [];
    this.#isKept = true;
    this.#ranCount = 0;
    this.#ranMs = 0;
    try {
      const [images, model] = await Promise.all([source.images(setId, signal), this.#ports.prepare()]);
      signal.throwIfAborted();
      this.#images = images;
      this.#model = model;
      const waiting = await this.#readKept(model, images, signal);
      this.#life.run();
      if (waiting.length > 0) await this.#runAll((ids) => source.bytes(setId, ids, signal), model, waiting, signal);
      this.#publish(signal, true);
      this.#life.finish();
    } catch (error) {
      if (signal.aborted) return;
      // "Auto" chose its backend meanwhile. Results of one run are of one backend, so it begins again.
      if (errorCode(error) === 'moved') return this.start(source, setId);
      this.#publish(signal, true);
      this.#life.fail(errorWords(error) ?? { message: String(error), cure: '' });
    }
  }

  pause(): void {
    this.#life.pause();
  }

  resume(): void {
    this.#life.resume();
  }

  /** Ends the run. What was run so far stays, and is not run again. */
  cancel(): void {
    if (!this.isBusy) return;
    this.#publish(this.#life.signal, true);
    this.#life.cancel();
  }

  /**
   * Takes the truth of the set anew, as after a correction in the editor. Results stay with their images. Resolves to
   * whether it was taken; a later read or run cancels this one.
   */
  async readTruthAgain(source: TruthSource): Promise<boolean> {
    if (this.isBusy || this.#results.length === 0) return false;
    this.#reading.abort();
    const { signal } = (this.#reading = new AbortController());
    const images = await source.images(this.#setId, signal);
    if (signal.aborted) return false;
    this.#images = images;
    this.#results = inOrderOf(images, this.#results);
    return true;
  }

  /** Takes what was kept of these images, with their classes named as now. Resolves to the others. */
  async #readKept(
    model: ReadyModel,
    images: readonly TruthImage[],
    signal: AbortSignal,
  ): Promise<readonly TruthImage[]> {
    const waiting: TruthImage[] = [];
    for (let from = 0; from < images.length; from += FOUND_AT_ONCE) {
      const some = images.slice(from, from + FOUND_AT_ONCE);
      const kept = await this.#ports.store.find(
        model.key,
        some.map(({ id }) => id),
      );
      signal.throwIfAborted();
      for (const image of some) {
        const before = kept.get(image.id);
        const raw = before ? model.rename(before) : null;
        if (!before || !raw) {
          waiting.push(image);
          continue;
        }
        this.#take(image, raw);
        if (!sameList(raw.labels, before.labels)) void this.#ports.store.put(model.key, image.id, raw);
      }
    }
    this.#publish(signal, true);
    return waiting;
  }

  async #runAll(
    bytesOf: (ids: readonly string[]) => ReturnType<TruthSource['bytes']>,
    model: ReadyModel,
    waiting: readonly TruthImage[],
    signal: AbortSignal,
  ): Promise<void> {
    const batches = [...inBatches(waiting)];
    const fetchNext = (): ReturnType<TruthSource['bytes']> | null => {
      const [batch] = batches;
      const fetching = batch ? bytesOf(batch.map(({ id }) => id)) : null;
      fetching?.catch(() => undefined); // it is awaited below
      return fetching;
    };
    let next = fetchNext();
    for (let batch = batches.shift(); batch; batch = batches.shift()) {
      const bytes = await next!;
      next = fetchNext();
      const queue = [...batch];
      const runNext = async (): Promise<void> => {
        for (let image = queue.shift(); image; image = queue.shift()) {
          await this.#whilePaused(signal);
          await this.#runOne(model, image, bytes.get(image.id), signal);
        }
      };
      const startMs = this.#ports.now();
      await Promise.all(Array.from({ length: RUN_AT_ONCE }, runNext));
      this.#ranMs += this.#ports.now() - startMs - this.#pausedMs;
      this.#pausedMs = 0;
      this.#ranCount += batch.length;
    }
  }

  async #whilePaused(signal: AbortSignal): Promise<void> {
    const startMs = this.#ports.now();
    if (!(await this.#life.whilePaused(signal))) return;
    // Both runs of a batch wait at the same pause: it counts once.
    const endMs = this.#ports.now();
    this.#pausedMs += endMs - Math.max(startMs, this.#lastPauseEndMs);
    this.#lastPauseEndMs = endMs;
  }

  async #runOne(
    model: ReadyModel,
    image: TruthImage,
    bytes: Uint8Array<ArrayBuffer> | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    try {
      if (!bytes) throw new Error('It is no longer stored.');
      const raw = await model.run(new Blob([bytes]), image.name);
      signal.throwIfAborted();
      this.#take(image, raw);
      void this.#ports.store.put(model.key, image.id, raw).then((isKept) => {
        if (!isKept) this.#isKept = false;
      });
    } catch (error) {
      if (signal.aborted || isOfTheModel(error)) throw error;
      this.#failed = [...this.#failed, { image, why: errorWords(error)?.message ?? String(error) }];
    }
    this.#publish(signal, false);
  }

  #take(image: TruthImage, raw: RawImage): void {
    this.#fresh.push({ image, raw: { ...raw, labels: this.#labels.shared(raw.labels) } });
  }

  /** Shows the results so far, at most four times a second unless it is the last time. */
  #publish(signal: AbortSignal, isLast: boolean): void {
    const nowMs = this.#ports.now();
    if (signal.aborted || (!isLast && nowMs - this.#publishedMs < PUBLISHED_EVERY_MS)) return;
    this.#publishedMs = nowMs;
    if (this.#fresh.length === 0) return;
    const all = [...this.#results, ...this.#fresh];
    this.#fresh = [];
    this.#results = isLast ? inOrderOf(this.#images, all) : all;
  }
}

const sameList = (one: readonly string[], other: readonly string[]): boolean =>
  one === other || (one.length === other.length && one.every((label, at) => label === other[at]));

/** An error that every other image would meet too. */
const isOfTheModel = (error: unknown): boolean =>
  ['no-model', 'no-boxes', 'changed', 'moved'].includes(errorCode(error));
