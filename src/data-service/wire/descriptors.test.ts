import { existsSync, readFileSync } from 'node:fs';
import { ScalarType, type DescEnum, type DescField, type DescFile, type DescMessage } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { DataService, file_app_data_v1_data } from '../../gen/app/data/v1/data_pb.ts';
import {
  DataPipelinesService,
  file_app_datapipelines_v1_data_pipelines,
} from '../../gen/app/datapipelines/v1/data_pipelines_pb.ts';
import { DatasetService, file_app_dataset_v1_dataset } from '../../gen/app/dataset/v1/dataset_pb.ts';
import { DataSyncService, file_app_datasync_v1_data_sync } from '../../gen/app/datasync/v1/data_sync_pb.ts';
import { AuthService, file_proto_rpc_v1_auth } from '../../gen/proto/rpc/v1/auth_pb.ts';

const services = [
  { service: AuthService, name: 'proto.rpc.v1.AuthService', unary: ['Authenticate'] },
  {
    service: DataSyncService,
    name: 'viam.app.datasync.v1.DataSyncService',
    unary: ['DataCaptureUpload'],
    client_streaming: ['FileUpload', 'StreamingDataCaptureUpload'],
  },
  {
    service: DataService,
    name: 'viam.app.data.v1.DataService',
    unary: [
      'TabularDataByFilter',
      'TabularDataBySQL',
      'TabularDataByMQL',
      'GetLatestTabularData',
      'BinaryDataByFilter',
      'BinaryDataByIDs',
      'DeleteTabularData',
      'DeleteBinaryDataByFilter',
      'DeleteBinaryDataByIDs',
      'AddTagsToBinaryDataByIDs',
      'AddTagsToBinaryDataByFilter',
      'RemoveTagsFromBinaryDataByIDs',
      'RemoveTagsFromBinaryDataByFilter',
      'TagsByFilter',
      'AddBoundingBoxToImageByID',
      'RemoveBoundingBoxFromImageByID',
      'BoundingBoxLabelsByFilter',
      'UpdateBoundingBox',
      'GetDatabaseConnection',
      'ConfigureDatabaseUser',
      'AddBinaryDataToDatasetByIDs',
      'RemoveBinaryDataFromDatasetByIDs',
      'AddSequencesToDataset',
      'RemoveSequencesFromDataset',
      'CreateIndex',
      'ListIndexes',
      'DeleteIndex',
      'CreateSavedQuery',
      'UpdateSavedQuery',
      'GetSavedQuery',
      'DeleteSavedQuery',
      'ListSavedQueries',
      'CreateBinaryDataSignedURL',
      'CreateSequence',
      'GetSequence',
      'UpdateSequence',
      'DeleteSequence',
      'ListSequences',
      'SequencesByDatasetID',
      'GetSequenceBinaryData',
    ],
    server_streaming: ['ExportTabularData'],
  },
  {
    service: DatasetService,
    name: 'viam.app.dataset.v1.DatasetService',
    unary: [
      'CreateDataset',
      'DeleteDataset',
      'RenameDataset',
      'ListDatasetsByOrganizationID',
      'ListDatasetsByIDs',
      'MergeDatasets',
      'StartSequenceDatasetExport',
      'GetSequenceDatasetExport',
    ],
  },
  {
    service: DataPipelinesService,
    name: 'viam.app.datapipelines.v1.DataPipelinesService',
    unary: [
      'GetDataPipeline',
      'ListDataPipelines',
      'CreateDataPipeline',
      'RenameDataPipeline',
      'DeleteDataPipeline',
      'EnableDataPipeline',
      'DisableDataPipeline',
      'ListDataPipelineRuns',
    ],
  },
];

