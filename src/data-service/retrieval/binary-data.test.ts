import { Code, ConnectError } from '@connectrpc/connect';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  codeOf,
  startDataService,
  startTime,
  uploadPicture,
  type TestService,
} from '../../../tests/data-service-fixture.ts';
import { Order, TagsFilterType } from '../../gen/app/data/v1/data_pb.ts';
import type { UploadMetadataSchema } from '../../gen/app/datasync/v1/data_sync_pb.ts';
import { defaultLimits } from '../ports/dependencies.ts';
import { toTimestamp } from '../wire/timestamps.ts';

const minute = 60e6;
const at = (minutes: number) => ({ seconds: BigInt((startTime + minutes * minute) / 1e6), nanos: 0 });

describe('BinaryDataByFilter', () => {
  let service: TestService;
  let dataset: string;
  const names = new Map<string, string>();

  beforeAll(async () => {
    service = await startDataService();
    const { owner } = service;
    dataset = (await owner.datasets.createDataset({ organizationId: 'a', name: 'set' })).id;
    const camera = { componentType: 'rdk:component:camera', componentName: 'cam', methodName: 'ReadImage' };
    const files: readonly [string, MessageInitShape<typeof UploadMetadataSchema>][] = [
      ['plain', camera],
      ['tagged', { tags: ['red', 'big'], componentName: 'other' }],
      ['member', { datasetIds: [dataset], mimeType: 'image/jpeg' }],
      ['yard', { partId: 'yard-part', tags: ['blue'], methodName: 'Next' }],
      ['internal', { componentType: 'rdk-internal:component:camera' }],
    ];
    for (const [index, [name, metadata]] of files.entries()) {
      names.set(await uploadPicture(owner, metadata, startTime + index * minute), name);
    }
    const [boxed] = [...names].find(([, name]) => name === 'plain')!;
    await owner.data.addBoundingBoxToImageByID({
      binaryDataId: boxed,
      label: 'cup',
      xMaxNormalized: 1,
      yMaxNormalized: 1,
    });
  });

  const found = async (filter: object, request: object = {}): Promise<(string | undefined)[]> => {
    const { data } = await service.operator.data.binaryDataByFilter({
      dataRequest: { filter, sortOrder: Order.ASCENDING },
      ...request,
    });
    return data.map(({ metadata }) => names.get(metadata!.binaryDataId));
  };
  const all = ['plain', 'tagged', 'member', 'yard'];

  it.each([
    ['nothing', {}, all],
    ['what clients always send', { tagsFilter: {}, interval: {} }, all],
    ['its organization', { organizationIds: ['a'] }, all],
    ['a location', { locationIds: ['yard'] }, ['yard']],
    ['two locations', { locationIds: ['yard', 'lab'] }, all],
    ['a part', { partId: 'yard-part' }, ['yard']],
    ['the name of a part', { partName: 'yard main' }, ['yard']],
    ['a robot', { robotId: 'yard-robot' }, ['yard']],
    ['the name of a robot', { robotName: 'yard robot' }, ['yard']],
    ['a component', { componentName: 'cam' }, ['plain']],
    ['a type of component', { componentType: 'rdk:component:camera' }, ['plain']],
    ['a method', { method: 'Next' }, ['yard']],
    ['a media type', { mimeType: ['image/jpeg'] }, ['member']],
    ['either media type', { mimeType: ['image/jpeg', 'image/png'] }, all],
    ['a label', { bboxLabels: ['none', 'cup'] }, ['plain']],
    ['a dataset', { datasetId: 'DATASET' }, ['member']],
    [
      'any of these tags',
      { tagsFilter: { type: TagsFilterType.MATCH_BY_OR, tags: ['red', 'blue'] } },
      ['tagged', 'yard'],
    ],
    ['tags of no type', { tagsFilter: { tags: ['big'] } }, ['tagged']],
    ['any tag', { tagsFilter: { type: TagsFilterType.TAGGED } }, ['tagged', 'member', 'yard']],
    ['no tag', { tagsFilter: { type: TagsFilterType.UNTAGGED } }, ['plain']],
    ['a start, which is in', { interval: { start: at(2) } }, ['member', 'yard']],
    ['an end, which is out', { interval: { end: at(2) } }, ['plain', 'tagged']],
    ['an end in year 1', { interval: { end: { seconds: -62135596800n, nanos: 0 } } }, all],
    ['two things at once', { locationIds: ['lab'], tagsFilter: { type: TagsFilterType.TAGGED } }, ['tagged', 'member']],
    ['what no file has', { componentName: 'cam', method: 'Next' }, []],
  ])('finds by %s', async (_, filter, expected) => {
    const { datasetId } = filter as { datasetId?: string };
    expect(await found({ ...filter, ...(datasetId && { datasetId: dataset }) })).toEqual(expected);
  });

  it('shows internal data only when asked', async () => {
    expect(await found({}, { includeInternalData: true })).toEqual([...all, 'internal']);
  });

  it('counts all matches without listing them', async () => {
    const answer = await service.operator.data.binaryDataByFilter({ countOnly: true });
    expect(answer).toMatchObject({ data: [], count: 4n, totalSizeBytes: 24n, last: '' });
  });

  it.each([
    ['unspecified', Order.UNSPECIFIED, [...all].reverse()],
    ['descending', Order.DESCENDING, [...all].reverse()],
    ['ascending', Order.ASCENDING, all],
  ])('pages in %s order to an empty page', async (_, sortOrder, expected) => {
    const seen: (string | undefined)[] = [];
    let last = '';
    const sizes: number[] = [];
    do {
      const page = await service.operator.data.binaryDataByFilter({ dataRequest: { limit: 3n, last, sortOrder } });
      expect(page.count).toBe(BigInt(page.data.length));
      sizes.push(page.data.length);
      seen.push(...page.data.map(({ metadata }) => names.get(metadata!.binaryDataId)));
      last = page.last;
    } while (last !== '');
    expect(seen).toEqual(expected);
    expect(sizes).toEqual([3, 1, 0]);
  });

  it.each(['x', 'bm90IGEgY3Vyc29y', '%%%', '\u0000'])('refuses %j as a cursor', async (last) => {
    for (const countOnly of [false, true])
      expect(await codeOf(service.operator.data.binaryDataByFilter({ dataRequest: { last }, countOnly }))).toBe(
        'InvalidArgument',
      );
  });

  it('carries bytes when asked, and not otherwise', async () => {
    const { data } = await service.operator.data.binaryDataByFilter({
      includeBinary: true,
      dataRequest: { limit: 1n },
    });
    expect(new TextDecoder().decode(data[0]?.binary)).toBe('pixels');
    const without = await service.operator.data.binaryDataByFilter({ dataRequest: { limit: 1n } });
    expect(without.data[0]?.binary).toHaveLength(0);
  });
});

