import type { IndexedCollection } from '../../data-service/face/stores.ts';
import type { QuerySource } from '../../data-service/face/hosts.ts';
import { allReadings } from '../../data-service/face/queries.ts';
import type { OrganizationCall } from './command.ts';
import { databaseName, readingsName } from './database-name.ts';
import { MongoError } from './mongo-error.ts';

/** The sinks of pipelines are collections of this prefix and the pipeline's name. */
const sinkPrefix = 'pipelines.';

/** A collection, and where queries and indexes find it. */
export interface Collection {
  readonly name: string;
  readonly source: QuerySource;
  readonly indexed: IndexedCollection;
}

const readings: Collection = { name: readingsName, source: allReadings, indexed: { kind: 'hot-store' } };

/** Every collection that the organization has. */
export async function listCollections({ service, organizationId }: OrganizationCall): Promise<readonly Collection[]> {
  const pipelines = await service.store.pipelines.list(organizationId);
  const sinks = pipelines.map(({ id, name }): Collection => ({
    name: sinkPrefix + name,
    source: { kind: 'pipeline-sink', pipelineId: id },
    indexed: { kind: 'pipeline-sink', pipelineId: id },
  }));
  return [readings, ...sinks];
}

/** @throws MongoError Unauthorized for another database, NamespaceNotFound for another name */
export async function collectionOf(call: OrganizationCall, name: string): Promise<Collection> {
  if (call.database !== databaseName) {
    throw new MongoError('Unauthorized', `There is only the database ${databaseName} here, not ${call.database}.`);
  }
  if (name === readingsName) return readings;
  const found = (await listCollections(call)).find((collection) => collection.name === name);
  if (found === undefined) {
    const words = `There is no collection ${name}; there are ${readingsName} and ${sinkPrefix}<name of a pipeline>.`;
    throw new MongoError('NamespaceNotFound', words);
  }
  return found;
}
