import { beforeEach, describe, expect, it, vi } from 'vitest';
import { openDataTab, type TestTab } from '../../../../../tests/data-tab-fixture.ts';
import { uploadPicture, uploadReading } from '../../../../../tests/data-service-fixture.ts';
import { DataType } from '../../../../gen/app/datasync/v1/data_sync_pb.ts';
import { toTimestamp } from '../../../../data-service/wire/timestamps.ts';
import { newestRun } from './capture-window.ts';
import { findResources, type FoundResource } from './find-resources.ts';
import { SequenceDraft } from './sequence-draft.svelte.ts';
import { shownTime, typedTime } from './sequence-form.ts';

const startMs = Date.UTC(2026, 4, 28, 12);
const at = (seconds: number) => (startMs + seconds * 1000) * 1000;
const front = { componentName: 'front', methodName: 'GetImages' };

let tab: TestTab;
beforeEach(async () => {
  tab = await openDataTab();
});

/** Uploads one reading a second. */
async function uploadReadings(count: number, fromSeconds: number, componentName: string): Promise<void> {
  await tab.service.owner.sync.dataCaptureUpload({
    metadata: { partId: 'lab-part', type: DataType.TABULAR_SENSOR, componentName, methodName: 'Readings' },
    sensorContents: Array.from({ length: count }, (_, n) => ({
      metadata: { timeRequested: toTimestamp(at(fromSeconds + n)) },
      data: { case: 'struct', value: { readings: { n } } },
    })),
  });
}

async function search(signal = new AbortController().signal) {
  const steps = [];
  for await (const { resources, read, total } of findResources(tab.context, signal)) {
    steps.push({ names: resources.map(({ resourceName }) => resourceName), resources, read, total });
  }
  return steps;
}
const found = async (): Promise<readonly FoundResource[]> => (await search()).at(-1)!.resources;

describe('the search for resources', () => {
  it('finds each with its part and the number of its captures, those with the newest first', async () => {
    const { owner } = tab.service;
    for (const seconds of [0, 100, 130]) await uploadPicture(owner, front, at(seconds));
    await uploadPicture(owner, { methodName: 'GetImages' }, at(200));
    await uploadPicture(owner, { ...front, fileExtension: '.mp4' }, at(300));
    await uploadReading(owner, { kg: 1 }, at(220) + 999);
    const steps = await search();
    expect(steps).toMatchObject([{ read: 5, total: 5 }]);
    expect(steps[0]!.resources).toEqual([
      {
        partId: 'lab-part',
        partName: 'lab main',
        resourceName: 'scale',
        methodName: 'Readings',
        counts: { images: 0, readings: 1 },
        newestMs: startMs + 220_000,
      },
      {
        partId: 'lab-part',
        partName: 'lab main',
        resourceName: 'front',
        methodName: 'GetImages',
        counts: { images: 3, readings: 0 },
        newestMs: startMs + 130_000,
      },
    ]);
  });

  it('reads one page where that names all resources, however many captures there are', async () => {
    await uploadReadings(2500, 0, 'oven');
    const steps = await search();
    expect(steps).toMatchObject([{ names: ['oven'], read: 1000, total: 2500 }]);
    expect(steps[0]!.resources[0]!.counts).toEqual({ images: 0, readings: 2500 });
  });

  it('goes on until it has found what captured last before thousands of others', async () => {
    await uploadReadings(1, 0, 'scale');
    await uploadReadings(2500, 10, 'oven');
    await uploadPicture(tab.service.owner, front, at(5));
    expect(await search()).toMatchObject([
      { names: ['oven', 'front'], read: 1001, total: 2502 },
      { names: ['oven', 'front'], read: 2001, total: 2502 },
      { names: ['oven', 'front', 'scale'], read: 2502, total: 2502 },
    ]);
  });

  it('is not ended by captures that name no resource, which it cannot count', async () => {
    await uploadReadings(1, 0, 'scale');
    await uploadReadings(1500, 10, '');
    expect((await search()).map(({ names, read }) => [names, read])).toEqual([
      [[], 1000],
      [['scale'], 1501],
    ]);
  });

  it('is over where nothing is stored', async () => {
    expect(await search()).toMatchObject([{ names: [], read: 0, total: 0 }]);
  });
});

