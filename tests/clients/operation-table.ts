import type { DescMethod } from '@bufbuild/protobuf';
import { requirementOf } from '../../src/data-service/access/operation-roles.ts';
import { DataService } from '../../src/gen/app/data/v1/data_pb.ts';
import { DataPipelinesService } from '../../src/gen/app/datapipelines/v1/data_pipelines_pb.ts';
import { DatasetService } from '../../src/gen/app/dataset/v1/dataset_pb.ts';
import { DataSyncService } from '../../src/gen/app/datasync/v1/data_sync_pb.ts';
import { AuthService } from '../../src/gen/proto/rpc/v1/auth_pb.ts';

/** Who asks, and where: the columns of the table. */
export const columns = [
  'Browser: the app',
  'Server: SDK, Node',
  'Server: SDK, Chromium',
  'Server: grpc-js',
  'Server: Connect',
  'Server: mongodb',
  'Server: fetch',
] as const;
export type Column = (typeof columns)[number];

/** How an operation went: it did what it is for, or the host says by this code that it has no such thing. */
export type Mark = '✓' | 'Unimplemented' | 'FailedPrecondition';

/** The operations of a column that a passed test has called, and how they went. */
export type Marks = Readonly<Record<string, Mark>>;

const services = [AuthService, DataSyncService, DataService, DatasetService, DataPipelinesService];
/** What is no method and takes a key. */
const otherKeys: Readonly<Record<string, string>> = {
  'uri with Bearer': 'operator',
  'uri with key_id and key': 'operator',
  'byte range': 'operator',
};

/** Whose key an operation takes at least; `*`: one of the whole organization. */
function keyOf(operation: string): string {
  const method = services
    .flatMap(({ methods }) => methods as readonly DescMethod[])
    .find(({ name }) => name === operation);
  if (method === undefined) return otherKeys[operation] ?? none;
  const { role, wholeOrganization } = requirementOf(method);
  return role === null ? none : `${role}${wholeOrganization ? '\\*' : ''}`;
}

/** Of these docs/clients.md says why they may answer otherwise than expected: their names lead there. */
const surprising: ReadonlySet<string> = new Set([
  'DataCaptureUpload',
  'CreateDataPipeline',
  'CreateIndex',
  'BinaryDataByIDs',
  'CreateBinaryDataSignedURL',
  'RemoveTagsFromBinaryDataByIDs',
  'RemoveTagsFromBinaryDataByFilter',
  'TagsByFilter',
]);
const nameOf = (operation: string): string =>
  surprising.has(operation) ? `[${operation}](clients.md#where-an-answer-may-surprise)` : operation;

const names = (service: { readonly methods: readonly { readonly name: string }[] }, pattern = /./): string[] =>
  service.methods.map(({ name }) => name).filter((name) => pattern.test(name));

/** Every operation, in the order of the table. A new RPC of a service finds its area by its name, or a test fails. */
export const areas: Readonly<Record<string, readonly string[]>> = {
  Authentication: names(AuthService),
  Uploads: names(DataSyncService),
  'Tabular data': names(DataService, /^(Export|GetLatest)?TabularData(ByFilter)?$/),
  Queries: [...names(DataService, /BySQL$|ByMQL$/), ...names(DataService, /SavedQuer/)],
  'Binary data': names(DataService, /^(BinaryDataBy|CreateBinaryDataSignedURL)/),
  Downloads: ['uri with Bearer', 'uri with key_id and key', 'signed URL', 'byte range'],
  Tags: names(DataService, /Tags/),
  Boxes: names(DataService, /BoundingBox/),
  Datasets: [...names(DatasetService, /^(?!.*Sequence)/), ...names(DataService, /BinaryData(To|From)Dataset/)],
  Deletes: names(DataService, /^Delete(Tabular|Binary)Data/),
  Pipelines: names(DataPipelinesService),
  Indexes: names(DataService, /Index/),
  'Database access': [...names(DataService, /Database/), 'MongoDB find', 'MongoDB aggregate', 'MongoDB count'],
  'Sequences, Parquet': [...names(DataService, /Sequence/), ...names(DatasetService, /Sequence/)],
};

const [begin, end] = ['<!-- operation table: begin, written by `npm run table` -->', '<!-- operation table: end -->'];

/** The marks of each column, read back from docs/data-service.md. */
export function readTable(readme: string): Record<Column, Marks> {
  const table = Object.fromEntries(columns.map((column) => [column, {}])) as Record<Column, Record<string, Mark>>;
  for (const line of blockOf(readme).split('\n').slice(2)) {
    const [, operations = '', , ...cells] = line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim());
    for (const operation of operations.replaceAll(/\[(.*?)\]\(.*?\)/g, '$1').split(', ')) {
      columns.forEach((column, index) => {
        const cell = cells[index];
        if (cell !== undefined && cell !== none) table[column][operation] = cell as Mark;
      });
    }
  }
  return table;
}

const none = '–';

/** That page with this table in place of the one that it has. Operations of an area that go alike share a row. */
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
