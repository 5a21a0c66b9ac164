import type { DBSchema, IDBPDatabase, IDBPTransaction, StoreNames } from 'idb';
import type {
  ApiKey,
  AuditRow,
  DatabaseUser,
  Location,
  Organization,
  Part,
} from '../../../../data-service/face/accounts.ts';
import type {
  BinaryRecord,
  Micros,
  Sequence,
  StructObject,
  TabularRow,
  UploadReceipt,
} from '../../../../data-service/face/captures.ts';
import type {
  Dataset,
  LabelComment,
  LabelScheme,
  LabelTask,
  Pipeline,
  PipelineRun,
  SavedQuery,
  StoredIndex,
} from '../../../../data-service/face/stores.ts';
import { parseStreamKey, type StreamEntry } from '../../../data-store/capture-stream.ts';
import { taskIndexes, type Presence } from '../../../data-store/label-rules.ts';
import type { ResultSheet } from '../../../data-store/result-sheets.ts';
import type { Migration } from '../idb-opening.ts';
import type { KeptBlob } from '../kept-blob.ts';
import { sumByDay, type Tallied } from './tally-days.ts';

/** A capture as it is kept: found by its place in time, by its stream and by its marks. */
export interface StoredCapture<Capture extends BinaryRecord | TabularRow> {
  readonly time: Micros;
  readonly id: string;
  readonly stream: number;
  /** `[stream, mark, time, id]` each: an index can be of many values or of several fields, not both */
  readonly marks: readonly (readonly [number, string, Micros, string])[];
  readonly organizationId: string;
  /** keys by which the indexes of clients find the row */
  readonly fields?: readonly FieldKey[];
  readonly entry: StreamEntry<Capture>;
}

export type FieldKey = [index: number, value: number | string | number[], time: Micros, id: string];

/** The last place that a sheet of a stream holds, and the one before its first. */
export type SheetKey = [stream: number, endTime: Micros, endId: string, fromTime: Micros, fromId: string];

export type SequenceMember = [organizationId: string, datasetId: string, timeCreated: Micros, id: string];

type Place = [time: Micros, id: string];

/** A task beside what it is found by. */
export interface StoredTask {
  readonly id: string;
  readonly organization_id: string;
  readonly binary_data_id: string;
  readonly dataset_id: string;
  readonly assignee: string;
  readonly state: string;
  readonly time: Micros;
  readonly task: LabelTask;
}

