import { beforeEach, describe, expect, it, vi } from 'vitest';
import { openDataTab, type TestTab } from '../../../../../tests/data-tab-fixture.ts';
import { downloadExport } from './download-export.ts';
import { SequenceList } from './sequence-list.svelte.ts';
import { changeSequence, createSequence, formFault, formOf, shownTime, typedTime } from './sequence-form.ts';
import { readSequenceRest, sequenceRest } from './sequence-route.ts';
import { sequenceName } from './listed-sequence.ts';

const camera = { resourceName: 'front', methodName: 'GetImages' };
const startMs = Date.UTC(2026, 4, 28, 12);
const form = {
  partId: 'lab-part',
  resources: [camera],
  start: shownTime(startMs),
  end: shownTime(startMs + 10_000),
  tags: ['good'],
};

let tab: TestTab;
let list: SequenceList;
beforeEach(async () => {
  tab = await openDataTab();
  list = new SequenceList(tab.context);
});

async function create(count = 1): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    tab.service.time.now += 1_000_000;
    ids.unshift(await createSequence(tab.context, { ...form, end: shownTime(startMs + 10_000 + n) }));
  }
  return ids;
}
const listed = () => list.sequences?.map(({ id }) => id);

describe('the list of sequences', () => {
  it('has the newest first, and reads further pages when their rows come near', async () => {
    const ids = await create(250);
    await list.refresh();
    expect(listed()).toEqual(ids.slice(0, 200));
    await list.sight(50);
    expect(listed()).toHaveLength(200);
    await Promise.all([list.sight(150), list.sight(160)]);
    expect(listed()).toEqual(ids);
    await list.sight(250);
    expect(listed()).toHaveLength(250);
  });

  it('adds a sequence to a new dataset and to one that is there, and shows the dataset', async () => {
    const [one, two] = (await create(2)) as [string, string];
    await list.refresh();
    await list.addTo(one, '', 'clips');
    const [clips] = list.datasets;
    expect(list.datasets).toEqual([{ id: clips!.id, name: 'clips' }]);
    expect(list.get(one)!.datasetIds).toEqual([clips!.id]);
    await list.choose(clips!.id);
    expect(listed()).toEqual([one]);
    await list.addTo(two, clips!.id, '');
    expect(listed()).toEqual([one, two]);
    await list.removeFrom(two, clips!.id);
    expect(listed()).toEqual([one]);
    await list.deleteDataset();
    expect([list.datasets, listed(), list.datasetId]).toEqual([[], [one, two], '']);
    expect(tab.said).toEqual(['Added to clips.', 'Added to clips.', 'Removed from clips.', 'The dataset is deleted.']);
  });

  it('creates a dataset once, also if adding to it fails at first', async () => {
    const [one] = (await create(1)) as [string];
    vi.spyOn(tab.context.data, 'addSequencesToDataset').mockRejectedValueOnce(new Error('no network'));
    await expect(list.addTo(one, '', 'clips')).rejects.toThrow('no network');
    await list.addTo(one, '', 'clips');
    await list.addTo(one, '', 'clips 2');
    expect(list.datasets.map(({ name }) => name)).toEqual(['clips', 'clips 2']);
  });

  it('does not go on with the pages of what was listed before while it is read again', async () => {
    await create(250);
    await list.refresh();
    const refreshing = list.refresh();
    const listing = vi.spyOn(tab.context.data, 'listSequences');
    await list.sight(200);
    expect(listing).not.toHaveBeenCalled();
    await refreshing;
    await list.sight(200);
    expect(listed()).toHaveLength(250);
  });

  it('forgets a sequence that is deleted', async () => {
    const [one] = (await create(1)) as [string];
    await list.refresh();
    await list.delete(one);
    expect(listed()).toEqual([]);
    await expect(list.read(one, new AbortController().signal)).rejects.toThrow('no sequence');
  });

  it('says why it cannot be read', async () => {
    const broken = new SequenceList({
      ...tab.context,
      data: { ...tab.context.data, listSequences: () => Promise.reject(new Error('no network')) },
    });
    await broken.refresh();
    expect([broken.sequences, broken.failure?.message]).toEqual([null, 'no network']);
  });
});