describe('the newest run', () => {
  const run = async () => newestRun(tab.context, await found(), new AbortController().signal);

  it('goes back to a gap of more than a minute, over all kinds of captures', async () => {
    const { owner } = tab.service;
    for (const seconds of [0, 99, 160, 220]) await uploadPicture(owner, front, at(seconds));
    await uploadReading(owner, { kg: 1 }, at(240) + 999);
    expect(await run()).toEqual({ startMs: startMs + 160_000, endMs: startMs + 240_000 });
  });

  it('does not go back over captures of other resources', async () => {
    const { owner } = tab.service;
    await uploadPicture(owner, { methodName: 'GetImages' }, at(0));
    await uploadPicture(owner, front, at(30));
    expect(await run()).toEqual({ startMs: startMs + 30_000, endMs: startMs + 30_000 });
  });

  it('is of about an hour where captures never pause', async () => {
    await uploadReadings(5000, 0, 'oven');
    const { startMs: from, endMs } = (await run())!;
    expect(endMs).toBe(startMs + 4_999_000);
    expect(endMs - from).toBe(3_600_000);
  });

  it('is none where nothing was captured', async () => {
    expect(await run()).toBeNull();
  });
});

describe('a draft of a sequence', () => {
  const draft = () => new SequenceDraft(tab.context, async (_, signal) => signal.throwIfAborted());
  const windowOf = ({ form }: SequenceDraft) => [form.start.ms - startMs, form.end.ms - startMs];

  it('proposes the part with the newest captures, its resources and their newest run, and counts what that holds', async () => {
    await uploadReadings(1500, 0, 'oven');
    await uploadPicture(tab.service.owner, front, at(1400));
    const made = draft();
    await made.begin(null);
    await expect.poll(() => made.held).toEqual({ images: 1, readings: 1500 });
    expect(made.parts).toEqual([['lab-part', 'lab main']]);
    expect(made.choices.map((one) => [one.resourceName, made.isChosen(one)])).toEqual([
      ['oven', true],
      ['front', true],
    ]);
    expect(windowOf(made)).toEqual([0, 1_499_000]);
    made.choose(made.choices[0]!, false);
    made.change({ start: shownTime(startMs + 1_401_000) });
    await expect.poll(() => made.held).toEqual({ images: 0, readings: 0 });
  });

  it('keeps the window that a person types while one is looked for', async () => {
    await uploadReadings(10, 0, 'oven');
    const made = draft();
    await made.begin(null);
    const choosing = made.choosePart('lab-part');
    const [start, end] = [shownTime(startMs - 5000), shownTime(startMs + 2999)];
    made.change({ start });
    made.change({ end });
    await choosing;
    expect(windowOf(made)).toEqual([-5000, 2999]);
    await expect.poll(() => made.held).toEqual({ images: 0, readings: 3 });
    made.change({ end: typedTime('') });
    expect([made.held, made.fault]).toEqual([null, 'A sequence has a start and an end.']);
  });

  it('stops looking through captures when it is told to, and keeps what it has found', async () => {
    await uploadReadings(1, 0, 'scale');
    await uploadReadings(3500, 10, 'oven');
    const made = draft();
    const { tabularDataByFilter } = tab.context.data;
    const reading = vi.spyOn(tab.context.data, 'tabularDataByFilter').mockImplementation((request, options) => {
      if (request.dataRequest?.last) made.stopLooking();
      return tabularDataByFilter(request, options);
    });
    await made.begin(null);
    expect([made.isLooking, made.isCut, made.failure, made.search!.read]).toEqual([false, true, null, 1000]);
    expect(made.choices.map(({ resourceName }) => resourceName)).toEqual(['oven']);
    reading.mockRestore();
    await made.begin(null);
    expect([made.isCut, made.search!.read]).toEqual([false, 3501]);
  });

  it('of a sequence that is there has its form, and its resources also where nothing of them is stored', async () => {
    await uploadReadings(10, 0, 'oven');
    const lost = { resourceName: 'lost', methodName: 'GetImages' };
    const window = { startMs, endMs: startMs + 4000 };
    const before = { id: 's', partId: 'lab-part', resources: [lost], tags: ['good'], datasetIds: [], ...window };
    const made = draft();
    await made.begin(before);
    expect(made.form).toMatchObject({ partId: 'lab-part', resources: [lost], tags: ['good'] });
    expect(windowOf(made)).toEqual([0, 4000]);
    expect(made.choices.map((one) => [one.resourceName, one.counts.readings, made.isChosen(one)])).toEqual([
      ['oven', 10, false],
      ['lost', 0, true],
    ]);
  });

  it('says why captures cannot be looked through', async () => {
    vi.spyOn(tab.context.data, 'tabularDataByFilter').mockRejectedValue(new Error('no network'));
    const made = draft();
    await made.begin(null);
    expect([made.failure?.message, made.isLooking, made.search]).toEqual(['no network', false, null]);
  });
});
