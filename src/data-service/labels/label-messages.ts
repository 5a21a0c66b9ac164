import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  Box,
  BoxSchema,
  CommentSchema,
  TaskSchema,
  Worker,
  WorkerSchema,
} from '../../gen/sightglass/labels/v1/labels_pb.ts';
import type { Principal } from '../ports/principal.ts';
import { requireBox, requirePlaced } from '../annotation-rules/check-box.ts';
import { actorKey, type Actor } from '../ports/audit-store.ts';
import type { LabelComment, LabelTask } from '../ports/label-store.ts';
import type { BoundingBox } from '../ports/stored-captures.ts';
import { invalidArgument } from '../wire/invalid-argument.ts';
import { toTimestamp } from '../wire/timestamps.ts';
import { mayReview } from './may-review.ts';

/** Longest id and name of a worker, in UTF-16 units. */
const longestName = 400;

export const workerMessage = ({ kind, id, name }: Actor): MessageInitShape<typeof WorkerSchema> => ({ kind, id, name });

/** The worker that a request names. @throws ConnectError InvalidArgument */
export function requireWorker(worker: Worker | undefined, field: string): Actor {
  if (worker === undefined) throw invalidArgument(`${field} is absent; give who it is.`);
  const { kind, id, name } = worker;
  if (!/^[a-z][a-z-]{0,39}$/.test(kind))
    throw invalidArgument(
      `${field}.kind is ${JSON.stringify(kind.slice(0, 80))}; give "person", "key" or "browser", as the audit has it.`,
    );
  if (id.length > longestName || name.length > longestName)
    throw invalidArgument(`${field} has an id or a name of more than ${longestName} characters; give shorter ones.`);
  return { kind, id, name };
}

/** Workers, each once. @throws ConnectError InvalidArgument */
export function requireWorkers(workers: readonly Worker[], field: string, most: number): readonly Actor[] {
  if (workers.length === 0) throw invalidArgument(`${field} is empty; give at least one.`);
  if (workers.length > most) throw invalidArgument(`${field} has ${workers.length} entries; give at most ${most}.`);
  const read = workers.map((worker, index) => requireWorker(worker, `${field}[${index}]`));
  const keys = new Set(read.map(actorKey));
  if (keys.size < read.length) throw invalidArgument(`${field} names somebody twice; give each once.`);
  return read;
}

/** A task as its reader may know it: annotators are not told by which tasks they are measured. */
export function taskMessage(task: LabelTask, principal: Principal): MessageInitShape<typeof TaskSchema> {
  const { id, organizationId, binaryDataId, datasetId, assignee, state, isBlind, boxes, truth, reason } = task;
  return {
    id,
    organizationId,
    binaryDataId,
    datasetId,
    assignee: workerMessage(assignee),
    state,
    blind: isBlind,
    boxes: boxes.map(boxMessage),
    hasTruth: truth !== null && mayReview(principal),
    version: BigInt(task.version),
    created: toTimestamp(task.timeCreated),
    changed: toTimestamp(task.timeChanged),
    changedBy: workerMessage(task.changedBy),
    reason,
  };
}

export const boxMessage = ({ confidence, ...box }: BoundingBox): MessageInitShape<typeof BoxSchema> => ({
  ...box,
  ...(confidence !== null && { confidence }),
});

/** A box of a request, under another id where it has none. @throws ConnectError InvalidArgument */
export const boxOf = (message: Box, id = message.id): BoundingBox => requireBox(fieldsOf(message, id));

/** A box that is there already, as a request says it. @throws ConnectError InvalidArgument */
export const knownBoxOf = (message: Box, id: string): BoundingBox => requirePlaced(fieldsOf(message, id));

function fieldsOf(message: Box, id: string): BoundingBox {
  const { label, xMinNormalized, yMinNormalized, xMaxNormalized, yMaxNormalized, confidence = null } = message;
  return { id, label, xMinNormalized, yMinNormalized, xMaxNormalized, yMaxNormalized, confidence };
}

export const commentMessage = (comment: LabelComment): MessageInitShape<typeof CommentSchema> => ({
  id: comment.id,
  binaryDataId: comment.binaryDataId,
  taskId: comment.taskId,
  author: workerMessage(comment.author),
  created: toTimestamp(comment.timeCreated),
  text: comment.text,
  ...(comment.place !== null && { place: { xNormalized: comment.place.x, yNormalized: comment.place.y } }),
  resolved: comment.isResolved,
});
