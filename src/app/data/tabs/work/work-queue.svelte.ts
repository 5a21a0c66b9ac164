import type { Task } from '../../../../gen/sightglass/labels/v1/labels_pb.ts';
import { taskPictureId } from '../../annotate/saving/task-pictures.ts';
import type { DataContext } from '../../context/data-context.ts';
import { groupedBy } from '../../shared/work/id-set.ts';
import { labelClientOf, type LabelClient } from '../../shared/work/label-client.ts';
import { ownWorker, type OwnAccess } from '../../shared/work/own-worker.ts';
import type { TaskState } from '../../shared/work/task-words.ts';

/** Most tasks of a queue that are read at once; what lies beyond comes when these are done. */
const mostTasks = 1000;

/** The tasks of one image that were handed in. */
export interface HandedIn {
  readonly imageId: string;
  readonly tasks: readonly Task[];
}

/** The id under which the box editor shows the image of a task. */
export const pictureIdOf = ({ id, blind, binaryDataId }: Task): string =>
  blind ? taskPictureId(id, binaryDataId) : binaryDataId;

/** The tasks that a person goes through one after the other, in the order in which they were when the queue was read. */
export class WorkQueue {
  readonly #context: Pick<DataContext, 'transport' | 'home'> & OwnAccess;
  readonly #client: LabelClient;
  /** null: not read yet */
  tasks = $state.raw<readonly Task[] | null>(null);

  constructor(context: Pick<DataContext, 'transport' | 'home'> & OwnAccess) {
    this.#context = context;
    this.#client = labelClientOf(context);
  }

  /** The pictures of the tasks, as the box editor takes them. */
  readonly pictureIds: readonly string[] = $derived.by(() => (this.tasks ?? []).map(pictureIdOf));

  /** The images handed in, each with its tasks. */
  readonly images: readonly HandedIn[] = $derived.by(() =>
    [...groupedBy(this.tasks ?? [], ({ binaryDataId }) => binaryDataId)].map(([imageId, tasks]) => ({
      imageId,
      tasks,
    })),
  );

  /** Reads one's own tasks that are to be done: first what was sent back. @throws ConnectError */
  async readMine(signal: AbortSignal): Promise<void> {
    const assignee = ownWorker(this.#context);
    const [toFix, open] = await Promise.all([
      this.#list({ assignee, state: 'to-fix' }, signal),
      this.#list({ assignee, state: 'open' }, signal),
    ]);
    this.tasks = [...toFix, ...open];
  }

  /** Reads the tasks that are to be checked. @throws ConnectError */
  async readHandedIn(signal: AbortSignal): Promise<void> {
    this.tasks = await this.#list({ state: 'done' }, signal);
  }

  async #list(
    filter: { readonly assignee?: ReturnType<typeof ownWorker>; readonly state: TaskState },
    signal: AbortSignal,
  ): Promise<readonly Task[]> {
    const { organizationId } = this.#context.home;
    const { tasks } = await this.#client.listTasks({ organizationId, ...filter, pageSize: mostTasks }, { signal });
    return tasks;
  }

  /** Takes a task that is settled out of the queue; returns the one after it, or the first one. null: none is left. */
  settle(isSettled: (task: Task) => boolean): Task | null {
    const tasks = this.tasks ?? [];
    const at = tasks.findIndex(isSettled);
    this.tasks = tasks.filter((task) => !isSettled(task));
    const after = tasks.slice(at + 1).find((task) => !isSettled(task));
    return after ?? this.tasks[0] ?? null;
  }
}
