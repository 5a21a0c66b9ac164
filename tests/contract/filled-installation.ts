import { serialize } from 'bson';
import type { DataStore } from '../../src/data-service/ports/data-store.ts';
import type { PeopleStore } from '../../src/data-service/ports/people-store.ts';
import type { BinaryRecord } from '../../src/data-service/ports/stored-captures.ts';
import { binaryRecord, box, clientReceipt, tabularFilter, tabularRow } from './data-store/captures.ts';
import { deletionOf } from './data-store/deletions.ts';
import { freeTerms, pipelineOf, runOf } from './data-store/example-pipeline.ts';
import { ada, ben, labelComment, labelScheme, labelTask } from './data-store/labels.ts';
import { invitationOf, join, membershipOf, passkeyOf, personOf, sessionOf } from './data-store/people.ts';
import { sequenceOf } from './data-store/sequences.ts';
import { temperatureIndex } from './data-store/indexes.ts';

export const organizationIds = ['org', 'other'] as const;
/** Upload ids of which clients have receipts: also some that PostgreSQL has no place for, and a long one. */
export const uploadIds = ['upload-1', 'upload-2', 'nul\0', 'x'.repeat(5000)] as const;
/** More than are copied by one transaction. */
export const filesOf = { org: 70, other: 4 } as const;
export const readingsOfEach = 1500;

/** Fills an empty store with something of every kind, through its ports, for two organizations. */
export async function fillInstallation(store: DataStore): Promise<void> {
  for (const [n, organizationId] of organizationIds.entries()) {
    await fillAccess(store, organizationId, n);
    await fillPeople(store.people!, organizationId, n);
    await store.datasets.create({ id: `dataset-${n}`, organizationId, name: 'birds', type: 'binary', timeCreated: 7 });
    const query = { id: `query-${n}`, organizationId, name: 'hot', timeCreated: 3, timeUpdated: 4 };
    await store.savedQueries.create({ ...query, stages: [serialize({ $match: { a: 1 } })] });
    await fillSequences(store, organizationId, n);
    await store.tabular.insert(readingsFor(organizationId), clientReceipt(uploadIds[n]!, { organizationId }));
    const files: BinaryRecord[] = [];
    for (let file = 0; file < filesOf[organizationId]; file++) {
      const record = await putFile(store, organizationId, `file ${file} of ${organizationId}`, file);
      files.push({ ...record, tags: [`SVC_DATASET_dataset-${n}`, 'seen'] });
    }
    await store.binary.insert(files, clientReceipt(uploadIds[n + 2]!, { organizationId }));
    await fillLabels(store, organizationId, n, files[0]!.id);
    const filter = tabularFilter({ organizationId, componentName: 'none' });
    await store.deletions!.put(deletionOf(`deletion-${n}`, { organizationId, filter }));
  }
  await fillPipelines(store);
  await store.indexes.create(temperatureIndex);
  await store.indexes.create({
    ...temperatureIndex,
    collection: { kind: 'pipeline-sink', pipelineId: 'p' },
    name: 'n_1',
    key: [{ path: 'n', direction: 1 }],
  });
}

async function fillSequences({ datasets, sequences }: DataStore, organizationId: string, n: number): Promise<void> {
  const dataset = { id: `clips-${n}`, organizationId, name: 'clips', type: 'sequence', timeCreated: 8 } as const;
  await datasets.create(dataset);
  for (const id of [`sequence-${n}-a`, `sequence-${n}-b`]) await sequences.create(sequenceOf(id, { organizationId }));
  await sequences.edit(organizationId, [`sequence-${n}-b`], (one) => ({ ...one, datasetIds: [dataset.id] }));
}

async function fillLabels({ labels }: DataStore, organizationId: string, n: number, image: string): Promise<void> {
  const of = { organizationId, binaryDataId: image };
  await labels.addTasks(
    [ada, ben].map((assignee) =>
      labelTask(`task-${n}-${assignee.id}`, { ...of, assignee, isBlind: true, truth: [box('owl')] }),
    ),
  );
  await labels.editTasks(organizationId, [`task-${n}-ada`], ({ task, image: file }) => ({
    task: { ...task, state: 'accepted' },
    image: { ...file, accepted: { taskId: task.id, by: 'Ben', time: 9 } },
  }));
  await labels.addComment(labelComment(`comment-${n}`, of));
  await labels.putScheme(labelScheme(1, { organizationId, datasetId: `dataset-${n}` }));
}

