import { describe, expect, it } from 'vitest';
import {
  collect,
  codeOf,
  startDataService,
  startTime,
  uploadReading,
  type TestService,
} from '../../../tests/data-service-fixture.ts';
import { anyPack, ValueSchema } from '@bufbuild/protobuf/wkt';
import { create } from '@bufbuild/protobuf';
import { Order } from '../../gen/app/data/v1/data_pb.ts';

const day = 86_400e6;
const scale = {
  partId: 'lab-part',
  resourceName: 'scale',
  resourceSubtype: 'rdk:component:sensor',
  methodName: 'Readings',
};
const fast = {
  methodParameters: {
    mode: anyPack(ValueSchema, create(ValueSchema, { kind: { case: 'stringValue', value: 'fast' } })),
  },
};

async function exportedKg({ owner }: TestService, request: object = {}): Promise<unknown[]> {
  const rows = await collect(owner.data.exportTabularData({ ...scale, ...request }));
  return rows.map(({ payload }) => (payload?.['readings'] as { kg: number }).kg);
}

describe('TabularDataByFilter', () => {
  it('pages readings with the metadata they point at', async () => {
    const { owner } = await startDataService();
    for (let kg = 0; kg < 3; kg++)
      await uploadReading(owner, { kg }, startTime + kg, { tags: [kg < 2 ? 'light' : 'heavy'] });
    const request = { sortOrder: Order.ASCENDING, limit: 2n };
    const first = await owner.data.tabularDataByFilter({ dataRequest: request });
    expect(first).toMatchObject({
      count: 2n,
      metadata: [{ tags: ['light'] }],
      data: [{ metadataIndex: 0 }, { metadataIndex: 0 }],
    });
    const second = await owner.data.tabularDataByFilter({ dataRequest: { ...request, last: first.last } });
    expect(second).toMatchObject({ count: 1n, metadata: [{ tags: ['heavy'] }] });
    const end = await owner.data.tabularDataByFilter({ dataRequest: { ...request, last: second.last } });
    expect(end).toMatchObject({ count: 0n, data: [], last: '' });
    const counted = await owner.data.tabularDataByFilter({ countOnly: true });
    expect(counted).toMatchObject({ count: 3n, totalSizeBytes: first.totalSizeBytes + second.totalSizeBytes });
  });

  it('ends a page early rather than grow past what clients receive', async () => {
    const { owner } = await startDataService();
    const text = 'x'.repeat(3_900_000);
    for (let row = 0; row < 10; row++) await uploadReading(owner, { text }, startTime + row);
    const sizes: number[] = [];
    let last = '';
    do {
      const page = await owner.data.tabularDataByFilter({ dataRequest: { last } });
      sizes.push(page.data.length);
      last = page.last;
    } while (last !== '');
    expect(sizes).toEqual([8, 2, 0]);
  });

  it.each([{ mimeType: ['image/png'] }, { bboxLabels: ['cup'] }, { datasetId: 'x' }])(
    'finds no reading by %j',
    async (filter) => {
      const { owner } = await startDataService();
      await uploadReading(owner, { kg: 1 });
      expect((await owner.data.tabularDataByFilter({ dataRequest: { filter } })).data).toEqual([]);
      expect((await owner.data.tabularDataByFilter({ dataRequest: { filter }, countOnly: true })).count).toBe(0n);
    },
  );
});

