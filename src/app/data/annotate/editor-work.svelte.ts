import type { ErrorWords } from '../../kit/words/error-words.ts';
import { actorWords } from '../shared/items/actor-words.ts';
import type { ImageWork } from '../shared/work/image-work.svelte.ts';
import { taskActions } from '../shared/work/task-actions.ts';
import type { TaskState } from '../shared/work/task-words.ts';
import type { ImageComments } from '../shared/work/image-comments.svelte.ts';
import type { WorkCommands } from './keys/editor-actions.ts';
import type { EditorState } from './editor-state.svelte.ts';

export interface EditorWorkPorts {
  /** Saves the boxes. */
  readonly save: () => Promise<void>;
  /** Whether the service has all boxes, each with a label. */
  readonly isSaved: () => boolean;
  /** Whether the person has changed boxes since the image was opened. */
  readonly isChanged: () => boolean;
  /** Shows the next image. */
  readonly goOn: () => void;
}

const unsaved: ErrorWords = {
  message: 'The boxes of this image are not all saved yet.',
  cure: 'Give each box a label, decide conflicts, and try again when they are saved.',
};

/** What keys and buttons of the editor do with the task of the shown image. */
export class EditorWork {
  readonly work: ImageWork;
  readonly comments: ImageComments;
  readonly #ports: EditorWorkPorts;
  /** whether it is asked why the task is sent back */
  public isRejecting = $state(false);
  #isHindered = $state(false);
  /** id of the task that was sent back, and would be handed in without a change */
  #unchanged = $state('');

  constructor(work: ImageWork, comments: ImageComments, ports: EditorWorkPorts) {
    this.work = work;
    this.comments = comments;
    this.#ports = ports;
  }

  /** Why the task was not handed in although the service was not asked; null once all boxes are saved. */
  get hindrance(): ErrorWords | null {
    return this.#isHindered && !this.#ports.isSaved() ? unsaved : null;
  }
  /** Whether it is asked if a task that was sent back is handed in as it is. */
  get asksUnchanged(): boolean {
    const { task } = this.work;
    return task?.state === 'to-fix' && this.#unchanged === task.id && !this.#ports.isChanged();
  }
  handInUnchanged(): void {
    this.#unchanged = '';
    void this.#hand('done');
  }
  dismissHindrance(): void {
    this.#isHindered = false;
  }

  /** What can be done with the task now. */
  readonly commands: WorkCommands = $derived.by(() => {
    const { task } = this.work;
    const { finish, review, reopen } = taskActions(this.work);
    return {
      ...(finish && { 'task-done': () => this.#handIn() }),
      ...(review && {
        'task-accept': () => void this.#hand('accepted', { takeBoxes: task?.blind ?? false }),
        'task-reject': () => (this.isRejecting = true),
      }),
      ...(reopen && { 'task-reopen': () => void this.work.set('open') }),
    };
  });

  /** The same, with what can be done with comments. */
  commandsOf(editor: EditorState): WorkCommands {
    if (!this.comments.isOffered || !this.work.mayComment) return this.commands;
    return {
      ...this.commands,
      'add-comment': () => this.beginComment(editor),
      ...(this.comments.open.length > 0 && { 'next-comment': () => this.#nextComment(editor) }),
    };
  }

  /** Begins a comment in the middle of the selected box, otherwise of the image. */
  beginComment({ boxes }: Pick<EditorState, 'boxes'>): void {
    const box = boxes.single;
    const place = box
      ? { x: (box.xMinNormalized + box.xMaxNormalized) / 2, y: (box.yMinNormalized + box.yMaxNormalized) / 2 }
      : { x: 0.5, y: 0.5 };
    this.comments.begin(place);
  }

  #nextComment(editor: EditorState): void {
    const comment = this.comments.chooseNext();
    if (comment) editor.say(`${actorWords(comment.author)}: ${comment.text}`);
  }

  async reject(reason: string): Promise<void> {
    if (await this.#hand('to-fix', { comment: reason })) this.isRejecting = false;
  }

  /** Who sent a task back wants something changed: without a change it is asked once. */
  #handIn(): void {
    const { task } = this.work;
    this.#unchanged = task?.state === 'to-fix' && !this.#ports.isChanged() ? task.id : '';
    if (this.#unchanged === '') void this.#hand('done');
  }

  async #hand(state: TaskState, options: Parameters<ImageWork['set']>[1] = {}): Promise<boolean> {
    await this.#ports.save();
    this.#isHindered = !this.#ports.isSaved();
    if (this.#isHindered) return false;
    const { task } = this.work;
    if (task?.blind && this.work.isMine(task)) await this.work.read(); // each box that was saved made another version of it
    const isSet = await this.work.set(state, options);
    if (isSet) this.#ports.goOn();
    return isSet;
  }
}