it.each(services)('$name has the methods of the public API', ({ service, name, ...kinds }) => {
  expect(service.typeName).toBe(name);
  const { unary, client_streaming: client = [], server_streaming: server = [] } = kinds;
  const ofKind = (kind: string): string[] =>
    service.methods.filter(({ methodKind }) => methodKind === kind).map(({ name: method }) => method);
  expect(ofKind('unary').sort()).toEqual([...unary].sort());
  expect(ofKind('client_streaming')).toEqual(client);
  expect(ofKind('server_streaming')).toEqual(server);
  expect(service.methods).toHaveLength(unary.length + client.length + server.length);
});

const wireTable = new URL('../../../../shared/reference/wire.md', import.meta.url);
const files = [
  file_proto_rpc_v1_auth,
  file_app_data_v1_data,
  file_app_datasync_v1_data_sync,
  file_app_dataset_v1_dataset,
  file_app_datapipelines_v1_data_pipelines,
];

describe.skipIf(!existsSync(wireTable))('the descriptors against the wire table of shared/reference', () => {
  const sections = existsSync(wireTable) ? readSections(readFileSync(wireTable, 'utf8')) : new Map<string, string[]>();

  it.each(files.map((file) => [file.proto.package, file] as const))('%s is as the table has it', (name, file) => {
    expect(describeFile(file).sort()).toEqual(sections.get(name)!.sort());
  });
});

/** Lines `Message.field = number type`, `Enum.VALUE = number` and `Message` by package. */
function readSections(table: string): Map<string, string[]> {
  const sections = new Map<string, string[]>();
  let lines: string[] = [];
  let message = '';
  for (const line of table.split('\n')) {
    const [, section] = /^## package `([\w.]+)`/.exec(line) ?? [];
    if (section !== undefined) sections.set(section, (lines = []));
    const [, name] = /^message `(\w+)`/.exec(line) ?? [];
    if (name !== undefined) lines.push((message = name));
    const [, number, field, type, oneof] =
      /^ {2}- (\d+) (\w+) : ((?:rep |opt )?(?:map<[^>]+>|[\w.]+))(?:.*\(oneof (\w+)\))?/.exec(line) ?? [];
    if (number !== undefined)
      lines.push(`${message}.${field} = ${number} ${type}${oneof === undefined ? '' : ` in ${oneof}`}`);
    const [, enumName, values] = /^enum `(\w+)`.*?: (.*)$/.exec(line) ?? [];
    for (const value of values?.split(', ') ?? []) lines.push(`${enumName}.${value.replace('=', ' = ')}`);
    if (line.startsWith('## Notes')) break;
  }
  return sections;
}

function describeFile({ messages, enums, proto }: DescFile): string[] {
  const typeName = ({ typeName: full }: DescMessage | DescEnum): string =>
    full.startsWith('google.protobuf.')
      ? full.slice(16)
      : full.startsWith(`${proto.package}.`)
        ? full.slice(proto.package.length + 1)
        : full;
  const scalarName = (type: ScalarType): string => ScalarType[type].toLowerCase();
  const typeOf = (field: DescField): string => {
    switch (field.fieldKind) {
      case 'scalar':
        return (field.presence === 1 && field.oneof === undefined ? 'opt ' : '') + scalarName(field.scalar);
      case 'enum':
        return (field.presence === 1 ? 'opt ' : '') + typeName(field.enum);
      case 'message':
        return (field.proto.proto3Optional ? 'opt ' : '') + typeName(field.message);
      case 'list':
        return `rep ${field.listKind === 'scalar' ? scalarName(field.scalar) : typeName(field.listKind === 'enum' ? field.enum : field.message)}`;
      case 'map':
        return `map<${scalarName(field.mapKey)}, ${field.mapKind === 'message' ? typeName(field.message) : '?'}>`;
    }
  };
  return [
    ...enums.flatMap((one) => one.values.map(({ name, number }) => `${one.name}.${name} = ${number}`)),
    ...messages.flatMap((message) => [
      message.name,
      ...message.fields.map((field) => {
        const oneof = field.oneof === undefined ? '' : ` in ${field.oneof.name}`;
        return `${message.name}.${field.name} = ${field.number} ${typeOf(field)}${oneof}`;
      }),
    ]),
  ];
}