describe('pages', () => {
  it('hold 50 by default, at most 100 with bytes and 1,000 without', async () => {
    const { owner } = await startDataService();
    const one = { data: { case: 'binary' as const, value: new Uint8Array(1) } };
    await owner.sync.dataCaptureUpload({
      metadata: { partId: 'lab-part' },
      sensorContents: Array.from({ length: 1001 }, () => one),
    });
    const sizeOf = async (limit: bigint, includeBinary: boolean) =>
      (await owner.data.binaryDataByFilter({ dataRequest: { limit }, includeBinary })).data.length;
    expect(await sizeOf(0n, true)).toBe(50);
    expect(await sizeOf(0n, false)).toBe(50);
    expect(await sizeOf(101n, true)).toBe(100);
    expect(await sizeOf(2n ** 64n - 1n, false)).toBe(1000);
  });

  it('go on where they were when data comes in between, also among equal times', async () => {
    const { owner } = await startDataService();
    const ids = [];
    for (let count = 0; count < 5; count++) ids.push(await uploadPicture(owner));
    const first = await owner.data.binaryDataByFilter({ dataRequest: { limit: 2n } });
    await uploadPicture(owner, {}, startTime + minute);
    const second = await owner.data.binaryDataByFilter({ dataRequest: { limit: 10n, last: first.last } });
    const seen = [...first.data, ...second.data].map(({ metadata }) => metadata!.binaryDataId);
    expect(seen).toEqual([...ids].sort().reverse());
  });

  it('with bytes end early rather than grow past what clients receive', async () => {
    const { owner } = await startDataService();
    const half = 'x'.repeat(16 * 2 ** 20);
    for (let count = 0; count < 3; count++) await uploadPicture(owner, {}, startTime + count, half);
    const request = { includeBinary: true, dataRequest: { limit: 3n, last: '' } };
    const first = await owner.data.binaryDataByFilter(request);
    expect(first.data).toHaveLength(1);
    const second = await owner.data.binaryDataByFilter({
      ...request,
      dataRequest: { ...request.dataRequest, last: first.last },
    });
    expect(second.data).toHaveLength(1);
  });
});

