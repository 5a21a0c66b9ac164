import type { DescMethod } from '@bufbuild/protobuf';
import { requirementOf } from '../../src/data-service/access/operation-roles.ts';
import { FleetService } from '../../src/data-service/wire/fleet-service.ts';
import { DataService } from '../../src/gen/app/data/v1/data_pb.ts';
import { DataPipelinesService } from '../../src/gen/app/datapipelines/v1/data_pipelines_pb.ts';
import { DatasetService } from '../../src/gen/app/dataset/v1/dataset_pb.ts';
import { DataSyncService } from '../../src/gen/app/datasync/v1/data_sync_pb.ts';
import { RobotService } from '../../src/gen/app/v1/robot_pb.ts';
import { AuthService } from '../../src/gen/proto/rpc/v1/auth_pb.ts';
import { AuditService } from '../../src/gen/sightglass/audit/v1/audit_pb.ts';
import { LabelService } from '../../src/gen/sightglass/labels/v1/labels_pb.ts';
import { QueryService } from '../../src/gen/sightglass/query/v1/query_pb.ts';
import { PeopleService, SessionService } from '../../src/gen/sightglass/people/v1/people_pb.ts';
import { ReplayService } from '../../src/gen/sightglass/replay/v1/replay_pb.ts';
import { StorageService } from '../../src/gen/sightglass/storage/v1/storage_pb.ts';
import { dataServices } from '../data-services.ts';

/** The columns of the table: a client and a host each. */
export const columns = [
  'Browser: the app',
  'Server: SDK, Node',
  'Server: SDK, Chromium',
  'Server: SDK, Python',
  'Server: grpc-js',
  'Server: Connect',
  'Server: Go',
  'Server: mongodb',
  'Server: fetch',
] as const;
export type Column = (typeof columns)[number];

/** The result of an operation: it works, or the host reports with this code that it does not support it. */
export type Mark = '✓' | 'FailedPrecondition';

/** The results of the operations in a column that passed tests have called. */
export type Marks = Readonly<Record<string, Mark>>;

/** Access with a key that is not an RPC method. */
const otherKeys: Readonly<Record<string, string>> = {
  'uri with Bearer': 'annotator',
  'uri with key_id and key': 'annotator',
  'byte range': 'annotator',
};

/** The lowest role whose key may call an operation; `*`: a key for the whole organization. */
function keyOf(operation: string): string {
  const method = dataServices
    .flatMap(({ methods }) => methods as readonly DescMethod[])
    .find(({ name }) => name === operation);
  if (method === undefined) return otherKeys[operation] ?? none;
  const { role, wholeOrganization } = requirementOf(method);
  return role === null ? none : `${role}${wholeOrganization ? '\\*' : ''}`;
}

/** Operations whose answers may be unexpected. docs/clients.md explains why, and their names link there. */
const surprising: ReadonlySet<string> = new Set([
  'DataCaptureUpload',
  'CreateDataPipeline',
  'CreateIndex',
  'BinaryDataByIDs',
  'CreateBinaryDataSignedURL',
  'RemoveTagsFromBinaryDataByIDs',
  'RemoveTagsFromBinaryDataByFilter',
  'TagsByFilter',
  'CreateSequence',
  'Log',
]);
const nameOf = (operation: string): string =>
  surprising.has(operation) ? `[${operation}](clients.md#where-an-answer-may-surprise)` : operation;

const names = (service: { readonly methods: readonly { readonly name: string }[] }, pattern = /./): string[] =>
  service.methods.map(({ name }) => name).filter((name) => pattern.test(name));

/** Every operation by area, in the order of the table. A test fails if an RPC is missing here. */
export const areas: Readonly<Record<string, readonly string[]>> = {
  Authentication: names(AuthService),
  Uploads: names(DataSyncService),
  'Tabular data': names(DataService, /^(Export|GetLatest)?TabularData(ByFilter)?$/),
  Queries: [...names(DataService, /BySQL$|ByMQL$/), ...names(QueryService), ...names(DataService, /SavedQuer/)],
  'Binary data': names(DataService, /^(BinaryDataBy|CreateBinaryDataSignedURL)/),
  Downloads: ['uri with Bearer', 'uri with key_id and key', 'signed URL', 'byte range'],
  Tags: names(DataService, /Tags/),
  Boxes: names(DataService, /BoundingBox/),
  Datasets: [...names(DatasetService, /^(?!.*Sequence)/), ...names(DataService, /BinaryData(To|From)Dataset/)],
  Deletes: names(DataService, /^Delete(Tabular|Binary)Data/),
  Pipelines: names(DataPipelinesService),
  Indexes: names(DataService, /Index/),
  'Database access': [...names(DataService, /Database/), 'MongoDB find', 'MongoDB aggregate', 'MongoDB count'],
  Storage: names(StorageService),
  Replay: names(ReplayService),
  Audit: names(AuditService),
  Labelling: names(LabelService),
  'Machines by name': names(FleetService),
  'Logs of machines': names(RobotService),
  'Log-in': names(SessionService),
  People: names(PeopleService),
  'Sequences, Parquet': [...names(DataService, /Sequence/), ...names(DatasetService, /Sequence/)],
};

const [begin, end] = ['<!-- operation table: begin, written by `npm run table` -->', '<!-- operation table: end -->'];

/** Parses the marks of each column from docs/data-service.md. */
export function readTable(readme: string): Record<Column, Marks> {
  const table = Object.fromEntries(columns.map((column) => [column, {}])) as Record<Column, Record<string, Mark>>;
  const [head = [], , ...rows] = blockOf(readme)
    .split('\n')
    .map((line) => line.slice(1, -1).split('|'))
    .map((cells) => cells.map((cell) => cell.trim()));
  for (const cells of rows) {
    for (const operation of (cells[1] ?? '').replaceAll(/\[(.*?)\]\(.*?\)/g, '$1').split(', ')) {
      for (const column of columns) {
        const cell = cells[head.indexOf(column)];
        if (cell !== undefined && cell !== none) table[column][operation] = cell as Mark;
      }
    }
  }
  return table;
}

const none = '–';

/** Replaces the table in that page. Operations of an area with equal results share a row. */
export function withTable(readme: string, table: Readonly<Record<Column, Marks>>): string {
  const rows = Object.entries(areas).flatMap(([area, operations]) => {
    const alike = new Map<string, string[]>();
    for (const operation of operations) {
      const cells = [keyOf(operation), ...columns.map((column) => table[column][operation] ?? none)].join(' | ');
      alike.set(cells, [...(alike.get(cells) ?? []), operation]);
    }
    return [...alike].map(
      ([cells, these], index) => `| ${index === 0 ? area : ''} | ${these.map(nameOf).join(', ')} | ${cells} |`,
    );
  });
  const head = [
    `| | Operations | Key | ${columns.join(' | ')} |`,
    `|---|---|---|${columns.map(() => ':-:').join('|')}|`,
  ];
  const block = blockOf(readme);
  return readme.replace(`${begin}\n${block}${end}`, () => `${begin}\n${[...head, ...rows].join('\n')}\n${end}`);
}

function blockOf(readme: string): string {
  const [from, to] = [readme.indexOf(begin), readme.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`docs/data-service.md lacks ${begin} … ${end}.`);
  return readme.slice(from + begin.length + 1, to);
}
