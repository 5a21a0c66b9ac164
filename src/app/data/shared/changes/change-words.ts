import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { timestampMs } from '@bufbuild/protobuf/wkt';
import { type ChangedThing, isChangedThing } from '../../../../data-service/face/accounts.ts';
import type { Change } from '../../../../gen/sightglass/audit/v1/audit_pb.ts';
import { byteText, counted, timeText } from '../../../kit/words/figures.ts';
import { datasetTagPrefix } from '../items/stored-item.ts';

/** The names of changed things in a filter. */
export const thingNames: Readonly<Record<ChangedThing, string>> = {
  tags: 'Tags',
  boxes: 'Boxes',
  file: 'Deleted files',
  readings: 'Deleted readings',
  dataset: 'Datasets',
  sequence: 'Sequences',
  pipeline: 'Pipelines',
  'saved-query': 'Saved queries',
  index: 'Indexes',
  key: 'Keys',
  'database-user': 'Database password',
  organization: 'Organization',
  location: 'Locations',
  part: 'Parts',
  secret: 'Secrets of the server',
  task: 'Tasks of labelling',
  comment: 'Comments',
  scheme: 'Label schemes',
  member: 'Members',
  invitation: 'Invitations',
  passkey: 'Passkeys',
  session: 'Log-ins',
  'refused-log-in': 'Refused log-ins',
};

const ofFiles: readonly string[] = ['tags', 'boxes', 'task', 'comment'] satisfies ChangedThing[];

/** Whether a change is of what belongs to a stored file, whose id is then the object's. */
export const isOfFile = ({ what }: Change): boolean => ofFiles.includes(what);

/** The file of such a change: its name, where the change says it. */
export const fileOf = ({ what, objectId, objectName }: Change): string =>
  what === 'tags' || what === 'boxes' ? objectName || objectId : objectId;

export const changeTimeText = ({ time }: Change): string => timeText(time ? timestampMs(time) : null);

const single: Readonly<Record<ChangedThing, string>> = {
  tags: 'tags',
  boxes: 'boxes',
  file: 'file',
  readings: 'readings',
  dataset: 'dataset',
  sequence: 'sequence',
  pipeline: 'pipeline',
  'saved-query': 'saved query',
  index: 'index',
  key: 'key',
  'database-user': 'database password',
  organization: 'organization',
  location: 'location',
  part: 'part',
  secret: 'secret',
  task: 'task',
  comment: 'comment',
  scheme: 'label scheme',
  member: 'member',
  invitation: 'invitation',
  passkey: 'passkey',
  session: 'log-in',
  'refused-log-in': 'refused log-in',
};

/**
 * What a change did, in a line: "tags + cup, − mug", "dataset “birds” deleted", "key “lab”: role operator → owner".
 * @param nameOfDataset names a dataset by its id
 */
export function changeWords(change: Change, nameOfDataset: (id: string) => string): string {
  const { what, objectName, before, after, count } = change;
  const thing = isChangedThing(what) ? single[what] : what;
  if (count > 0) return sumWords(change, nameOfDataset);
  if (what === 'tags')
    return `tags ${listed(after?.['tags'], before?.['tags'], (tag) => tagWords(tag, nameOfDataset))}`;
  if (what === 'boxes') return `boxes ${boxWords(before?.['boxes'], after?.['boxes'])}`;
  if (what === 'readings') return `${counted(Number(before?.['count'] ?? 0), 'reading')} deleted`;
  const isSomebodys = what === 'task' || what === 'comment';
  const named = !objectName ? thing : isSomebodys ? `${thing} of ${objectName}` : `${thing} “${objectName}”`;
  if (what === 'session') return before === undefined ? `${objectName} logged in` : `${objectName} logged out`;
  if (what === 'refused-log-in') return refusalWords(change);
  if (before === undefined) return `${named} made`;
  if (after === undefined) return `${named} deleted`;
  return `${named}: ${fieldWords(before, after)}`;
}

