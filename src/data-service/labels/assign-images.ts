import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import type { AssignImagesRequest, AssignImagesResponseSchema } from '../../gen/sightglass/labels/v1/labels_pb.ts';
import { principalOf } from '../access/principal.ts';
import type { Principal } from '../ports/principal.ts';
import { requireBinaryAccess, requireOrganization, withinReach } from '../access/require-access.ts';
import { requireBinaryDataset, requireDataset } from '../datasets/require-dataset.ts';
import type { DataServiceDependencies } from '../ports/dependencies.ts';
import { actorKey } from '../ports/audit-store.ts';
import { everyFileOf, positionOf } from '../ports/capture-filter.ts';
import type { LabelTask } from '../ports/label-store.ts';
import type { BinaryRecord } from '../ports/stored-captures.ts';
import { isImage } from '../wire/media-types.ts';
import { invalidArgument, notFound } from '../wire/invalid-argument.ts';
import { readPage } from '../wire/page-token.ts';
import { requireAssignees, requireReach, type Assignee } from './assignees.ts';
import { requireWorkers } from './label-messages.ts';
import { taskPages } from './task-pages.ts';

const mostImages = 1000;
const mostAssignees = 100;
const mostHoneypots = 1000;
/** Tasks of one transaction, which reads their images, of up to 2 MB each. */
const tasksAtOnce = 100;
/** How many accepted images are looked at for honeypots. */
const mostCandidates = 10_000;

type Dependencies = Pick<DataServiceDependencies, 'store' | 'clock' | 'ids' | 'secrets'>;