export interface DataSchema extends DBSchema {
  organizations: { key: string; value: Organization };
  locations: { key: string; value: Location; indexes: { organization: string } };
  parts: { key: string; value: Part; indexes: { organization: string } };
  keys: { key: string; value: ApiKey; indexes: { organization: string } };
  databaseUsers: { key: string; value: DatabaseUser };
  /** until when access tokens are good */
  tokenRenewals: { key: string; value: Micros };
  installationSecrets: { key: string; value: Uint8Array };
  datasets: { key: string; value: Dataset; indexes: { name: [organizationId: string, name: string] } };
  savedQueries: {
    key: string;
    value: SavedQuery;
    indexes: {
      name: [organizationId: string, name: string];
      time: [organizationId: string, timeCreated: Micros, id: string];
    };
  };
  sequences: {
    key: string;
    value: {
      readonly sequence: Sequence;
      /** a place for each dataset that it is a member of */
      readonly members: readonly SequenceMember[];
    };
    indexes: { time: [organizationId: string, timeCreated: Micros, id: string]; members: SequenceMember };
  };
  pipelines: { key: string; value: Pipeline; indexes: { name: [organizationId: string, name: string] } };
  /** keys count up: of two runs of a window the newer one has the larger key */
  runs: {
    key: number;
    value: PipelineRun;
    indexes: {
      id: string;
      window: [pipelineId: string, windowStart: Micros];
      place: [pipelineId: string, windowStart: Micros, id: string];
    };
  };
  sinks: { key: [pipelineId: string, key: string]; value: Uint8Array };
  receipts: { key: [organizationId: string, uploadId: string]; value: UploadReceipt; indexes: { time: Micros } };
  streams: { key: number; value: { readonly collection: string; readonly key: string } };
  binary: {
    key: Place;
    value: StoredCapture<BinaryRecord>;
    indexes: {
      id: string;
      stream: [stream: number, time: Micros, id: string];
      marks: [stream: number, mark: string, time: Micros, id: string];
      blob: string;
    };
  };
  tabular: {
    key: Place;
    value: StoredCapture<TabularRow>;
    indexes: {
      stream: [stream: number, time: Micros, id: string];
      marks: [stream: number, mark: string, time: Micros, id: string];
      arrival: [organizationId: string, timeSynced: Micros, id: string];
      fields: FieldKey;
    };
  };
  /** readings of a stream, as `tabular` holds them, packed (idb-sheets.ts) */
  sheets: {
    key: SheetKey;
    value: {
      readonly times: Float64Array;
      /** JSON text of an array */
      readonly ids: string;
      /** JSON texts of the payloads, one after the other, and where each ends */
      readonly texts: string;
      readonly ends: Uint32Array;
      /** payloads that JSON text would change */
      readonly unusual: readonly (readonly [index: number, payload: StructObject])[];
    };
  };
  /** how many captures a stream has on a day since 1970, and their bytes (idb-tallies.ts) */
  tallies: { key: [stream: number, day: number]; value: { readonly count: number; readonly bytes: number } };
  /** results of vision services on a stream's frames in a quarter of an hour (result-sheets.ts) */
  resultSheets: { key: [stream: number, quarter: number]; value: ResultSheet };
  fieldIndexes: {
    key: number;
    value: {
      readonly organizationId: string;
      readonly collection: string;
      readonly name: string;
      readonly path: string;
      readonly isBuilt: boolean;
      readonly index: StoredIndex;
    };
    indexes: { name: [organizationId: string, collection: string, name: string] };
  };
  sinkIndexes: {
    key: number;
    value: {
      readonly pipelineId: string;
      readonly name: string;
      readonly path: string;
      readonly isBuilt: boolean;
      readonly index: StoredIndex;
    };
    indexes: { name: [pipelineId: string, name: string] };
  };
  sinkValues: {
    key: [index: number, value: number | string | number[], key: string];
    value: { readonly index: number; readonly key: string };
    indexes: { place: [index: number, key: string] };
  };
  auditRows: {
    key: [organizationId: string, time: Micros, id: string];
    value: AuditRow;
    indexes: {
      actor: [organizationId: string, kind: string, id: string, time: Micros, rowId: string];
      what: [organizationId: string, what: string, time: Micros, rowId: string];
      actorWhat: [organizationId: string, kind: string, id: string, what: string, time: Micros, rowId: string];
      object: [organizationId: string, objectId: string, time: Micros, rowId: string];
    };
  };
  labelTasks: {
    key: string;
    value: StoredTask;
    /** `taskIndexes`, as `by assignee state` */
    indexes: Record<string, IDBValidKey>;
  };
  labelComments: { key: string; value: LabelComment; indexes: { image: [string, string, Micros, string] } };
  labelSchemes: { key: [organizationId: string, datasetId: string]; value: LabelScheme };
  /** by the end, so that what is over is found */
  labelPresence: {
    key: [organizationId: string, binaryDataId: string, worker: string];
    value: Presence;
    indexes: { end: Micros };
  };
  blobs: { key: string; value: { readonly bytes: KeptBlob; readonly timeStored: Micros } };
}

export type StoreName = StoreNames<DataSchema>;
export type ReadTransaction = IDBPTransaction<DataSchema, StoreName[], 'readonly'>;
export type WriteTransaction = IDBPTransaction<DataSchema, StoreName[], 'readwrite'>;
type Upgrade = IDBPTransaction<DataSchema, StoreName[], 'versionchange'>;

