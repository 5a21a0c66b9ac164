import { Code, ConnectError } from '@connectrpc/connect';
import { timestampMs } from '@bufbuild/protobuf/wkt';
import type { Acceptance, Task } from '../../../../gen/sightglass/labels/v1/labels_pb.ts';
import { Attempts } from '../../../kit/edits/attempts.svelte.ts';
import { timeText } from '../../../kit/words/figures.ts';
import type { DataContext } from '../../context/data-context.ts';
import { labelClientOf, tasksOfImage, type LabelClient } from './label-client.ts';
import { mayReview, ownWorker, sameWorker, type OwnAccess, type Worker } from './own-worker.ts';
import { isToDo, type TaskState } from './task-words.ts';

/** How often `ImageWork.announce` is to be called: the service forgets after a minute who is on an image. */
export const announceMs = 20_000;

/** How often the page of an annotator asks whether the shown image has been assigned to them meanwhile. */
export const askForTaskMs = 5000;

const notKnown = 'It is not known yet whether this image is assigned to you.';
const notAssigned = 'This image is not assigned to you; a reviewer may assign it.';

/** The tasks of the shown image, who else is on it, and whether it was accepted. */
export class ImageWork {
  readonly #client: LabelClient;
  readonly #organizationId: string;
  readonly #me: Worker;
  readonly #attempts = new Attempts();
  /** whether the person may check the work of others, as far as the page knows */
  readonly mayReview: boolean;
  #imageId = '';
  #taskId: string | null = null;
  tasks = $state.raw<readonly Task[]>([]);
  /** whether the tasks of the image are known */
  #isRead = $state(false);
  others = $state.raw<readonly Worker[]>([]);
  #accepted = $state.raw<Acceptance | null>(null);
  /** false: the data service knows no tasks */
  isOffered = $state(true);

  constructor(context: Pick<DataContext, 'transport' | 'home' | 'refusal'> & OwnAccess) {
    this.#client = labelClientOf(context);
    this.#organizationId = context.home.organizationId;
    this.#me = ownWorker(context);
    this.mayReview = mayReview(context);
  }

  /** Whether a state is being set. */
  get busy(): boolean {
    return this.#attempts.busy;
  }
  /** Why the last change failed. */
  get failure() {
    return this.#attempts.failure;
  }
  dismissFailure(): void {
    this.#attempts.dismiss();
  }

  /** The task to work on: the one asked for, otherwise one's own, otherwise one to be checked. */
  readonly task: Task | null = $derived.by(
    () =>
      this.tasks.find(({ id }) => id === this.#taskId) ??
      this.tasks.find((task) => !task.blind && this.isMine(task)) ??
      this.tasks.find(({ blind, state }) => !blind && state === 'done') ??
      this.tasks.find(({ blind }) => !blind) ??
      null,
  );

  isMine(task: Task): boolean {
    return sameWorker(task.assignee, this.#me);
  }

  /** Why the person may not draw here, nor tag; '' if they may. */
  readonly lock: string = $derived.by(() => {
    const { task } = this;
    if (task?.blind) return isToDo(task) ? '' : 'This task was handed in: its boxes stay as they are.';
    if (this.#accepted) return acceptedWords(this.#accepted);
    if (this.mayReview || !this.isOffered) return '';
    const mine = this.tasks.find((one) => !one.blind && this.isMine(one));
    if (mine?.state === 'accepted') return acceptedWords({ by: mine.changedBy?.name ?? '', time: mine.changed });
    if (mine) return '';
    return this.#isRead ? notAssigned : notKnown;
  });

  /** Whether it is still asked who may draw here. */
  get isAsking(): boolean {
    return this.lock === notKnown;
  }

  /** Whether the person may comment on the image, and read what is said of it: an annotator where a task of it is theirs. */
  readonly mayComment: boolean = $derived.by(() => this.mayReview || this.tasks.some((task) => this.isMine(task)));

  /** Whether the image becomes drawable by being assigned. */
  get waitsForTask(): boolean {
    return this.lock === notAssigned;
  }

  /** Shows the work on an image. `taskId`: the task that the person came for; `known`: tasks of it that a list has read already. */
  async show(imageId: string, taskId: string | null, known: readonly Task[] = []): Promise<void> {
    this.leave();
    this.#begin(imageId, taskId, known);
    await this.look();
  }

  /** Reads the tasks of an image, and tells nobody that one is on it. */
  async peek(imageId: string): Promise<void> {
    this.#begin(imageId, null, []);
    await this.read();
  }

  #begin(imageId: string, taskId: string | null, known: readonly Task[]): void {
    [this.#imageId, this.#taskId, this.tasks, this.others, this.#accepted] = [imageId, taskId, known, [], null];
    this.#isRead = false;
    this.#attempts.dismiss();
  }

  /** Reads again what became of the image: its tasks, who else is on it, and whether it was accepted. */
  async look(): Promise<void> {
    if (!this.isOffered || this.#imageId === '') return;
    await Promise.all([this.read(), this.announce()]);
  }

  /** Says that one is no longer on the image. */
  leave(): void {
    if (this.#imageId && this.isOffered)
      this.#client.announce({ binaryDataId: this.#imageId, leaving: true }).catch(() => undefined); // the service forgets silent people by itself
    this.#imageId = '';
  }

  /** Reads the tasks again. */
  async read(): Promise<void> {
    const binaryDataId = this.#imageId;
    try {
      const tasks = await tasksOfImage(this.#client, { organizationId: this.#organizationId, binaryDataId });
      if (binaryDataId === this.#imageId) [this.tasks, this.#isRead] = [tasks, true];
    } catch (error) {
      // What cannot be read now is said by the boxes, whose reading fails too.
      if (ConnectError.from(error).code === Code.Unimplemented) this.isOffered = false;
    }
  }

  /** Says on which image one is, and reads who else is on it and whether it was accepted. */
  async announce(): Promise<void> {
    const binaryDataId = this.#imageId;
    if (!this.isOffered || binaryDataId === '') return;
    try {
      const { others, accepted } = await this.#client.announce({ binaryDataId });
      if (binaryDataId === this.#imageId) [this.others, this.#accepted] = [others, accepted ?? null];
    } catch (error) {
      if (ConnectError.from(error).code === Code.Unimplemented) this.isOffered = false;
    }
  }

  /** Sets the state of the task; resolves to whether it was set. If another was faster, the task is read again. */
  async set(state: TaskState, { comment = '', takeBoxes = false } = {}): Promise<boolean> {
    const { task } = this;
    if (!task) return false;
    const { id, version } = task;
    const isSet = await this.#attempts.attempt(() =>
      this.#client.setTaskState({ id, state, version, comment, takeBoxes }),
    );
    await this.look();
    return isSet;
  }
}

function acceptedWords({ by, time }: Pick<Acceptance, 'by' | 'time'>): string {
  const when = time ? ` on ${timeText(timestampMs(time))}` : '';
  return `This image was accepted${by && ` by ${by}`}${when}.`; // who uses the browser has no name
}