/** A refused log-in tells what was shown and from which address, not who showed it. */
function refusalWords({ objectName, after }: Change): string {
  const from = String(after?.['address'] ?? '') || 'further addresses';
  return `${counted(Number(after?.['times'] ?? 0), 'log-in')} ${shownWords(String(after?.['by'] ?? ''), objectName)} refused, from ${from}`;
}

function shownWords(by: string, name: string): string {
  switch (by) {
    case 'passkey':
      return `with a passkey of “${name}”`;
    case 'invitation':
      return `with the invitation of “${name}”`;
    case 'provider':
      return name === '' ? 'by the provider, of accounts that nobody invited,' : `by the provider as “${name}”`;
    case 'database-user':
      return `as database user “${name}”`;
    default:
      return `with key “${name}”`;
  }
}

/** What all changes of a sum have in common: "tags of 12 files + cup", "3 tasks: state open → done". */
function sumWords({ what, objectName, before, after, count }: Change, nameOfDataset: (id: string) => string): string {
  if (what === 'tags') {
    const words = listed(after?.['tags'], before?.['tags'], (tag) => tagWords(tag, nameOfDataset));
    return `tags of ${counted(count, 'file')} ${words || 'changed'}`;
  }
  if (what === 'boxes') return `boxes of ${counted(count, 'image')} changed`;
  const things = counted(count, isChangedThing(what) ? single[what] : what);
  const isSomebodys = what === 'task' || what === 'comment' || what === 'session';
  const named = !objectName ? things : isSomebodys ? `${things} of ${objectName}` : `${things} “${objectName}”`;
  if (before === undefined) return `${named} made`;
  if (after === undefined)
    return `${named} deleted${what === 'file' ? ` (${byteText(Number(before['sizeBytes'] ?? 0))})` : ''}`;
  const fields = fieldWords(before, after);
  return fields ? `${named}: ${fields}` : `${named} changed`;
}

const textsOf = (value: JsonValue | undefined): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

function listed(come: JsonValue | undefined, gone: JsonValue | undefined, words: (text: string) => string): string {
  const signed = (value: JsonValue | undefined, sign: string) => textsOf(value).map((text) => `${sign} ${words(text)}`);
  return [...signed(come, '+'), ...signed(gone, '−')].join(', ');
}

const tagWords = (tag: string, nameOfDataset: (id: string) => string): string =>
  tag.startsWith(datasetTagPrefix) ? `dataset “${nameOfDataset(tag.slice(datasetTagPrefix.length))}”` : tag;

interface BoxFields {
  readonly id?: unknown;
  readonly label?: unknown;
}
const boxesOf = (value: JsonValue | undefined): readonly BoxFields[] =>
  Array.isArray(value) ? (value as readonly BoxFields[]) : [];

/** A box that was and is there, with other edges or another label, is one that changed. */
function boxWords(before: JsonValue | undefined, after: JsonValue | undefined): string {
  const was = new Map(boxesOf(before).map(({ id, label }) => [id, String(label)]));
  const words: string[] = [];
  for (const { id, label } of boxesOf(after)) {
    const former = was.get(id);
    was.delete(id);
    const now = String(label);
    if (former === undefined) words.push(`+ ${now}`);
    else words.push(former === now ? `${now} moved` : `${former} → ${now}`);
  }
  for (const label of was.values()) words.push(`− ${label}`);
  return words.join(', ');
}

function fieldWords(before: JsonObject, after: JsonObject): string {
  const words = Object.entries(after).map(([field, value]) =>
    before[field] === undefined
      ? `${field} ${valueText(value)}`
      : `${field} ${valueText(before[field])} → ${valueText(value)}`,
  );
  return words.join(', ');
}

const valueText = (value: JsonValue): string =>
  value === null ? 'none' : typeof value === 'object' ? JSON.stringify(value) : String(value);
