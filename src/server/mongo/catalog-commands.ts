import { serialize, type Document } from 'bson';
import { everythingOf } from '../../data-service/face/captures.ts';
import { organizationCommand, type MongoCommand, type OrganizationCall } from './command.ts';
import { documentField, textField } from './command-fields.ts';
import { collectionOf, listCollections } from './collections.ts';
import { databaseName } from './database-name.ts';
import { MongoError } from './mongo-error.ts';
import { rawDocument } from './raw-document.ts';

const listDatabases = organizationCommand(async (call) => {
  const isListed = readNameFilter(documentField(call.document, 'filter'));
  if (!isListed({ name: databaseName })) return { databases: [], ...(call.document.nameOnly ? {} : { totalSize: 0 }) };
  if (call.document.nameOnly) return { databases: [{ name: databaseName }] };
  const { count, totalSizeBytes } = await sizeOf(call);
  const database = { name: databaseName, sizeOnDisk: totalSizeBytes, empty: count === 0 };
  return { databases: [database], totalSize: totalSizeBytes, totalSizeMb: Math.floor(totalSizeBytes / 1024 / 1024) };
});

const sizeOf = ({ service, organizationId }: OrganizationCall) =>
  service.store.tabular.summarize({
    ...everythingOf(organizationId),
    includeInternal: false,
    additionalParameters: null,
  });

const listCollectionsCommand = organizationCommand(async (call) => {
  const { document, database } = call;
  const isListed = readNameFilter(documentField(document, 'filter'));
  const collections = database === databaseName ? await listCollections(call) : [];
  const entries = collections
    .map(({ name }): Document => ({ name, type: 'collection' }))
    .filter(isListed)
    .map((entry) => (document.nameOnly ? entry : { ...entry, options: {}, info: { readOnly: true } }));
  return wholeCursor(`${database}.$cmd.listCollections`, entries);
});

const listIndexes = organizationCommand(async (call) => {
  const name = textField(call.document, 'listIndexes');
  const { indexed } = await collectionOf(call, name);
  const indexes = await call.service.store.indexes.list(call.organizationId, indexed);
  const entries = indexes.map(({ key, name }) => ({
    v: 2,
    key: Object.fromEntries(key.map(({ path, direction }) => [path, direction])),
    name,
  }));
  return wholeCursor(`${databaseName}.${name}`, entries);
});

/** The lists are short: they come in one batch. */
const wholeCursor = (namespace: string, entries: readonly Document[]): Uint8Array =>
  rawDocument(
    ['cursor', rawDocument(['id', 0n], ['ns', namespace], ['firstBatch', entries.map((entry) => serialize(entry))])],
    ['ok', 1],
  );

/** A filter of the lists: texts for `name` and `type`, plain or with $eq, $ne, $in or $nin. @throws MongoError BadValue */
function readNameFilter(filter: Document): (entry: Document) => boolean {
  const tests = Object.entries(filter).map(([field, condition]) => {
    const test = ['name', 'type'].includes(field) ? readCondition(condition) : null;
    if (test === null) {
      const words = 'the lists are filtered by name and type, as texts or with $eq, $ne, $in or $nin.';
      throw new MongoError('BadValue', `The filter's ${field} is not understood: ${words}`);
    }
    return (entry: Document) => test(entry[field] as string);
  });
  return (entry) => tests.every((test) => test(entry));
}

function readCondition(condition: unknown): ((text: string) => boolean) | null {
  if (typeof condition === 'string') return (text) => text === condition;
  const [[operator, operand] = [], ...more] = Object.entries((condition ?? {}) as Record<string, unknown>);
  if (more.length > 0) return null;
  if (typeof operand === 'string' && operator === '$eq') return (text) => text === operand;
  if (typeof operand === 'string' && operator === '$ne') return (text) => text !== operand;
  if (Array.isArray(operand) && operator === '$in') return (text) => operand.includes(text);
  if (Array.isArray(operand) && operator === '$nin') return (text) => !operand.includes(text);
  return null;
}

/** Commands that tell what there is, by name. */
export const catalogCommands: Readonly<Record<string, MongoCommand>> = {
  listDatabases,
  listCollections: listCollectionsCommand,
  listIndexes,
};
