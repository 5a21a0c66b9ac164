import { deserialize, EJSON } from 'bson';
import type { ApiKey, DatabaseUser, Location, Organization, Part, RefusedLogIns } from './access-store.ts';
import { actorKey, type Change, type ChangedThing } from './audit-store.ts';
import type { Dataset } from './dataset-store.ts';
import type { StoredIndex } from './index-store.ts';
import type { LabelComment, LabelScheme, LabelTask } from './label-store.ts';
import type { Pipeline } from './pipeline-store.ts';
import type { SavedQuery } from './saved-query-store.ts';
import type { Sequence } from './sequence-store.ts';
import type { BoundingBox, StructObject } from './stored-captures.ts';

// What stores write into the audit of a change, in one place for all stores: the fields that differ. Captures: describe-capture-changes.ts.

/** A thing with its fields, of which lists are texts: fields are compared by identity. */
export interface Described {
  readonly organizationId: string;
  readonly id: string;
  readonly name: string;
  readonly fields: StructObject;
}

/** The things that a store keeps as a whole, by their kind. */
export interface ChangedEntries {
  readonly dataset: Dataset;
  readonly sequence: Sequence;
  readonly pipeline: Pipeline;
  readonly 'saved-query': SavedQuery;
  readonly index: StoredIndex;
  readonly key: ApiKey;
  readonly organization: Organization;
  readonly location: Location;
  readonly part: Part;
  readonly task: LabelTask;
  readonly comment: LabelComment;
  readonly scheme: LabelScheme;
}

/** The kinds of `AccessStore` that are added and deleted alike. */
export type AccessKind = 'organization' | 'location' | 'part' | 'key';

/** The stages of a pipeline or query as extended JSON. One whose stages cannot be read can still be deleted. */
function stagesOf({ stages }: { readonly stages: readonly Uint8Array[] }): string {
  try {
    return EJSON.stringify(stages.map((stage) => deserialize(stage)));
  } catch {
    return 'unreadable';
  }
}

const describe: { readonly [What in keyof ChangedEntries]: (entry: ChangedEntries[What]) => Described } = {
  dataset: ({ organizationId, id, name, type }) => ({ organizationId, id, name, fields: { name, type } }),
  sequence: ({ organizationId, id, partId, resources, tags, datasetIds, start, end }) => ({
    organizationId,
    id,
    name: '',
    fields: {
      partId,
      start,
      end,
      resources: JSON.stringify(resources),
      tags: JSON.stringify(tags),
      datasetIds: JSON.stringify(datasetIds),
    },
  }),
  pipeline: (pipeline) => {
    const { organizationId, id, name, schedule, enabled, backfill, source } = pipeline;
    const fields = { name, schedule, enabled, backfill, source, stages: stagesOf(pipeline) };
    return { organizationId, id, name, fields };
  },
  'saved-query': (query) => {
    const { organizationId, id, name } = query;
    return { organizationId, id, name, fields: { name, stages: stagesOf(query) } };
  },
  index: ({ organizationId, name, key, options, collection }) => ({
    organizationId,
    id: name,
    name,
    fields: {
      collection: collection.kind,
      ...(collection.kind === 'pipeline-sink' && { pipelineId: collection.pipelineId }),
      key: JSON.stringify(Object.fromEntries(key.map(({ path, direction }) => [path, direction]))),
      options,
    },
  }),
  key: ({ organizationId, id, name, role, locationId, partId }) => ({
    organizationId,
    id,
    name,
    fields: { name, role, locationId, partId },
  }),
  organization: ({ id, name, quotaBytes = null }) => ({ organizationId: id, id, name, fields: { name, quotaBytes } }),
  location: ({ organizationId, id, name }) => ({ organizationId, id, name, fields: { name } }),
  part: ({ organizationId, id, name, robotName, locationId }) => ({
    organizationId,
    id,
    name,
    fields: { name, robotName, locationId },
  }),
  // Tasks and comments are found by their image. What a task's assignee is measured by is in no row.
  task: ({ organizationId, binaryDataId, id, assignee, state, datasetId, isBlind, boxes, reason }) => ({
    organizationId,
    id: binaryDataId,
    name: assignee.name,
    fields: {
      task: id,
      assignee: actorKey(assignee),
      state,
      datasetId,
      blind: isBlind,
      boxes: JSON.stringify(boxes.map(boxFields)),
      reason,
    },
  }),
  comment: ({ organizationId, binaryDataId, id, taskId, author, text, place, isResolved }) => ({
    organizationId,
    id: binaryDataId,
    name: author.name,
    fields: { comment: id, task: taskId, text, place: place && JSON.stringify(place), resolved: isResolved },
  }),
  scheme: ({ organizationId, datasetId, labels, pairs }) => ({
    organizationId,
    id: datasetId,
    name: '',
    fields: { labels: JSON.stringify(labels), ...(pairs && { pairs: JSON.stringify(pairs) }) },
  }),
};

