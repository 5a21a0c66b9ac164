import { Code, ConnectError } from '@connectrpc/connect';
import type { Task, WorkCount } from '../../../../gen/sightglass/labels/v1/labels_pb.ts';
import { Attempts } from '../../../kit/edits/attempts.svelte.ts';
import { errorWords, type ErrorWords } from '../../../kit/words/error-words.ts';
import type { DataContext } from '../../context/data-context.ts';
import { storedItem, type StoredItem } from '../../shared/items/stored-item.ts';
import { idSet, withId } from '../../shared/work/id-set.ts';
import { readMembers } from '../../shared/work/known-workers.ts';
import { labelClientOf, type LabelClient } from '../../shared/work/label-client.ts';
import {
  mayReview,
  ownWorker,
  sameWorker,
  workerKey,
  type OwnAccess,
  type Worker,
} from '../../shared/work/own-worker.ts';
import type { TaskState } from '../../shared/work/task-words.ts';
import type { WorkRoute } from './work-route.ts';

type Overview = Extract<WorkRoute, { kind: 'overview' }>;

const pageRows = 100;

/** Images by their ids. */
type KnownItems = Readonly<Record<string, StoredItem | undefined>>;
const noItems: KnownItems = {};

/** How many tasks there are, by person and state. */
export interface WorkSums extends Readonly<Record<TaskState, number>> {
  readonly worker: Worker;
}

const sumsOf = ({ worker, toFix, ...count }: WorkCount): WorkSums => ({ ...count, 'to-fix': toFix, worker: worker! });

/** Who has which tasks, and a list of some of them. */
export class WorkOverview {
  readonly #context: Pick<DataContext, 'transport' | 'home' | 'data' | 'refusal'> & OwnAccess;
  readonly #client: LabelClient;
  readonly #edits = new Attempts();
  #place: Overview | null = null;
  #life = new AbortController();
  #next = '';
  /** who may work here; null: it is not known */
  #members = $state.raw<readonly Worker[] | null>(null);
  /** null: not counted yet */
  sums = $state.raw<readonly WorkSums[] | null>(null);
  tasks = $state.raw<readonly Task[]>([]);
  /** the images of the tasks; those that are missing are no longer stored */
  items = $state.raw(noItems);
  hasMore = $state(false);
  isReading = $state(false);
  /** false: the data service knows no tasks */
  isOffered = $state(true);
  failure = $state.raw<ErrorWords | null>(null);
  chosen = $state.raw(idSet());

  constructor(context: Pick<DataContext, 'transport' | 'home' | 'data' | 'refusal'> & OwnAccess) {
    this.#context = context;
    this.#client = labelClientOf(context);
  }

  get editFailure(): ErrorWords | null {
    return this.#edits.failure;
  }
  get isEditing(): boolean {
    return this.#edits.busy;
  }

