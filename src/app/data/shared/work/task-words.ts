import { timestampMs } from '@bufbuild/protobuf/wkt';
import type { Task } from '../../../../gen/sightglass/labels/v1/labels_pb.ts';
import { timeText } from '../../../kit/words/figures.ts';
import { actorWords } from '../items/actor-words.ts';

/** The states of a task, in the order of the work. */
export const taskStates = ['to-fix', 'open', 'done', 'accepted'] as const;
export type TaskState = (typeof taskStates)[number];

export const stateNames: Readonly<Record<TaskState, string>> = {
  'to-fix': 'To fix',
  open: 'Open',
  done: 'Done',
  accepted: 'Accepted',
};

/** The state of a task. @throws RangeError for one that this version does not know */
export function stateOf({ state }: Pick<Task, 'state'>): TaskState {
  const known = taskStates.find((one) => one === state);
  if (!known) throw new RangeError(`The task is in the state “${state}”, which this version does not know.`);
  return known;
}

/** Whether its author has still something to do. */
export const isToDo = ({ state }: Pick<Task, 'state'>): boolean => state === 'open' || state === 'to-fix';

/** "Accepted by Ada, 2026-03-28 23:50:12 UTC". */
export function changeOfTask(task: Task): string {
  const when = timeText(task.changed ? timestampMs(task.changed) : null);
  const by = task.changedBy ? ` by ${actorWords(task.changedBy)}` : '';
  return `${stateNames[stateOf(task)]}${by}${when && `, ${when}`}`;
}