/**
 * Says what of an entry has changed.
 * @param what which kind of entry
 * @param before as it was; null: it is new
 * @param after as it is; null: it was deleted
 * @returns one change, with the fields that differ; no change where none differs
 * @example
 * const dataset = { id: 'd', organizationId: 'a', name: 'birds', type: 'binary', timeCreated: 1 };
 * changesOf('dataset', dataset, { ...dataset, name: 'owls' })[0].after; // => { name: 'owls' }
 * changesOf('dataset', dataset, dataset); // => []
 */
export function changesOf<What extends keyof ChangedEntries>(
  what: What,
  before: ChangedEntries[What] | null,
  after: ChangedEntries[What] | null,
): Change[] {
  if (before === after) return [];
  const changes = fieldsThatDiffer(what, before && describe[what](before), after && describe[what](after));
  return what === 'task' && before !== null && after !== null
    ? changes.map((change) => withBoxesThatDiffer(change, before as LabelTask, after as LabelTask))
    : changes;
}

/** The boxes of a task that was changed, as those of an image: a row with all of them each time would take megabytes. */
function withBoxesThatDiffer(change: Change, before: LabelTask, after: LabelTask): Change {
  if (change.after?.['boxes'] === undefined) return change;
  const { gone, come } = boxesThatDiffer(before.boxes, after.boxes);
  const withBoxes = (fields: StructObject | null, boxes: readonly StructObject[]): StructObject => ({
    ...fields,
    boxes: JSON.stringify(boxes),
  });
  return { ...change, before: withBoxes(change.before, gone), after: withBoxes(change.after, come) };
}

/**
 * Compares boxes by all of their fields. Those that are the very same objects are not looked into: of thousands few change at once.
 * @param before as they were
 * @param after as they are
 * @returns those that are no longer there, and those that are new; a box that has changed is in both
 * @example
 * const box = { id: '1', label: 'cup', confidence: null, xMinNormalized: 0, yMinNormalized: 0, xMaxNormalized: 1, yMaxNormalized: 1 };
 * boxesThatDiffer([box], [{ ...box, label: 'mug' }]).come[0].label; // => 'mug'
 * boxesThatDiffer([box], [{ ...box }]).come; // => []
 */
export function boxesThatDiffer(
  before: readonly BoundingBox[],
  after: readonly BoundingBox[],
): { readonly gone: readonly StructObject[]; readonly come: readonly StructObject[] } {
  const fieldsBeside = (boxes: readonly BoundingBox[], others: readonly BoundingBox[]) => {
    const same = new Set(others);
    return new Map(
      boxes.filter((box) => !same.has(box)).map((box) => [JSON.stringify(boxFields(box)), boxFields(box)] as const),
    );
  };
  const [was, is] = [fieldsBeside(before, after), fieldsBeside(after, before)];
  const without = (boxes: typeof was, others: typeof was) =>
    [...boxes].flatMap(([key, fields]) => (others.has(key) ? [] : [fields]));
  return { gone: without(was, is), come: without(is, was) };
}