export const migrations: readonly Migration<DataSchema>[] = [
  (database) => {
    const byId = { keyPath: 'id' };
    database.createObjectStore('organizations', byId);
    for (const name of ['locations', 'parts', 'keys'] as const) {
      database.createObjectStore(name, byId).createIndex('organization', 'organizationId');
    }
    database.createObjectStore('databaseUsers', { keyPath: 'organizationId' });
    database.createObjectStore('installationSecrets');
    for (const name of ['datasets', 'pipelines'] as const) {
      database.createObjectStore(name, byId).createIndex('name', ['organizationId', 'name'], { unique: true });
    }
    const queries = database.createObjectStore('savedQueries', byId);
    queries.createIndex('name', ['organizationId', 'name'], { unique: true });
    queries.createIndex('time', ['organizationId', 'timeCreated', 'id']);
    const runs = database.createObjectStore('runs', { autoIncrement: true });
    runs.createIndex('id', 'id', { unique: true });
    runs.createIndex('window', ['pipelineId', 'window.start']);
    runs.createIndex('place', ['pipelineId', 'window.start', 'id']);
    database.createObjectStore('sinks');
    const receipts = database.createObjectStore('receipts', { keyPath: ['organizationId', 'uploadId'] });
    receipts.createIndex('time', 'timeSynced');
    database.createObjectStore('streams', { autoIncrement: true });
    const binary = database.createObjectStore('binary', { keyPath: ['time', 'id'] });
    binary.createIndex('id', 'id', { unique: true });
    binary.createIndex('blob', 'entry.blobAddress');
    const tabular = database.createObjectStore('tabular', { keyPath: ['time', 'id'] });
    tabular.createIndex('arrival', ['organizationId', 'entry.timeSynced', 'id']);
    binary.createIndex('stream', ['stream', 'time', 'id']);
    binary.createIndex('marks', 'marks', { multiEntry: true });
    tabular.createIndex('fields', 'fields', { multiEntry: true });
    tabular.createIndex('stream', ['stream', 'time', 'id']);
    tabular.createIndex('marks', 'marks', { multiEntry: true });
    const fieldIndexes = database.createObjectStore('fieldIndexes', { autoIncrement: true });
    fieldIndexes.createIndex('name', ['organizationId', 'collection', 'name'], { unique: true });
    database.createObjectStore('blobs');
  },
  (database) => database.createObjectStore('sheets'),
  (database) => database.createObjectStore('tokenRenewals'),
  (database) => {
    const indexes = database.createObjectStore('sinkIndexes', { autoIncrement: true });
    indexes.createIndex('name', ['pipelineId', 'name'], { unique: true });
    database.createObjectStore('sinkValues').createIndex('place', ['index', 'key']);
  },
  tallyAll,
  (database) => database.createObjectStore('resultSheets'),
  (database) => {
    const sequences = database.createObjectStore('sequences', { keyPath: 'sequence.id' });
    sequences.createIndex('time', ['sequence.organizationId', 'sequence.timeCreated', 'sequence.id']);
    sequences.createIndex('members', 'members', { multiEntry: true });
  },
  (database) => {
    const place = ['time', 'id'];
    const rows = database.createObjectStore('auditRows', { keyPath: ['organizationId', ...place] });
    rows.createIndex('actor', ['organizationId', 'actor.kind', 'actor.id', ...place]);
    rows.createIndex('what', ['organizationId', 'what', ...place]);
    rows.createIndex('actorWhat', ['organizationId', 'actor.kind', 'actor.id', 'what', ...place]);
    rows.createIndex('object', ['organizationId', 'objectId', ...place]);
  },
  (database) => {
    const tasks = database.createObjectStore('labelTasks', { keyPath: 'id' });
    for (const columns of taskIndexes) {
      tasks.createIndex(['by', ...columns].join(' '), ['organization_id', ...columns, 'time', 'id']);
    }
    const comments = database.createObjectStore('labelComments', { keyPath: 'id' });
    comments.createIndex('image', ['organizationId', 'binaryDataId', 'timeCreated', 'id']);
    database.createObjectStore('labelSchemes', { keyPath: ['organizationId', 'datasetId'] });
    database.createObjectStore('labelPresence').createIndex('end', 'until');
  },
  addParts,
];

/** Gives keys their part, which are of all parts, and tasks that of their image. */
export async function addParts(_: unknown, upgrade: Upgrade): Promise<void> {
  const [keys, tasks] = [upgrade.objectStore('keys'), upgrade.objectStore('labelTasks')];
  for (const key of await keys.getAll()) await keys.put({ ...key, partId: null });
  for (const kept of await tasks.getAll()) {
    const image = await upgrade.objectStore('binary').index('id').get(kept.binary_data_id);
    const stream = image && (await upgrade.objectStore('streams').get(image.stream));
    await tasks.put({ ...kept, task: { ...kept.task, partId: stream ? parseStreamKey(stream.key).partId : '' } });
  }
}

const rowsAtOnce = 1000;

/** Counts what was kept before there were tallies. */
async function tallyAll(database: IDBPDatabase<DataSchema>, upgrade: Upgrade): Promise<void> {
  const tallies = database.createObjectStore('tallies');
  for (const name of ['binary', 'tabular'] as const) {
    const kept: Tallied[] = [];
    for (let beyond: IDBKeyRange | null = null, isMore = true; isMore;) {
      const rows: StoredCapture<BinaryRecord | TabularRow>[] = await upgrade
        .objectStore(name)
        .getAll(beyond, rowsAtOnce);
      for (const { stream, time, entry } of rows) kept.push({ stream, time, sizeBytes: entry.sizeBytes });
      isMore = rows.length === rowsAtOnce;
      if (isMore) beyond = IDBKeyRange.lowerBound([rows.at(-1)!.time, rows.at(-1)!.id], true);
    }
    for (const { key, count, bytes } of sumByDay(kept, 1)) await tallies.put({ count, bytes }, key);
  }
}
