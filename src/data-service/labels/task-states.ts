import type { Principal } from '../ports/principal.ts';
import { permissionDenied } from '../access/require-access.ts';
import {
  taskStates,
  type EditedTask,
  type LabelTask,
  type TaskAndImage,
  type TaskState,
} from '../ports/label-store.ts';
import { StoreError } from '../ports/store-error.ts';
import type { BinaryRecord, Micros } from '../ports/stored-captures.ts';
import { failedPrecondition, invalidArgument } from '../wire/invalid-argument.ts';
import { acceptedImage } from './accepted-images.ts';
import { isOwn, mayReview } from './may-review.ts';

/** Which states follow which, and whose step it is: a reviewer may also make those of an assignee. */
const steps: Readonly<Record<TaskState, Partial<Record<TaskState, 'assignee' | 'reviewer'>>>> = {
  open: { done: 'assignee' },
  'to-fix': { done: 'assignee' },
  done: { open: 'assignee', accepted: 'reviewer', 'to-fix': 'reviewer' },
  accepted: { open: 'reviewer', 'to-fix': 'reviewer' },
};

/** A change of a task, as a caller asks for it. */
export interface StateChange {
  readonly state: TaskState;
  readonly version: number;
  /** why it is sent back */
  readonly reason: string;
  /** whether the boxes of a blind task that is accepted become those of the image */
  readonly takeBoxes: boolean;
  readonly by: Principal;
  readonly time: Micros;
}

/** @throws ConnectError InvalidArgument */
export function requireState(state: string): TaskState {
  const known = taskStates.find((one) => one === state);
  if (known !== undefined) return known;
  throw invalidArgument(`state is ${JSON.stringify(state.slice(0, 80))}; give one of ${taskStates.join(', ')}.`);
}

/** @throws StoreError `conflict` where the caller has seen another version */
export function requireVersion(task: LabelTask, version: number): void {
  if (task.version === version) return;
  throw new StoreError(
    'conflict',
    `The task of ${task.assignee.name || 'somebody'} was changed meanwhile; read it again.`,
    { subject: task.id },
  );
}

/** A task after a change by somebody. */
export const changedTask = (
  task: LabelTask,
  changes: Partial<Pick<LabelTask, 'state' | 'boxes' | 'reason' | 'assignee'>>,
  { by, time }: Pick<StateChange, 'by' | 'time'>,
): LabelTask => ({ ...task, ...changes, version: task.version + 1, timeChanged: time, changedBy: by.actor });

/**
 * Changes the state of a task. An accepted one locks its image, unless it is blind and its boxes were not taken.
 * @throws ConnectError PermissionDenied, FailedPrecondition; StoreError `conflict`
 */
export function changeState({ task, image }: TaskAndImage, change: StateChange): EditedTask {
  const { state, reason, by } = change;
  requireVersion(task, change.version);
  requireStep(task, state, by);
  const kept = state === 'to-fix' ? reason : state === 'done' ? task.reason : '';
  return {
    task: changedTask(task, { state, reason: kept }, change),
    image: state === 'accepted' ? accepted(task, image, change) : reopened(task, image),
  };
}

function requireStep(task: LabelTask, state: TaskState, by: Principal): void {
  const whose = steps[task.state][state];
  if (whose === undefined) {
    const possible = Object.keys(steps[task.state]).join(' or ');
    throw failedPrecondition(`The task is ${task.state}; it can become ${possible}, not ${state}.`);
  }
  if (mayReview(by) || (whose === 'assignee' && isOwn(by, task))) return;
  throw permissionDenied(
    whose === 'assignee'
      ? `The task belongs to ${task.assignee.name || 'somebody else'}; only they and reviewers hand it in.`
      : `Only a reviewer makes a task ${state}; you are an annotator.`,
  );
}

function accepted(task: LabelTask, image: BinaryRecord, { takeBoxes, by, time }: StateChange): BinaryRecord {
  if (task.isBlind && !takeBoxes) return image;
  if (image.accepted !== undefined) throw acceptedImage(image.accepted);
  return {
    ...image,
    ...(takeBoxes && { boundingBoxes: task.boxes }),
    accepted: { taskId: task.id, by: by.actor.name, time },
  };
}

function reopened(task: LabelTask, image: BinaryRecord): BinaryRecord {
  if (image.accepted?.taskId !== task.id) return image;
  const { accepted: _ended, ...open } = image;
  return open;
}