/** Stores bytes, and makes the record of a file that has them. */
export async function putFile(
  store: DataStore,
  organizationId: string,
  content: string,
  time: number,
): Promise<BinaryRecord> {
  const bytes = new TextEncoder().encode(content);
  const chunks = (async function* () {
    yield bytes;
  })();
  const { address, sha256, sizeBytes } = await store.blobs.put(chunks, new AbortController().signal);
  return binaryRecord(`${organizationId}/loc/${content.replaceAll(' ', '-')}`, {
    organizationId,
    blobAddress: address,
    sha256,
    sizeBytes,
    timeRequested: Math.floor(time / 2), // two of a time
    boundingBoxes: [box('bird')],
    classifications: [{ id: 'c', label: 'sparrow', confidence: 0.5 }],
  });
}

const readingsFor = (organizationId: string) =>
  Array.from({ length: readingsOfEach }, (_, n) =>
    tabularRow(`${organizationId}-${n}`, {
      organizationId,
      timeRequested: Math.floor(n / 3),
      componentName: `sensor-${n % 4}`,
      tags: n % 50 === 0 ? ['odd'] : [],
      payload: { readings: { temp: n % 7 === 0 ? NaN : n, minus: -0, text: n % 11 === 0 ? '\0' : 'warm' } },
    }),
  );

async function fillAccess({ access }: DataStore, organizationId: string, n: number): Promise<void> {
  const secret = {
    algorithm: 'pbkdf2-sha256',
    iterations: 9,
    salt: Uint8Array.of(1, n),
    hash: Uint8Array.of(2),
  } as const;
  await access.createOrganization({ id: organizationId, name: `name of ${organizationId}`, timeCreated: n });
  await access.createLocation({ id: `loc-${n}`, organizationId, name: 'barn' });
  const robot = { robotId: 'r', robotName: 'rover' };
  await access.createPart({ id: `part-${n}`, name: 'main', ...robot, organizationId, locationId: `loc-${n}` });
  const key = {
    id: `key-${n}`,
    name: 'lab',
    organizationId,
    locationId: null,
    partId: null,
    role: 'owner',
    timeCreated: 1,
  } as const;
  await access.createKey({ ...key, secret });
  const scram = { iterations: 3, salt: Uint8Array.of(0, 1), storedKey: Uint8Array.of(n), serverKey: Uint8Array.of(9) };
  await access.putDatabaseUser({ organizationId, ...scram });
  await access.renewToken(`token-${n}`, 900, 5);
  await access.replaceInstallationSecret(['access-tokens', 'signed-urls'][n]!, Uint8Array.of(n, 255, 0));
}

async function fillPeople(people: PeopleStore, organizationId: string, n: number): Promise<void> {
  const person = personOf(`person-${n}`, { issuer: 'https://id.example', subject: `nul\0${n}` });
  await join(people, person, membershipOf(person.id, { organizationId }), passkeyOf(`passkey-${n}`, person.id));
  await people.createSession(sessionOf(`session-${n}`, person.id));
  await people.createInvitation(invitationOf(`invitation-${n}`, { organizationId }));
}

/** A window that was lost and taken over by a run whose id sorts before, one that is under way, and one of another pipeline. */
async function fillPipelines({ pipelines }: DataStore): Promise<void> {
  await pipelines.create(pipelineOf('p'));
  await pipelines.create(pipelineOf('q', { organizationId: 'other', enabled: false }));
  const [first, second] = [runOf('b-first', 0), runOf('a-second', 0)];
  await pipelines.claim(first, freeTerms);
  await pipelines.updateRun(first, { status: 'failed', errorMessage: 'its host was lost' });
  await pipelines.claim(second, { ...freeTerms, rerunOf: 'b-first' });
  const documents = Array.from({ length: 300 }, (_, n) => serialize({ n, name: 'mean' }));
  await pipelines.complete(second, { timeEnded: 60, dataSeenUntil: 55, documents });
  await pipelines.claim(runOf('c-open', 10), freeTerms);
  await pipelines.claim(runOf('d-other', 0, { pipelineId: 'q', organizationId: 'other' }), freeTerms);
}