/** Makes the tasks of a page of images. */
export async function assignImages(
  dependencies: Dependencies,
  request: AssignImagesRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof AssignImagesResponseSchema>> {
  const principal = principalOf(context);
  const { mode, honeypots, imagesBefore } = request;
  requireOrganization(principal, request.organizationId);
  const named = requireWorkers(request.assignees, 'assignees', mostAssignees);
  if (mode !== 'split' && mode !== 'every')
    throw invalidArgument(`mode is ${JSON.stringify(mode.slice(0, 80))}; give "split" or "every".`);
  if (honeypots > mostHoneypots) throw invalidArgument(`honeypots is ${honeypots}; give at most ${mostHoneypots}.`);
  const { images, nextPageToken } = await imagesOf(
    dependencies,
    principal,
    request,
    mode === 'every' ? named.length : 1,
  );
  const assignees = await requireAssignees(dependencies.store, principal, named);

  const making = new TaskMaking(dependencies, principal, request.datasetId);
  // all of an assignment with honeypots are blind: one of them must look like any other
  const isBlind = mode === 'every' || honeypots > 0;
  const wanted = images.flatMap((image, index) =>
    (mode === 'every' ? assignees : [assignees[(imagesBefore + index) % assignees.length]!]).map((assignee) =>
      making.task(image, assignee, { isBlind, truth: null }),
    ),
  );
  const made = await making.add(wanted);
  const assigned = new Set(made.map(({ binaryDataId }) => binaryDataId));
  const known =
    honeypots > 0 && imagesBefore === 0
      ? await making.honeypots(
          assignees.filter((assignee) => made.some((task) => actorKey(task.assignee) === actorKey(assignee))),
          honeypots,
          images.filter(({ id }) => assigned.has(id)),
        )
      : 0;
  return {
    made: made.length + known,
    skipped: images.length - assigned.size,
    images: images.length,
    honeypots: known,
    nextPageToken,
  };
}

/** The images of one call. */
async function imagesOf(
  { store }: Dependencies,
  principal: Principal,
  { binaryDataIds, datasetId, pageToken }: AssignImagesRequest,
  tasksOfEach: number,
): Promise<{ readonly images: readonly BinaryRecord[]; readonly nextPageToken: string }> {
  const { organizationId } = principal;
  if (datasetId !== '') requireBinaryDataset(await requireDataset(store, organizationId, datasetId));
  if (binaryDataIds.length === 0) {
    if (datasetId === '') throw invalidArgument('binary_data_ids and dataset_id are empty; give images or a dataset.');
    const filter = { ...everyFileOf(organizationId), datasetId, ...withinReach(principal) };
    const { entries, nextPageToken } = await readPage(
      pageToken,
      Math.max(1, Math.floor(mostImages / tasksOfEach)),
      (after, limit) => store.binary.page({ filter, order: 'ascending', after, limit }),
      positionOf,
    );
    return { images: entries.filter(({ mimeType }) => isImage(mimeType)), nextPageToken };
  }
  const ids = [...new Set(binaryDataIds)];
  if (ids.length > mostImages)
    throw invalidArgument(`binary_data_ids has ${ids.length} ids; give at most ${mostImages} a call.`);
  await requireBinaryAccess(store, principal, ids);
  const images = (await store.binary.get(organizationId, ids)).map((record, index) => {
    if (record === null) throw notFound(`There is no binary data ${ids[index]}.`);
    if (isImage(record.mimeType)) return record;
    throw invalidArgument(`Binary data ${record.id} is of type ${record.mimeType}; only images are labelled.`);
  });
  return { images, nextPageToken: '' };
}

/** Makes tasks of one call, all of one time. */
class TaskMaking {
  readonly #dependencies: Dependencies;
  readonly #principal: Principal;
  readonly #datasetId: string;
  readonly #now: number;

  constructor(dependencies: Dependencies, principal: Principal, datasetId: string) {
    this.#dependencies = dependencies;
    this.#principal = principal;
    this.#datasetId = datasetId;
    this.#now = dependencies.clock.now();
  }

  task(
    image: Pick<BinaryRecord, 'id' | 'locationId' | 'partId'>,
    assignee: Assignee,
    kind: Pick<LabelTask, 'isBlind' | 'truth'>,
  ): LabelTask {
    requireReach(assignee, image);
    return {
      id: this.#dependencies.ids.next(),
      organizationId: this.#principal.organizationId,
      binaryDataId: image.id,
      locationId: image.locationId,
      partId: image.partId,
      datasetId: this.#datasetId,
      assignee: { kind: assignee.kind, id: assignee.id, name: assignee.name },
      state: 'open',
      ...kind,
      boxes: [],
      version: 1,
      timeCreated: this.#now,
      timeChanged: this.#now,
      changedBy: this.#principal.actor,
      reason: '',
    };
  }

  /** Adds those that may be added, some at a time. */
  async add(tasks: readonly LabelTask[]): Promise<readonly LabelTask[]> {
    const added: LabelTask[] = [];
    for (let from = 0; from < tasks.length; from += tasksAtOnce) {
      added.push(...(await this.#dependencies.store.labels.addTasks(tasks.slice(from, from + tasksAtOnce))));
    }
    return added;
  }

  /**
   * Gives each assignee so many accepted images at random, as far as there are some that they have no task of; resolves to their number.
   * @param assignees those who got other tasks in this call: somebody who got honeypots alone could tell what they are
   * @param among the images of those other tasks; a honeypot must not stand out among them
   */
  async honeypots(assignees: readonly Assignee[], count: number, among: readonly BinaryRecord[]): Promise<number> {
    if (assignees.length === 0) return 0;
    const candidates = await this.#acceptedImages(tagsTell(among));
    let made = 0;
    for (const assignee of assignees) {
      const order = shuffled(candidates, this.#dependencies.secrets.randomBytes(4 * candidates.length));
      for (let from = 0, given = 0; from < order.length && given < count;) {
        const images = order.slice(from, from + count - given);
        from += images.length;
        const added = await this.add(
          images.map((image) => this.task(image, assignee, { isBlind: true, truth: image.boundingBoxes })),
        );
        given += added.length;
        made += added.length;
      }
    }
    return made;
  }

  /** Accepted images, each once, without those that stand out. */
  async #acceptedImages(standsOut: (image: BinaryRecord) => boolean): Promise<readonly BinaryRecord[]> {
    const { labels, binary } = this.#dependencies.store;
    const { organizationId, locationId, partId } = this.#principal;
    const filter = {
      organizationId,
      locationId,
      partId,
      assignee: null,
      state: 'accepted',
      datasetId: this.#datasetId,
      binaryDataId: '',
    } as const;
    const looked = new Set<string>();
    const found: BinaryRecord[] = [];
    for await (const page of taskPages(labels, filter, tasksAtOnce)) {
      const ids = [...new Set(page.map(({ binaryDataId }) => binaryDataId))].filter((id) => !looked.has(id));
      for (const image of await binary.get(organizationId, ids)) {
        if (image?.accepted !== undefined && !standsOut(image)) found.push(image);
      }
      for (const id of ids) looked.add(id);
      if (looked.size >= mostCandidates) break;
    }
    return found;
  }
}

/**
 * Whether an image could be told from others by its tags: it has one that none of them has, or lacks one that all of them have.
 * Annotators see the tags, which also name the datasets of an image.
 */
function tagsTell(others: readonly BinaryRecord[]): (image: BinaryRecord) => boolean {
  const bearers = new Map<string, number>();
  for (const tag of others.flatMap(({ tags }) => tags)) bearers.set(tag, (bearers.get(tag) ?? 0) + 1);
  const ofAll = [...bearers].flatMap(([tag, count]) => (count === others.length ? [tag] : []));
  return ({ tags }) => tags.some((tag) => !bearers.has(tag)) || ofAll.some((tag) => !tags.includes(tag));
}

/** The entries in random order, by four random bytes each. */
function shuffled<Entry>(entries: readonly Entry[], random: Uint8Array): Entry[] {
  const order = [...entries];
  const numbers = new DataView(random.buffer, random.byteOffset, random.byteLength);
  for (let at = order.length - 1; at > 0; at--) {
    const other = Math.floor((numbers.getUint32(4 * at) / 2 ** 32) * (at + 1));
    [order[at], order[other]] = [order[other]!, order[at]!];
  }
  return order;
}