describe('GetLatestTabularData', () => {
  it('gives the newest reading and when it came', async () => {
    const service = await startDataService();
    await uploadReading(service.owner, { kg: 2 }, startTime - 1e6);
    service.time.now += 5e6;
    await uploadReading(service.owner, { kg: 1 }, startTime - 2e6);
    const latest = await service.owner.data.getLatestTabularData(scale);
    expect(latest).toMatchObject({
      payload: { readings: { kg: 2 } },
      timeCaptured: { seconds: BigInt(startTime / 1e6 - 1) },
      timeSynced: { seconds: BigInt(startTime / 1e6) },
    });
  });

  it('gives an empty message when nothing was synced in the last year', async () => {
    const service = await startDataService();
    const empty = await service.owner.data.getLatestTabularData(scale);
    expect([empty.payload, empty.timeCaptured, empty.timeSynced]).toEqual([undefined, undefined, undefined]);
    await uploadReading(service.owner, { kg: 1 });
    service.time.now += 365 * day;
    expect((await service.owner.data.getLatestTabularData(scale)).payload).toBeDefined();
    service.time.now += 1;
    expect((await service.owner.data.getLatestTabularData(scale)).payload).toBeUndefined();
  });

  it('does not wait for the time that a clock far ahead once told', async () => {
    const service = await startDataService();
    await uploadReading(service.owner, { kg: -1 }, startTime + 5000 * day);
    await uploadReading(service.owner, { kg: -2 }, startTime + 4000 * day);
    service.time.now += 400 * day;
    expect((await service.owner.data.getLatestTabularData(scale)).payload).toBeUndefined();
    await uploadReading(service.owner, { kg: 0 }, startTime - day);
    expect((await service.owner.data.getLatestTabularData(scale)).payload).toEqual({ readings: { kg: 0 } });
    await uploadReading(service.owner, { kg: 1 }, service.time.now);
    await uploadReading(service.owner, { kg: 2 }, service.time.now + 1);
    expect((await service.owner.data.getLatestTabularData(scale)).payload).toEqual({ readings: { kg: 2 } });
  });

  it('tells parameters apart, and takes empty ones as any', async () => {
    const { owner } = await startDataService();
    await uploadReading(owner, { kg: 1 }, startTime, fast);
    await uploadReading(owner, { kg: 2 }, startTime + 1);
    const latest = async (additionalParameters?: object) =>
      (
        await owner.data.getLatestTabularData({
          ...scale,
          ...(additionalParameters && { additionalParameters }),
        } as typeof scale)
      ).payload;
    expect(await latest({ mode: 'fast' })).toEqual({ readings: { kg: 1 } });
    expect(await latest({ mode: 'slow' })).toBeUndefined();
    expect(await latest({})).toEqual({ readings: { kg: 2 } });
    expect(await latest()).toEqual({ readings: { kg: 2 } });
  });
});

describe('ExportTabularData', () => {
  it('streams more than a page, the oldest first, always with parameters and payload', async () => {
    const service = await startDataService();
    const rows = Array.from({ length: 501 }, (_, kg) => ({
      data: { case: 'struct' as const, value: { readings: { kg } } },
    }));
    const { partId, resourceName: componentName, resourceSubtype: componentType, methodName } = scale;
    await service.owner.sync.dataCaptureUpload({
      metadata: { partId, componentName, componentType, methodName },
      sensorContents: rows,
    });
    await uploadReading(service.owner, { kg: -1 }, startTime - 1);
    expect(await exportedKg(service)).toEqual(Array.from({ length: 502 }, (_, index) => index - 1));
    for await (const row of service.owner.data.exportTabularData(scale)) {
      expect(row).toMatchObject({
        ...scale,
        organizationId: 'a',
        locationId: 'lab',
        robotId: 'lab-robot',
        robotName: 'lab robot',
        partName: 'lab main',
        methodParameters: {},
        timeCaptured: { seconds: BigInt(startTime / 1e6 - 1) },
      });
      break;
    }
  });

  it('cuts at [start, end) and by parameters', async () => {
    const service = await startDataService();
    for (let kg = 0; kg < 4; kg++)
      await uploadReading(service.owner, { kg }, startTime + kg * 1e6, kg === 3 ? fast : {});
    const at = (seconds: number) => ({ seconds: BigInt(startTime / 1e6 + seconds), nanos: 0 });
    expect(await exportedKg(service, { interval: { start: at(1), end: at(3) } })).toEqual([1, 2]);
    expect(await exportedKg(service, { additionalParameters: { mode: 'fast' } })).toEqual([3]);
  });

  it('stops when its client does', async () => {
    const service = await startDataService();
    for (let kg = 0; kg < 3; kg++) await uploadReading(service.owner, { kg }, startTime + kg);
    const abort = new AbortController();
    const seen: unknown[] = [];
    const reading = (async () => {
      for await (const row of service.owner.data.exportTabularData(scale, { signal: abort.signal })) {
        seen.push(row);
        abort.abort();
      }
    })();
    expect(await codeOf(reading)).toBe('Canceled');
    expect(seen).toHaveLength(1);
    expect(service.defects).toEqual([]);
  });

  it.each(['partId', 'resourceName', 'resourceSubtype', 'methodName'])('needs %s', async (field) => {
    const service = await startDataService();
    expect(await codeOf(exportedKg(service, { [field]: '' }))).toBe('InvalidArgument');
    expect(await codeOf(service.owner.data.getLatestTabularData({ ...scale, [field]: '' }))).toBe('InvalidArgument');
  });
});
