import { deserialize, type Document } from 'bson';
import { organizationCommand, type MongoCommand, type OrganizationCall } from './command.ts';
import { countField, documentField, documentsField, refuseOptions, textField } from './command-fields.ts';
import { databaseName } from './database-name.ts';
import { MongoError } from './mongo-error.ts';
import { runQuery } from './run-query.ts';

/** MongoDB's bound on an answer that is one document. */
const maxAnswerBytes = 16 * 1024 * 1024;

/** Options of find that have no counterpart in a pipeline. */
const findOptions = ['min', 'max', 'returnKey', 'showRecordId', 'tailable', 'awaitData', 'let'];

const find = organizationCommand(async (call) => {
  const { document } = call;
  refuseOptions(document, findOptions);
  const name = textField(document, 'find');
  return openCursor(call, name, findStages(document), {
    size: countField(document, 'batchSize'),
    single: document.singleBatch === true,
  });
});

/** What a find asks for, in the order in which MongoDB does it. */
function findStages(find: Document): Document[] {
  const sort = documentField(find, 'sort');
  if ('$natural' in sort && Object.keys(sort).length === 1 && Number(sort.$natural) === 1) delete sort.$natural;
  return [
    ...matchStage(documentField(find, 'filter')),
    ...stageUnlessEmpty('$sort', sort),
    ...cutStages(find),
    ...stageUnlessEmpty('$project', documentField(find, 'projection')),
  ];
}

const aggregate = organizationCommand(async (call) => {
  const { document } = call;
  if (typeof document.aggregate === 'number') {
    throw new MongoError('InvalidNamespace', 'A pipeline reads a collection here, not the whole database.');
  }
  if (document.explain) throw new MongoError('CommandNotSupported', 'explain is not supported here.');
  refuseOptions(document, ['let']);
  const name = textField(document, 'aggregate');
  if (document.cursor === undefined) throw new MongoError('FailedToParse', 'aggregate wants the option cursor, as {}.');
  const size = countField(documentField(document, 'cursor'), 'batchSize');
  return openCursor(call, name, documentsField(document, 'pipeline'), { size, single: false });
});

const count = organizationCommand(async (call) => {
  const { document } = call;
  refuseOptions(document, []);
  const stages = [...matchStage(documentField(document, 'query')), ...cutStages(document), { $count: 'n' }];
  const [row] = await runQuery(call, textField(document, 'count'), stages);
  return { n: row === undefined ? 0 : (deserialize(row).n as number) };
});

const distinct = organizationCommand(async (call) => {
  const { document } = call;
  refuseOptions(document, []);
  const name = textField(document, 'distinct');
  const rows = await runQuery(call, name, [
    ...matchStage(documentField(document, 'query')),
    ...distinctStages(textField(document, 'key')),
  ]);
  if (rows.reduce((sum, row) => sum + row.length, 0) > maxAnswerBytes) {
    throw new MongoError(
      'Location17217',
      'The values are more than 16 MiB; group them by aggregate, which has a cursor.',
    );
  }
  return { values: rows.map((row) => deserialize(row)._id as unknown) };
});

/** The values of a field, one a row in `_id`: an array's elements, null as a value, a missing field as none. */
function distinctStages(key: string): Document[] {
  if (key === '' || key.startsWith('$')) throw new MongoError('BadValue', `key is "${key}"; give the path of a field.`);
  return [
    { $project: { _id: 0, value: `$${key}` } },
    { $unwind: { path: '$value', preserveNullAndEmptyArrays: true } },
    { $match: { value: { $exists: true } } },
    { $group: { _id: '$value' } },
    { $sort: { _id: 1 } },
  ];
}

async function openCursor(
  call: OrganizationCall,
  name: string,
  stages: readonly Document[],
  batch: { readonly size: number | null; readonly single: boolean },
): Promise<Uint8Array> {
  const rows = await runQuery(call, name, stages);
  return call.service.cursors.open(call.organizationId, `${databaseName}.${name}`, rows, batch);
}

const matchStage = (filter: Document): Document[] => stageUnlessEmpty('$match', filter);

const stageUnlessEmpty = (name: string, value: Document): Document[] =>
  Object.keys(value).length === 0 ? [] : [{ [name]: value }];

/** 0 is no limit, as in MongoDB. */
function cutStages(command: Document): Document[] {
  const [skip, limit] = [countField(command, 'skip'), countField(command, 'limit')];
  return [...(skip ? [{ $skip: skip }] : []), ...(limit ? [{ $limit: limit }] : [])];
}

/** Commands that read data, by name. */
export const readCommands: Readonly<Record<string, MongoCommand>> = { find, aggregate, count, distinct };