  /** One's own tasks. */
  readonly mine: WorkSums = $derived.by(() => {
    const worker = ownWorker(this.#context);
    const known = this.sums?.find((sums) => sameWorker(sums.worker, worker));
    return known ?? { worker, 'to-fix': 0, open: 0, done: 0, accepted: 0 };
  });

  /** Tasks of everyone that are to be checked. */
  readonly handedIn: number = $derived.by(() => (this.sums ?? []).reduce((sum, { done }) => sum + done, 0));

  /** How many tasks are to be done that nobody does: their people were removed. */
  readonly abandoned: number = $derived.by(() =>
    (this.sums ?? []).reduce((sum, own) => sum + (this.isGone(own.worker) ? own.open + own['to-fix'] : 0), 0),
  );

  /** Whether somebody who has tasks can no longer work here. */
  isGone(worker: Omit<Worker, 'name'>): boolean {
    if (worker.kind !== 'person' || this.#members === null) return false;
    return ![this.mine.worker, ...this.#members].some((one) => sameWorker(one, worker));
  }

  /** Reads the counts and the first page of the tasks. */
  async show(place: Overview): Promise<void> {
    this.#life.abort();
    this.#life = new AbortController();
    [this.#place, this.#next, this.tasks, this.chosen, this.hasMore, this.isReading] = [
      place,
      '',
      [],
      idSet(),
      true,
      false,
    ];
    this.failure = null;
    await Promise.all([this.#count(place.datasetId), this.more()]);
  }

  async refresh(): Promise<void> {
    if (this.#place) await this.show(this.#place);
  }

  /** Counts again; the list is read again if the counts differ, unless a person has chosen tasks of it. */
  async refreshIfChanged(): Promise<void> {
    if (!this.#place || !this.isOffered) return;
    const before = JSON.stringify(this.sums);
    await this.#count(this.#place.datasetId);
    if (before !== JSON.stringify(this.sums) && this.chosen.size === 0) await this.refresh();
  }

  async #count(datasetId: string): Promise<void> {
    const { signal } = this.#life;
    const { organizationId } = this.#context.home;
    try {
      const { counts } = await this.#client.getWork({ organizationId, datasetId }, { signal });
      const isOfPeople = mayReview(this.#context) && counts.some(({ worker }) => worker?.kind === 'person');
      const members = isOfPeople ? await readMembers(this.#context, signal) : null;
      if (!signal.aborted) [this.sums, this.#members] = [counts.filter(({ worker }) => worker).map(sumsOf), members];
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
    }
  }

  /** Reads the next page of the tasks. */
  async more(): Promise<void> {
    const { signal } = this.#life;
    if (!this.#place || !this.hasMore || this.isReading) return;
    this.isReading = true;
    const { organizationId } = this.#context.home;
    const { datasetId, state, who } = this.#place;
    const [, kind = '', id = ''] = /^([^:]*):(.*)$/s.exec(who) ?? [];
    try {
      const request = { organizationId, datasetId, state, pageSize: pageRows, pageToken: this.#next };
      const answer = await this.#client.listTasks({ ...request, ...(kind && { assignee: { kind, id } }) }, { signal });
      const items = await this.#itemsOf(answer.tasks, signal);
      if (signal.aborted) return;
      this.items = { ...this.items, ...items };
      this.tasks = [...this.tasks, ...answer.tasks];
      [this.#next, this.hasMore] = [answer.nextPageToken, answer.nextPageToken !== ''];
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
    } finally {
      if (!signal.aborted) this.isReading = false;
    }
  }

  async #itemsOf(tasks: readonly Task[], signal: AbortSignal): Promise<KnownItems> {
    const ids = tasks.map(({ binaryDataId }) => binaryDataId);
    const binaryDataIds = ids.filter((id, at) => ids.indexOf(id) === at && !this.items[id]);
    if (binaryDataIds.length === 0) return noItems;
    const data = await this.#context.data.binaryDataByIDs({ binaryDataIds, includeBinary: false }, { signal }).then(
      (answer) => answer.data,
      (error: unknown) => {
        if (ConnectError.from(error).code === Code.NotFound) return []; // one was deleted meanwhile
        throw error;
      },
    );
    return Object.fromEntries(
      data.flatMap(({ metadata }) => (metadata ? [[metadata.binaryDataId, storedItem(metadata)]] : [])),
    );
  }

  #fail(error: unknown): void {
    this.hasMore = false;
    if (ConnectError.from(error).code === Code.Unimplemented) this.isOffered = false;
    else this.failure = errorWords(error);
  }

  choose(task: Task, isChosen: boolean): void {
    this.chosen = withId(this.chosen, task.id, isChosen);
  }
  /** Chooses all tasks that are listed. */
  chooseAll(): void {
    this.chosen = idSet(this.tasks.map(({ id }) => id));
  }

  /** Gives the chosen tasks to another person; resolves to whether it was done. */
  async reassign(assignee: Worker): Promise<boolean> {
    const isDone = await this.#edits.attempt(() => this.#client.reassignTasks({ ids: [...this.chosen], assignee }));
    if (isDone) await this.refresh();
    return isDone;
  }

  /** Takes the chosen tasks away; the boxes that were drawn on the images stay. @throws ConnectError */
  async deleteChosen(): Promise<void> {
    await this.#client.deleteTasks({ ids: [...this.chosen] });
    await this.refresh();
  }

  /** Whether the list shows these tasks alone. */
  isShown(state: TaskState, worker: Worker): boolean {
    return this.#place?.state === state && this.#place.who === workerKey(worker);
  }

  close(): void {
    this.#life.abort();
  }
}
