import { RunLife } from '../../../kit/runs/run-life.svelte.ts';
import { errorWords } from '../../../kit/words/error-words.ts';
import type { DataContext } from '../../context/data-context.ts';
import { idSet, withId } from './id-set.ts';
import { knownWorkers } from './known-workers.ts';
import { labelClientOf, type LabelClient } from './label-client.ts';
import { ownWorker, workerKey, type OwnAccess, type Worker } from './own-worker.ts';

/** The images to assign: these, or all of a dataset. */
export type AssignedImages =
  | {
      readonly kind: 'chosen';
      readonly ids: () => Iterable<string> | AsyncIterable<string>;
      readonly count: number;
      readonly datasetId: string;
    }
  | { readonly kind: 'dataset'; readonly datasetId: string; readonly count: number };

export interface AssignmentSums {
  readonly made: number;
  readonly skipped: number;
  readonly images: number;
  readonly honeypots: number;
}

const batchSize = 500;
const none: AssignmentSums = { made: 0, skipped: 0, images: 0, honeypots: 0 };

/** Gives images to people: the choice of people and way, then the work itself. */
export class Assignment {
  readonly #context: Pick<DataContext, 'transport' | 'home'> & OwnAccess;
  readonly #client: LabelClient;
  /** whom images can be given to, oneself first */
  workers: readonly Worker[] = $state.raw()!;
  #chosen = $state.raw(idSet());
  /** 'every': each image to each of them, blind */
  public mode = $state<'split' | 'every'>('split');
  /** accepted images that each gets in addition */
  public honeypots = $state(0);
  readonly run = new RunLife();
  /** sums over the batches done so far */
  sums = $state.raw(none);

  constructor(context: Pick<DataContext, 'transport' | 'home'> & OwnAccess) {
    this.#context = context;
    this.#client = labelClientOf(context);
    this.workers = [ownWorker(context)];
  }

  readonly chosen: readonly Worker[] = $derived.by(() =>
    this.workers.filter((worker) => this.#chosen.has(workerKey(worker))),
  );

  /** Whether the answer is complete: agreement needs two. */
  get isReady(): boolean {
    return this.chosen.length >= (this.mode === 'every' ? 2 : 1);
  }

  isChosen(worker: Worker): boolean {
    return this.#chosen.has(workerKey(worker));
  }

  choose(worker: Worker, isChosen: boolean): void {
    this.#chosen = withId(this.#chosen, workerKey(worker), isChosen);
  }

  /** Reads who can be chosen; who is alone is chosen already. */
  async readWorkers(signal: AbortSignal): Promise<void> {
    const workers = await knownWorkers(this.#context, signal);
    if (signal.aborted) return;
    this.workers = workers;
    const [only, ...others] = workers;
    if (only && others.length === 0) this.choose(only, true);
  }

  /** Assigns the images, a batch at a time; `run` says how it went. What was assigned before a failure or a stop stays. */
  async start(images: AssignedImages): Promise<void> {
    const signal = this.run.prepare();
    this.sums = none;
    this.run.run();
    try {
      await (images.kind === 'dataset'
        ? this.#assignDataset(images.datasetId, signal)
        : this.#assignChosen(images, signal));
      this.run.finish();
    } catch (error) {
      const words = signal.aborted ? null : errorWords(error);
      if (words) this.run.fail(words);
    }
  }

  async #assignDataset(datasetId: string, signal: AbortSignal): Promise<void> {
    for (let pageToken = ''; ;) {
      pageToken = await this.#assign({ datasetId, pageToken }, signal);
      if (pageToken === '') return;
    }
  }

  async #assignChosen(images: Extract<AssignedImages, { kind: 'chosen' }>, signal: AbortSignal): Promise<void> {
    const { datasetId } = images;
    let binaryDataIds: string[] = [];
    for await (const id of images.ids()) {
      signal.throwIfAborted();
      binaryDataIds.push(id);
      if (binaryDataIds.length < batchSize) continue;
      await this.#assign({ datasetId, binaryDataIds }, signal);
      binaryDataIds = [];
    }
    if (binaryDataIds.length > 0) await this.#assign({ datasetId, binaryDataIds }, signal);
  }

  /** One call; resolves to the token of the next page. */
  async #assign(
    part: { readonly datasetId: string; readonly pageToken?: string; readonly binaryDataIds?: string[] },
    signal: AbortSignal,
  ): Promise<string> {
    const { organizationId } = this.#context.home;
    const { images: imagesBefore } = this.sums;
    const answer = await this.#client.assignImages(
      {
        organizationId,
        ...part,
        assignees: this.chosen.map(({ kind, id, name }) => ({ kind, id, name })),
        mode: this.mode,
        honeypots: imagesBefore === 0 ? this.honeypots : 0,
        imagesBefore,
      },
      { signal },
    );
    this.sums = {
      made: this.sums.made + answer.made,
      skipped: this.sums.skipped + answer.skipped,
      images: imagesBefore + answer.images,
      honeypots: this.sums.honeypots + answer.honeypots,
    };
    return answer.nextPageToken;
  }
}
