import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import type { LabelService, TaskVersion } from '../../gen/sightglass/labels/v1/labels_pb.ts';
import { principalOf } from '../access/principal.ts';
import type { Principal } from '../ports/principal.ts';
import { requireFewBoxes } from '../annotation-rules/annotation-bounds.ts';
import { permissionDenied, reachableIds, requireBinaryAccess, requireOrganization } from '../access/require-access.ts';
import type { DataServiceDependencies } from '../ports/dependencies.ts';
import { actorKey } from '../ports/audit-store.ts';
import { positionOfCreated, taskBytes, type LabelTask, type TaskCount, type TaskState } from '../ports/label-store.ts';
import { failedPrecondition, invalidArgument, notFound, requireText } from '../wire/invalid-argument.ts';
import { pageLimit } from '../wire/page-limit.ts';
import { readPage } from '../wire/page-token.ts';
import { assignImages } from './assign-images.ts';
import { requireAssignees, requireReach } from './assignees.ts';
import { boxOf, requireWorker, taskMessage, workerMessage } from './label-messages.ts';
import { isOwn, mayReview } from './may-review.ts';
import { changedTask, changeState, requireState, requireVersion } from './task-states.ts';

type TaskRoutes = Pick<
  ServiceImpl<typeof LabelService>,
  'assignImages' | 'listTasks' | 'getWork' | 'setTaskState' | 'reassignTasks' | 'deleteTasks' | 'setTaskBoxes'
>;

const mostIds = 1000;
const longestReason = 2000;
/** A page of tasks ends before they take more, as a page of the audit does. */
const mostBytes = 4 * 2 ** 20;