it('a page whose files are deleted while it is read is no empty page, which would end paging', async () => {
  const { owner, dependencies } = await startDataService();
  const ids: string[] = [];
  for (let count = 0; count < 3; count++) ids.push(await uploadPicture(owner, {}, startTime + count, `file ${count}`));
  const { blobs } = dependencies.store;
  const open = blobs.open.bind(blobs);
  let deleted = false;
  blobs.open = async (address) => {
    if (!deleted) await owner.data.deleteBinaryDataByIDs({ binaryDataIds: ids.slice(1) });
    deleted = true;
    return open(address);
  };
  const page = await owner.data.binaryDataByFilter({ includeBinary: true, dataRequest: { limit: 1n } });
  expect(page.data.map(({ binary }) => new TextDecoder().decode(binary))).toEqual(['file 0']);
  expect([page.count, page.totalSizeBytes]).toEqual([1n, 6n]);
});

describe('BinaryDataByIDs', () => {
  it('answers every id in its place, also one asked twice and a legacy one', async () => {
    const { owner } = await startDataService();
    const [one, two] = [
      await uploadPicture(owner, {}, startTime, 'one'),
      await uploadPicture(owner, {}, startTime, 'two'),
    ];
    const asked = await owner.data.binaryDataByIDs({ binaryDataIds: [two, one, two], includeBinary: true });
    expect(asked.data.map(({ binary }) => new TextDecoder().decode(binary))).toEqual(['two', 'one', 'two']);
    expect(asked.count).toBe(3n);
    const [organizationId, locationId, fileId] = one.split('/') as [string, string, string];
    const legacy = await owner.data.binaryDataByIDs({ binaryIds: [{ organizationId, locationId, fileId }] });
    expect(legacy.data[0]?.metadata?.binaryDataId).toBe(one);
    const both = { binaryDataIds: [two], binaryIds: [{ organizationId, locationId, fileId }] };
    const { data } = await owner.data.binaryDataByIDs(both);
    expect(data.map(({ metadata }) => metadata?.binaryDataId)).toEqual([two, one]);
  });

  it('names the id it does not know', async () => {
    const { owner } = await startDataService();
    const id = await uploadPicture(owner);
    const call = owner.data.binaryDataByIDs({ binaryDataIds: [id, 'a/lab/none'] });
    await expect(call).rejects.toThrow('[not_found] There is no binary data a/lab/none.');
    expect(await codeOf(owner.data.binaryDataByIDs({ binaryDataIds: ['nonsense'] }))).toBe('NotFound');
  });

  it('refuses an empty list, and more bytes than an answer carries', async () => {
    const { owner } = await startDataService({ limits: { ...defaultLimits, maxAnswerBytes: 11 } });
    expect(await codeOf(owner.data.binaryDataByIDs({}))).toBe('InvalidArgument');
    await expect(owner.data.binaryDataByIDs({ binaryDataIds: ['a/lab/x', ''] })).rejects.toThrow(
      '[invalid_argument] binary_data_ids[1] is empty; it must be given.',
    );
    await expect(owner.data.binaryDataByIDs({ binaryIds: [{ fileId: 'x' }] })).rejects.toThrow(
      '[invalid_argument] binary_ids[0].organization_id is empty; it must be given.',
    );
    const binaryDataIds = [await uploadPicture(owner), await uploadPicture(owner)];
    expect(await codeOf(owner.data.binaryDataByIDs({ binaryDataIds, includeBinary: true }))).toBe('ResourceExhausted');
    expect(await codeOf(owner.data.binaryDataByIDs({ binaryDataIds }))).toBe('ok');
  });

  it('keeps times to the microsecond', async () => {
    const { owner } = await startDataService();
    const id = await uploadPicture(owner, {}, startTime + 123_456);
    const { data } = await owner.data.binaryDataByIDs({ binaryDataIds: [id] });
    expect(data[0]?.metadata?.timeRequested).toEqual(toTimestamp(startTime + 123_456));
  });
});

