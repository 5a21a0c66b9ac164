import type { ServiceImpl } from '@connectrpc/connect';
import type { BoxEdit as BoxEditMessage, LabelService } from '../../gen/sightglass/labels/v1/labels_pb.ts';
import { principalOf } from '../access/principal.ts';
import type { Principal } from '../ports/principal.ts';
import { permissionDenied, requireBinaryAccess } from '../access/require-access.ts';
import type { DataServiceDependencies } from '../ports/dependencies.ts';
import { positionOfCreated, type Assignment, type LabelComment } from '../ports/label-store.ts';
import type { BinaryRecord } from '../ports/stored-captures.ts';
import { seenPage } from '../pages/pages-of.ts';
import { isImage } from '../wire/media-types.ts';
import { invalidArgument, notFound, requireText } from '../wire/invalid-argument.ts';
import { pageLimit } from '../wire/page-limit.ts';
import { readPage } from '../wire/page-token.ts';
import { toTimestamp } from '../wire/timestamps.ts';
import { editBoxes, type BoxEdit, type BoxEditResult } from './box-edits.ts';
import { editLabels } from './edit-labels.ts';
import { boxMessage, boxOf, commentMessage, knownBoxOf, workerMessage } from './label-messages.ts';
import { isOwn, mayReview } from './may-review.ts';

type ImageRoutes = Pick<
  ServiceImpl<typeof LabelService>,
  'editBoxes' | 'addComment' | 'listComments' | 'resolveComment' | 'announce'
>;

const mostEdits = 1000;
const longestText = 2000;
/** How long an announcement holds, in microseconds: pages announce themselves three times as often. */
const presenceMicros = 60_000_000;