describe('the form of a sequence', () => {
  it('is kept as it was filled in, its last millisecond as a whole', async () => {
    const [id] = (await create(1)) as [string];
    const { sequence } = await tab.context.data.getSequence({ id });
    expect(sequence).toMatchObject({ partId: 'lab-part', resources: [camera], sequenceTags: ['good'] });
    expect(sequence!.endTime!.nanos).toBe(999_000);
    await list.refresh();
    expect(formOf(list.get(id)!)).toEqual(form);
    expect(sequenceName(list.get(id)!)).toMatch(/^2026-05-2\d \d\d:00:00, 10\.0 s$/);
  });

  it('changes only what differs', async () => {
    const [id] = (await create(1)) as [string];
    await list.refresh();
    const before = list.get(id)!;
    const update = vi.spyOn(tab.context.data, 'updateSequence');
    await changeSequence(tab.context, before, form);
    expect(update).not.toHaveBeenCalled();
    await changeSequence(tab.context, before, { ...form, tags: [], start: shownTime(startMs + 1) });
    expect(update.mock.lastCall![0].fieldMask).toEqual({ paths: ['sequence_tags', 'start_time'] });
    const after = await list.read(id, new AbortController().signal);
    expect(after).toEqual({ ...before, tags: [], startMs: startMs + 1 });
  });

  it.each([
    [{}, ''],
    [{ partId: '' }, 'Choose a part.'],
    [{ resources: [] }, 'Choose at least one resource.'],
    [{ end: typedTime('') }, 'A sequence has a start and an end.'],
    [{ end: shownTime(startMs - 1) }, 'The sequence ends before it begins.'],
    [{ end: shownTime(startMs) }, ''],
  ])('with %o says “%s”', (changes, fault) => {
    expect(formFault({ ...form, ...changes })).toBe(fault);
  });

  it('writes times as fields do', () => {
    expect(typedTime(shownTime(startMs + 123).text)).toEqual(shownTime(startMs + 123));
  });

  it('keeps the moment of a text that a clock says twice, as long as nobody types', async () => {
    const second = { ...shownTime(startMs), ms: startMs + 3_600_000 };
    expect(formFault({ ...form, start: second, end: shownTime(startMs) })).toBe('The sequence ends before it begins.');
    const id = await createSequence(tab.context, { ...form, start: shownTime(startMs), end: second });
    const { startMs: start, endMs } = await list.read(id, new AbortController().signal);
    expect([start, endMs]).toEqual([startMs, startMs + 3_600_000]);
  });
});

describe('the address of a sequence', () => {
  it.each([
    { kind: 'list' },
    { kind: 'clip', id: 'a b/ü' },
    { kind: 'edit', id: 'a', imageId: 'org/loc/file' },
  ] as const)('leads to %o', (place) => {
    expect(readSequenceRest(sequenceRest(place))).toEqual(place);
  });

  it.each(['/%', '/a/edit/%', '/a/other', '?x'])('that is damaged leads to the list: %s', (rest) => {
    expect(readSequenceRest(rest)).toEqual({ kind: 'list' });
  });
});

describe('an export', () => {
  it('is not begun where addresses lead nowhere, and says why', async () => {
    const context = { ...tab.context, linkTrouble: async () => 'No service worker.' };
    await expect(downloadExport(context, 'd', 'clips')).rejects.toThrow('No service worker.');
  });

  it('that failed says what the service says', async () => {
    const datasets = {
      ...tab.context.datasets,
      startSequenceDatasetExport: () => Promise.reject(new Error('It was deleted.')),
    };
    await expect(downloadExport({ ...tab.context, datasets }, 'd', 'clips')).rejects.toThrow('It was deleted.');
  });
});
