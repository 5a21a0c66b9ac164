import { serialize, type Document } from 'bson';
import { checkedStages, defaultQueryLimits } from '../../data-service/face/queries.ts';
import type { OrganizationCall } from './command.ts';
import { countField } from './command-fields.ts';
import { collectionOf } from './collections.ts';
import { MongoError } from './mongo-error.ts';

const writingStages = ['$out', '$merge'];

/**
 * Runs a pipeline as TabularDataByMQL does: the same check of its stages, the same runner and bounds, the organization
 * of whoever is logged in. `maxTimeMS` of the command can only shorten the deadline.
 * @throws MongoError, QueryError
 */
export async function runQuery(
  call: OrganizationCall,
  collectionName: string,
  stages: readonly Document[],
): Promise<readonly Uint8Array[]> {
  const { service, organizationId, document, signal } = call;
  refuseTransactions(document);
  const writing = stages.flatMap((stage) => Object.keys(stage)).find((name) => writingStages.includes(name));
  if (writing !== undefined) throw new MongoError('Unauthorized', `${writing} writes, and this endpoint only reads.`);
  const { source } = await collectionOf(call, collectionName);
  const deadlineMs = Math.min(countField(document, 'maxTimeMS') || Infinity, defaultQueryLimits.deadlineMs);
  const query = { organizationId, source, stages: checkedStages(stages.map(encodeStage)) };
  const asker = { organizationId, keyId: null, isPipeline: false };
  return service.queryRunner.run(query, asker, { ...defaultQueryLimits, deadlineMs }, signal);
}

/** Encodes a stage. bson may refuse what it has decoded: a field named `_bsontype`, thousands of levels. */
function encodeStage(stage: Document): Uint8Array {
  try {
    return serialize(stage);
  } catch (cause) {
    throw new MongoError('BadValue', `The query cannot be read: ${(cause as Error).message}`, { cause });
  }
}

function refuseTransactions({ startTransaction, autocommit }: Document): void {
  if (startTransaction !== undefined || autocommit !== undefined) {
    throw new MongoError('IllegalOperation', 'There are no transactions here: every query reads for itself.');
  }
}
