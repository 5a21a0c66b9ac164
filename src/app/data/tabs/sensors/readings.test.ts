import { expect, it } from 'vitest';
import { openDataTab } from '../../../../../tests/data-tab-fixture.ts';
import { startTime, uploadReading } from '../../../../../tests/data-service-fixture.ts';
import { deferred } from '../../../../../tests/deferred.ts';
import { emptyFilter } from '../../shared/filters/data-filter.ts';
import { Readings } from './readings.svelte.ts';

/** A service with one reading. Calls from number `heldFrom` on wait until the test releases them. */
async function open(heldFrom: number) {
  const { context, service, reported } = await openDataTab();
  await uploadReading(service.owner, { x: 1 }, startTime);
  const { data } = service.owner;
  const go = deferred();
  let calls = 0;
  const tabularDataByFilter: typeof data.tabularDataByFilter = async (request) => {
    if (++calls >= heldFrom) await go.promise;
    return data.tabularDataByFilter(request);
  };
  let shown = 0;
  const readings = new Readings({ ...context, data: { ...data, tabularDataByFilter } }, emptyFilter);
  const started = readings.start(() => shown++);
  return { readings, started, go, reported, calls: () => calls, shown: () => shown };
}

it('tells of its first rows once, unless it was closed before they came', async () => {
  const { readings, started, shown, go } = await open(Infinity);
  await started;
  expect([shown(), readings.rows.length, readings.hasMore]).toEqual([1, 1, false]);
  go.resolve();

  const closed = await open(2);
  await expect.poll(closed.calls).toBe(2);
  closed.readings.close();
  closed.go.resolve();
  await closed.started;
  expect([closed.shown(), closed.reported]).toEqual([0, []]);
});

it('reports neither a count nor a page that fails once it was closed', async () => {
  for (const heldFrom of [1, 2]) {
    const { readings, started, calls, go, reported } = await open(heldFrom);
    await expect.poll(calls).toBe(heldFrom);
    readings.close();
    go.reject(new Error('gone'));
    await started;
    expect(reported).toEqual([]);
  }
});

it('ends at an empty page, also where more were counted: rows may be deleted meanwhile', async () => {
  const { context } = await openDataTab();
  let pages = 0;
  const tabularDataByFilter = async ({ countOnly }: { readonly countOnly?: boolean }) => {
    if (!countOnly && ++pages > 3) throw new Error('It asks for ever.');
    return { count: 5n, totalSizeBytes: 50n, data: [], metadata: [], last: '' };
  };
  const data = { ...context.data, tabularDataByFilter } as unknown as typeof context.data;
  const readings = new Readings({ ...context, data }, emptyFilter);
  await readings.start(() => undefined);
  expect([readings.hasMore, pages]).toEqual([false, 1]);
});