/**
 * Says which fields of a thing differ.
 * @param what which kind of thing
 * @param was as it was; null: it is new
 * @param is as it is; null: it is gone
 * @returns one change; no change where no field differs
 * @example
 * const was = { organizationId: 'a', id: 'd', name: 'birds', fields: { name: 'birds', type: 'binary' } };
 * fieldsThatDiffer('dataset', was, { ...was, fields: { name: 'owls', type: 'binary' } })[0].before; // => { name: 'birds' }
 */
export function fieldsThatDiffer(what: ChangedThing, was: Described | null, is: Described | null): Change[] {
  const { organizationId, id, name } = (is ?? was)!;
  const of = { organizationId, what, objectId: id, objectName: name };
  if (was === null || is === null) return [{ ...of, before: was?.fields ?? null, after: is?.fields ?? null }];
  // a thing may have got a field that it had not, and have lost one, as the pairs of a scheme
  const names = Object.keys({ ...was.fields, ...is.fields });
  const differ = names.filter((field) => was.fields[field] !== is.fields[field]);
  const only = (fields: StructObject): StructObject =>
    Object.fromEntries(differ.filter((field) => field in fields).map((field) => [field, fields[field]!]));
  return differ.length === 0 ? [] : [{ ...of, before: only(was.fields), after: only(is.fields) }];
}

/**
 * Says that the reader of the database endpoint has another password.
 * @param before as it was; null: there was none
 * @param after as it is
 * @returns one change, which has neither the password nor the keys by which it is checked
 * @example
 * changesOfDatabaseUser(null, { organizationId: 'a' })[0].after; // => { password: 'set' }
 */
export const changesOfDatabaseUser = (
  before: Pick<DatabaseUser, 'organizationId'> | null,
  { organizationId }: Pick<DatabaseUser, 'organizationId'>,
): Change[] => [
  {
    organizationId,
    what: 'database-user',
    objectId: organizationId,
    objectName: '',
    before: before && {},
    after: { password: before === null ? 'set' : 'replaced' },
  },
];

/**
 * Says that a secret of the installation was replaced. What was signed with the former one is no longer valid, in every organization.
 * @param name of the secret
 * @param organizationIds all organizations
 * @returns a change for each organization
 * @example
 * changesOfSecret('signed-urls', ['a', 'b']).length; // => 2
 */
export const changesOfSecret = (name: string, organizationIds: readonly string[]): Change[] =>
  organizationIds.map((organizationId) => ({
    organizationId,
    what: 'secret',
    objectId: name,
    objectName: name,
    before: {},
    after: { secret: 'replaced' },
  }));

/** A box with its fields in a fixed order: boxes are compared as JSON. */
export const boxFields = (box: BoundingBox): StructObject => ({
  id: box.id,
  label: box.label,
  confidence: box.confidence,
  xMinNormalized: box.xMinNormalized,
  yMinNormalized: box.yMinNormalized,
  xMaxNormalized: box.xMaxNormalized,
  yMaxNormalized: box.yMaxNormalized,
});

/**
 * The row of refused log-ins; of a secret that was shown nothing is said.
 * @param refused with one thing, from one address
 * @returns one change
 * @example
 * const shown = { by: 'key', id: 'k', name: 'lab', organizationId: 'a' };
 * changesOfRefusedLogIns({ shown, address: '1.2.3.4', times: 3 })[0].after; // => { by: 'key', address: '1.2.3.4', times: 3 }
 */
export const changesOfRefusedLogIns = ({ shown, address, times }: RefusedLogIns): Change[] => [
  {
    organizationId: shown.organizationId,
    what: 'refused-log-in',
    objectId: shown.id,
    objectName: shown.name,
    before: null,
    after: { by: shown.by, address, times },
  },
];
