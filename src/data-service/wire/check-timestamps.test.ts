import { create, toJson, type DescField, type DescMessage, type DescMethod } from '@bufbuild/protobuf';
import { TimestampSchema } from '@bufbuild/protobuf/wkt';
import { Code, ConnectError, createConnectRouter } from '@connectrpc/connect';
import { describe, expect, it } from 'vitest';
import { collect, startDataService, uploadReading } from '../../../tests/data-service-fixture.ts';
import { anonymousReceipt, tabularRow } from '../../../tests/contract/data-store/captures.ts';
import { streamOf } from '../../../tests/upload-packets.ts';
import { BinaryDataByFilterResponseSchema, TabularDataByFilterResponseSchema } from '../../gen/app/data/v1/data_pb.ts';
import { DataType } from '../../gen/app/datasync/v1/data_sync_pb.ts';
import { dataServiceRoutes } from '../data-service-routes.ts';

const impossible = create(TimestampSchema, { seconds: -(2n ** 63n) });

/** A request of the method for every way to a timestamp in it, with an impossible one there, and the name of the field. */
function requestsWith(type: DescMessage, path = '', within: readonly DescMessage[] = []): [string, object][] {
  if (within.includes(type)) return [];
  return type.fields.flatMap((field: DescField): [string, object][] => {
    if (field.message === undefined) return [];
    const isList = field.fieldKind !== 'message';
    const name = `${path}${field.name}${field.fieldKind === 'list' ? '[0]' : ''}`;
    const inner: [string, object][] =
      field.message.typeName === TimestampSchema.typeName
        ? [[name, impossible]]
        : requestsWith(field.message, `${name}.`, [...within, type]);
    return inner.map(([at, value]) => {
      const held = isList ? [value] : value;
      if (field.oneof) return [at, { [field.oneof.localName]: { case: field.localName, value: held } }];
      return [at, { [field.localName]: held }];
    });
  });
}

const service = await startDataService();
const router = createConnectRouter();
dataServiceRoutes(service.dependencies)(router);
const cases = router.handlers.flatMap(({ method }) =>
  requestsWith(method.input).map(([path, request]) => [method.name, path, method, request] as const),
);

async function refusalOf(method: DescMethod, request: object): Promise<ConnectError> {
  // Methods by name have no common type; the test is about what comes back.
  const client = service.owner.of(method.parent) as unknown as Record<string, (input: unknown) => unknown>;
  const answer = client[method.localName]!(method.methodKind === 'client_streaming' ? streamOf([request]) : request);
  const end = method.methodKind === 'server_streaming' ? collect(answer as AsyncIterable<unknown>) : answer;
  return Promise.resolve(end).then(
    () => expect.fail('It was taken.'),
    (error: unknown) => ConnectError.from(error),
  );
}

describe('a time that is none', () => {
  it('is in requests of these operations', () => {
    expect(new Set(cases.map(([name]) => name)).size).toBeGreaterThanOrEqual(12);
    expect(cases.map(([name, path]) => `${name} ${path}`)).toEqual(
      expect.arrayContaining([
        'DataCaptureUpload sensor_contents[0].metadata.time_requested',
        'FileUpload metadata.file_create_time',
        'StreamingDataCaptureUpload metadata.sensor_metadata.time_received',
        'BinaryDataByFilter data_request.filter.interval.end',
        'TagsByFilter filter.interval.start',
        'ExportTabularData interval.end',
      ]),
    );
  });

  it.each(cases)('is refused by %s at %s', async (_, path, method, request) => {
    const { code, rawMessage } = await refusalOf(method, request);
    expect(Code[code]).toBe('InvalidArgument');
    expect(rawMessage).toBe(`${path} is -9223372036854775808 seconds from 1970; give a time of the years 1 to 9999.`);
  });
});

const lastNanosecond = create(TimestampSchema, { seconds: 253_402_300_799n, nanos: 999_999_999 });

it('keeps the last nanosecond of the year 9999 in that year, for readings and files', async () => {
  const { owner } = await startDataService();
  const metadata = { partId: 'lab-part', type: DataType.TABULAR_SENSOR };
  const times = { timeRequested: lastNanosecond, timeReceived: lastNanosecond };
  const struct = { case: 'struct', value: { readings: { kg: 1 } } } as const;
  await owner.sync.dataCaptureUpload({ metadata, sensorContents: [{ metadata: times, data: struct }] });
  const binary = { case: 'binary', value: new Uint8Array(3) } as const;
  await owner.sync.dataCaptureUpload({
    metadata: { ...metadata, type: DataType.BINARY_SENSOR },
    sensorContents: [{ metadata: times, data: binary }],
  });
  const readings = toJson(TabularDataByFilterResponseSchema, await owner.data.tabularDataByFilter({}));
  expect(readings).toMatchObject({ data: [{ timeRequested: expect.stringMatching(/^9999-12-31T23:59:59\.999/) }] });
  const files = toJson(BinaryDataByFilterResponseSchema, await owner.data.binaryDataByFilter({}));
  expect(files).toMatchObject({
    data: [{ metadata: { timeReceived: expect.stringMatching(/^9999-12-31T23:59:59\.999/) } }],
  });
});

it('answers pages with times of the year 10000 that an earlier version stored, and goes on after them', async () => {
  const { owner, dependencies } = await startDataService();
  const stored = 253_402_300_800_000_000;
  await uploadReading(owner, { kg: 1 });
  const late = tabularRow('late', {
    organizationId: 'a',
    methodParameters: {},
    timeRequested: stored,
    timeReceived: stored,
  });
  await dependencies.store.tabular.insert([late], anonymousReceipt());
  const first = await owner.data.tabularDataByFilter({ dataRequest: { limit: 1n } });
  expect(toJson(TabularDataByFilterResponseSchema, first)).toMatchObject({
    data: [{ timeRequested: '9999-12-31T23:59:59.999968Z' }],
  });
  const second = await owner.data.tabularDataByFilter({ dataRequest: { limit: 1n, last: first.last } });
  expect(second.data).toMatchObject([{ data: { readings: { kg: 1 } } }]);
});