/** Who labels which image, and how far that is. */
export function taskRoutes(
  dependencies: Pick<DataServiceDependencies, 'store' | 'clock' | 'ids' | 'secrets'>,
): TaskRoutes {
  const { store, clock, ids } = dependencies;
  const { labels } = store;

  /** Tasks that a call names, which its caller may reach. */
  async function requireTasks(principal: Principal, taskIds: readonly string[]): Promise<readonly LabelTask[]> {
    const found = await labels.getTasks(principal.organizationId, taskIds);
    const images = found.flatMap((task) => task?.binaryDataId ?? []);
    const reachable = await reachableIds(store, principal, images);
    // A task of another place is as one that is not there: its image and place are not the caller's to know.
    return found.map((task, index) => {
      if (task === null || !reachable.has(task.binaryDataId)) throw notFound(`There is no task ${taskIds[index]}.`);
      return task;
    });
  }
  const requireTask = async (context: HandlerContext, id: string): Promise<LabelTask> =>
    (await requireTasks(principalOf(context), [requireText(id, 'id')]))[0]!;

  return {
    assignImages: (request, context) => assignImages(dependencies, request, context),
    async listTasks(request, context) {
      const principal = principalOf(context);
      const { organizationId, state, datasetId, binaryDataId } = request;
      requireOrganization(principal, organizationId);
      await requireBinaryAccess(store, principal, [binaryDataId]);
      const asked = request.assignee === undefined ? null : requireWorker(request.assignee, 'assignee');
      if (asked !== null && !mayReview(principal) && !isOwn(principal, { assignee: asked }))
        throw permissionDenied('Only a reviewer sees the tasks of others; you are an annotator.');
      const filter = {
        organizationId,
        locationId: principal.locationId,
        partId: principal.partId,
        assignee: mayReview(principal) ? asked : principal.actor,
        state: state === '' ? ('' as const) : requireState(state),
        datasetId,
        binaryDataId,
      };
      const { entries, nextPageToken } = await readPage(
        request.pageToken,
        pageLimit(BigInt(request.pageSize), false),
        (after, limit) => labels.listTasks(filter, after, limit),
        (task) => positionOfCreated(task),
        { sizeOf: taskBytes, most: mostBytes, readAtOnce: Infinity, endsEmpty: true },
      );
      const withBoxes = request.withBoxes || binaryDataId !== '';
      const tasks = withBoxes ? entries : entries.map((task) => ({ ...task, boxes: [] }));
      return { tasks: tasks.map((task) => taskMessage(task, principal)), nextPageToken };
    },
    async getWork({ organizationId, datasetId }, context) {
      const principal = principalOf(context);
      requireOrganization(principal, organizationId);
      const { locationId, partId } = principal;
      const counts = await labels.countTasks({ organizationId, locationId, partId, datasetId });
      return { counts: workCounts(mayReview(principal) ? counts : counts.filter((one) => isOwn(principal, one))) };
    },
    async setTaskState(request, context) {
      const by = principalOf(context);
      const state = requireState(request.state);
      const task = await requireTask(context, request.id);
      const reason = request.comment.trim();
      if (reason.length > longestReason)
        throw invalidArgument(`comment has ${reason.length} characters; give at most ${longestReason}.`);
      if (request.takeBoxes && !(task.isBlind && state === 'accepted'))
        throw invalidArgument('take_boxes is for a blind task that is accepted; leave it away.');
      if (state === 'to-fix' && reason === '') await requireComment(task);
      const others = await requireOthers(by, task, state, request.acceptedWith);
      const { takeBoxes } = request;
      const change = { state, version: Number(request.version), reason, takeBoxes, by, time: clock.now() };
      const [changed] = await labels.editTasks(by.organizationId, [task.id, ...others.keys()], (found) => {
        const version = others.get(found.task.id);
        return changeState(found, version === undefined ? change : { ...change, version, takeBoxes: false });
      });
      return { task: taskMessage(changed!, by) };
    },
    async reassignTasks(request, context) {
      const by = principalOf(context);
      const [worker] = await requireAssignees(store, by, [requireWorker(request.assignee, 'assignee')]);
      const { place, ...assignee } = worker!;
      const taskIds = requireIds(request.ids);
      await requireTasks(by, taskIds);
      const time = clock.now();
      await labels.editTasks(by.organizationId, taskIds, ({ task, image, others }) => {
        if (actorKey(assignee) === actorKey(task.assignee)) return { task, image };
        requireReach({ ...assignee, place }, image);
        if (task.state === 'accepted')
          throw failedPrecondition(`Task ${task.id} was accepted; reopen it before it is given to somebody else.`);
        if (others.some((other) => actorKey(other.assignee) === actorKey(assignee)))
          throw failedPrecondition(`${assignee.name || 'They'} has a task of image ${image.id} already.`);
        // A blind task begins again without boxes. The boxes of any other are on the image: what was sent back is still to fix.
        const isToFix = task.state === 'to-fix' && !task.isBlind;
        const left = isToFix
          ? ({ state: 'to-fix', reason: task.reason } as const)
          : ({ state: 'open', reason: '' } as const);
        return { task: changedTask(task, { assignee, boxes: [], ...left }, { by, time }), image };
      });
      return {};
    },
    async deleteTasks(request, context) {
      const by = principalOf(context);
      const taskIds = requireIds(request.ids);
      await requireTasks(by, taskIds);
      await labels.editTasks(by.organizationId, taskIds, ({ task, image }) => {
        if (task.state === 'accepted')
          throw failedPrecondition(`Task ${task.id} was accepted; reopen it before it is deleted.`);
        return { task: null, image };
      });
      return {};
    },
    async setTaskBoxes(request, context) {
      const by = principalOf(context);
      const { id } = await requireTask(context, request.id);
      const boxes = request.boxes.map((box) => boxOf(box, box.id === '' ? ids.next() : box.id));
      requireFewBoxes(boxes, 'The task');
      if (new Set(boxes.map((box) => box.id)).size < boxes.length)
        throw invalidArgument('boxes has an id twice; give each box an id of its own, or none.');
      const time = clock.now();
      const [changed] = await labels.editTasks(by.organizationId, [id], ({ task, image }) => {
        if (!isOwn(by, task))
          throw permissionDenied(`The task belongs to ${task.assignee.name || 'somebody else'}; only they draw.`);
        if (!task.isBlind) throw failedPrecondition('The task is not blind: draw on its image.');
        if (task.state !== 'open' && task.state !== 'to-fix')
          throw failedPrecondition(`The task is ${task.state}; it must be open again before more is drawn.`);
        requireVersion(task, Number(request.version));
        return { task: changedTask(task, { boxes }, { by, time }), image };
      });
      return { task: taskMessage(changed!, by) };
    },
  };

  /**
   * The tasks that are accepted with another one: their versions, by their ids.
   * @throws ConnectError InvalidArgument, NotFound
   */
  async function requireOthers(
    by: Principal,
    task: LabelTask,
    state: TaskState,
    named: readonly TaskVersion[],
  ): Promise<ReadonlyMap<string, number>> {
    if (named.length === 0) return new Map();
    if (!(task.isBlind && state === 'accepted'))
      throw invalidArgument('accepted_with is for a blind task that is accepted; leave it away.');
    const versions = new Map(named.map(({ id, version }) => [id, Number(version)]));
    const taskIds = requireIds([...versions.keys()], 'accepted_with');
    if (versions.size < named.length || versions.has(task.id))
      throw invalidArgument('accepted_with names a task twice; name each of the others once.');
    for (const other of await requireTasks(by, taskIds))
      if (!other.isBlind || other.binaryDataId !== task.binaryDataId)
        throw invalidArgument(
          `Task ${other.id} is not a blind task of the same image; accept it by a call of its own.`,
        );
    return versions;
  }

  /** @throws ConnectError InvalidArgument without an unresolved comment on the image */
  async function requireComment({ organizationId, binaryDataId }: LabelTask): Promise<void> {
    const comments = await labels.listComments(organizationId, binaryDataId, null, mostIds);
    if (comments.some(({ isResolved }) => !isResolved)) return;
    throw invalidArgument(
      'comment is empty, and nothing on the image is to be resolved; say why the task is sent back.',
    );
  }
}

/** @throws ConnectError InvalidArgument */
function requireIds(ids: readonly string[], field = 'ids'): readonly string[] {
  if (ids.length === 0) throw invalidArgument(`${field} is empty; give at least one.`);
  if (ids.length > mostIds)
    throw invalidArgument(`${field} has ${ids.length} entries; give at most ${mostIds} a call.`);
  return [...new Set(ids.map((id, index) => requireText(id, `${field}[${index}]`)))];
}

/** Counts by worker, in the order of the workers. */
function workCounts(counts: readonly TaskCount[]) {
  const fields = { open: 'open', done: 'done', 'to-fix': 'toFix', accepted: 'accepted' } as const;
  const byWorker = new Map<string, TaskCount[]>();
  for (const one of counts)
    byWorker.set(actorKey(one.assignee), [...(byWorker.get(actorKey(one.assignee)) ?? []), one]);
  return [...byWorker.values()].map((own) => ({
    worker: workerMessage(own[0]!.assignee),
    ...Object.fromEntries(own.map(({ state, count }) => [fields[state], count])),
  }));
}
