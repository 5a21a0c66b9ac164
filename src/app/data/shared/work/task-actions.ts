import type { ImageWork } from './image-work.svelte.ts';
import { isToDo } from './task-words.ts';

/** What a person may do with the task of the shown image. The service has the last word. */
interface TaskActions {
  /** hand it in */
  readonly finish: boolean;
  /** accept it, or send it back */
  readonly review: boolean;
  /** open it again: what was handed in by its author, what was accepted by who reviews it */
  readonly reopen: boolean;
}

export function taskActions(work: Pick<ImageWork, 'task' | 'isMine' | 'mayReview'>): TaskActions {
  const { task, mayReview } = work;
  if (!task) return { finish: false, review: false, reopen: false };
  const { state } = task;
  const isMine = work.isMine(task);
  return {
    finish: isMine && isToDo(task),
    review: mayReview && state === 'done',
    reopen: (mayReview && state === 'accepted') || (isMine && state === 'done'),
  };
}