/** What several people do on one image: its boxes, comments on it, and who is there. */
export function imageRoutes(dependencies: Pick<DataServiceDependencies, 'store' | 'clock' | 'ids'>): ImageRoutes {
  const { store, clock, ids } = dependencies;
  const { binary, labels } = store;

  async function requireImage(principal: Principal, id: string): Promise<BinaryRecord> {
    await requireBinaryAccess(store, principal, [requireText(id, 'binary_data_id')]);
    const [record] = await binary.get(principal.organizationId, [id]);
    if (record === null || record === undefined) throw notFound(`There is no binary data ${id}.`);
    return record;
  }

  /** An annotator's own tasks of an image; null: the caller is a reviewer, who may see all of it. @throws ConnectError PermissionDenied without any */
  async function requireOwnTasks(principal: Principal, binaryDataId: string): Promise<readonly Assignment[] | null> {
    if (mayReview(principal)) return null;
    const own = await ownTasks(principal, binaryDataId);
    if (own.length === 0) throw permissionDenied('This image is not assigned to you; a reviewer may assign it.');
    return own;
  }
  const ownTasks = ({ organizationId, actor }: Principal, binaryDataId: string): Promise<readonly Assignment[]> =>
    labels.assignments(organizationId, actor, [binaryDataId]);

  return {
    async editBoxes({ binaryDataId, edits }, context) {
      requireText(binaryDataId, 'binary_data_id');
      if (edits.length === 0) throw invalidArgument('edits is empty; give at least one.');
      if (edits.length > mostEdits)
        throw invalidArgument(`edits has ${edits.length} entries; give at most ${mostEdits} a call.`);
      const wanted = edits.map((edit, index) => boxEdit(edit, index, () => ids.next()));
      let results: readonly BoxEditResult[] = [];
      await editLabels(store, principalOf(context), [binaryDataId], (record) => {
        if (!isImage(record.mimeType))
          throw invalidArgument(`Binary data ${record.id} is of type ${record.mimeType}; only images take boxes.`);
        const edited = editBoxes(record, wanted);
        ({ results } = edited);
        return edited.record;
      });
      return {
        results: results.map(({ id, isConflict, box }) => ({
          id,
          conflict: isConflict,
          ...(box !== null && { box: boxMessage(box) }),
        })),
      };
    },

    async addComment({ binaryDataId, taskId, text, place }, context) {
      const principal = principalOf(context);
      const { organizationId, id } = await requireImage(principal, binaryDataId);
      const own = await requireOwnTasks(principal, id);
      if (taskId !== '') {
        const [task] = own?.filter((one) => one.id === taskId) ?? (await labels.getTasks(organizationId, [taskId]));
        if (task?.binaryDataId !== id) throw notFound(`The image has no task ${taskId}.`);
      }
      if (text.length > longestText)
        throw invalidArgument(`text has ${text.length} characters; give at most ${longestText}.`);
      const comment: LabelComment = {
        id: ids.next(),
        organizationId,
        binaryDataId: id,
        taskId,
        author: principal.actor,
        text: requireText(text, 'text'),
        place: place === undefined ? null : requirePlace(place),
        isResolved: false,
        timeCreated: clock.now(),
      };
      await labels.addComment(comment);
      return { comment: commentMessage(comment) };
    },
    async listComments({ binaryDataId, pageSize, pageToken }, context) {
      const principal = principalOf(context);
      await requireBinaryAccess(store, principal, [requireText(binaryDataId, 'binary_data_id')]);
      const own = await requireOwnTasks(principal, binaryDataId);
      const { entries, nextPageToken } = await readPage(
        pageToken,
        pageLimit(BigInt(pageSize), false),
        (after, limit) =>
          seenPage(
            (beyond, asked) => labels.listComments(principal.organizationId, binaryDataId, beyond, asked),
            (comments) => comments.filter((comment) => isForReader(comment, principal, own)),
            positionOfCreated,
            after,
            limit,
          ),
        positionOfCreated,
      );
      return { comments: entries.map(commentMessage), nextPageToken };
    },
    async resolveComment({ binaryDataId, id, resolved }, context) {
      const principal = principalOf(context);
      await requireBinaryAccess(store, principal, [requireText(binaryDataId, 'binary_data_id')]);
      requireText(id, 'id');
      const own = await requireOwnTasks(principal, binaryDataId);
      const comment = await labels.editComment(principal.organizationId, binaryDataId, id, (found) => {
        if (!isForReader(found, principal, own)) throw notFound(`There is no comment ${id}.`);
        return found.isResolved === resolved ? found : { ...found, isResolved: resolved };
      });
      return { comment: commentMessage(comment) };
    },

    async announce({ binaryDataId, leaving }, context) {
      const principal = principalOf(context);
      const { organizationId, id, accepted } = await requireImage(principal, binaryDataId);
      const others = await labels.announce(organizationId, id, principal.actor, leaving ? 0 : presenceMicros);
      const own = mayReview(principal) ? null : await ownTasks(principal, id);
      // Who has a blind task is not told who else is on the image, nor that it was accepted: either could show a honeypot. And who has none
      // is not told that it was accepted either: it may become one.
      if (own?.some(isBlind)) return {};
      return {
        others: others.map(workerMessage),
        ...(accepted &&
          (own === null || own.length > 0) && { accepted: { by: accepted.by, time: toTimestamp(accepted.time) } }),
      };
    },
  };
}

const isBlind = (task: Assignment): boolean => task.isBlind;

/** Who draws blind reads what is said of their own task, and what they said themselves. `own`: null of a reader who may see all. */
const isForReader = (comment: LabelComment, principal: Principal, own: readonly Assignment[] | null): boolean =>
  own === null ||
  !own.some(isBlind) ||
  own.some(({ id }) => id === comment.taskId) ||
  isOwn(principal, { assignee: comment.author });

/** @throws ConnectError InvalidArgument */
function boxEdit({ id, expected, box }: BoxEditMessage, index: number, newId: () => string): BoxEdit {
  if (expected === undefined && box === undefined)
    throw invalidArgument(
      `edits[${index}] has neither expected nor box; give the box as it was, as it shall be, or both.`,
    );
  if (id === '' && expected !== undefined)
    throw invalidArgument(`edits[${index}] has no id; give the id of the box that is changed or removed.`);
  const known = id === '' ? newId() : id;
  return {
    id: known,
    expected: expected === undefined ? null : knownBoxOf(expected, known),
    box: box === undefined ? null : boxOf(box, known),
  };
}

/** @throws ConnectError InvalidArgument */
function requirePlace({
  xNormalized: x,
  yNormalized: y,
}: {
  readonly xNormalized: number;
  readonly yNormalized: number;
}) {
  if (x >= 0 && x <= 1 && y >= 0 && y <= 1) return { x, y };
  throw invalidArgument(`place is ${x}, ${y}; both must be numbers from 0 to 1.`);
}