describe('a file that no answer can carry', () => {
  it('is in its page without its bytes, which the answer says, and paging goes on', async () => {
    const { owner } = await startDataService({ limits: { ...defaultLimits, maxAnswerBytes: 11 } });
    await uploadPicture(owner, {}, startTime, 'one');
    const large = await uploadPicture(owner, {}, startTime + 1, 'a dozen bytes');
    await uploadPicture(owner, {}, startTime + 2, 'two');
    const texts: [string, bigint][] = [];
    const said: (string | null)[] = [];
    for (let last = ''; ;) {
      const page = await owner.data.binaryDataByFilter(
        { includeBinary: true, dataRequest: { limit: 1n, last } },
        { onHeader: (headers) => said.push(headers.get('sightglass-bytes-left-out')) },
      );
      if (page.data.length === 0) break;
      const { binary, metadata } = page.data[0]!;
      texts.push([new TextDecoder().decode(binary), metadata!.fileSizeBytes]);
      if (metadata!.binaryDataId === large) expect(metadata!.uri).toContain(large.split('/').at(-1));
      last = page.last;
    }
    expect(texts).toEqual([
      ['two', 3n],
      ['', 13n],
      ['one', 3n],
    ]);
    expect(said).toEqual([null, '1', null, null]);
  });
});

describe('a file whose bytes are damaged', () => {
  it.each(['lost', 'changed', 'shorter'] as const)(
    '(%s) is DATA_LOSS where it is asked for, an entry without bytes in a page, and reported',
    async (fault) => {
      const { owner, dependencies, defects } = await startDataService();
      const { blobs, binary } = dependencies.store;
      const damaged = await uploadPicture(owner, {}, startTime, 'one');
      const well = await uploadPicture(owner, {}, startTime + 1, 'two');
      const [record] = await binary.get('a', [damaged]);
      const open = blobs.open.bind(blobs);
      blobs.open = async (address) => {
        const blob = (await open(address))!;
        if (address !== record!.blobAddress) return blob;
        if (fault === 'lost') return null;
        return fault === 'shorter' ? { ...blob, sizeBytes: 2 } : { ...blob, read: async () => Buffer.from('onf') };
      };
      const asked = owner.data.binaryDataByIDs({ binaryDataIds: [well, damaged], includeBinary: true });
      const error = ConnectError.from(await asked.catch((reason: unknown) => reason));
      expect([Code[error.code], error.rawMessage]).toEqual([
        'DataLoss',
        `The bytes of ${damaged} are lost or damaged in the service's storage and are not given out; its log tells its keeper what to do. Everything else can be read, also with this file's metadata.`,
      ]);
      // Whoever reads all files, as most clients do with their bytes, gets on.
      const said: (string | null)[] = [];
      const page = await owner.data.binaryDataByFilter(
        { includeBinary: true },
        { onHeader: (headers) => said.push(headers.get('sightglass-bytes-damaged')) },
      );
      expect(
        page.data.map(({ binary, metadata }) => [metadata!.binaryDataId, new TextDecoder().decode(binary)]),
      ).toEqual([
        [well, 'two'],
        [damaged, ''],
      ]);
      expect(said).toEqual(['1']);
      expect(defects).toMatchObject([{ code: 'damaged', subject: damaged }, { subject: damaged }]);
      const others = await owner.data.binaryDataByIDs({ binaryDataIds: [well], includeBinary: true });
      expect(new TextDecoder().decode(others.data[0]!.binary)).toBe('two');
      expect(await codeOf(owner.data.binaryDataByIDs({ binaryDataIds: [damaged] }))).toBe('ok');
    },
  );
});
