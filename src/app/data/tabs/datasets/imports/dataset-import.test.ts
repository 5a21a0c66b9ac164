import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { memoryStorage } from '../../../../../../tests/memory-storage.ts';
import { startDataService } from '../../../../../../tests/data-service-fixture.ts';
import type { DatasetClient, DatasetPreview, ImportItem } from '../../../../../../workers/datasets/client.ts';
import type { DatasetBox } from '../../../../../evidence/datasets/item/dataset-item.ts';
import { uprightBox } from '../../../../../evidence/datasets/image-size/upright-box.ts';
import { Order } from '../../../../../gen/app/data/v1/data_pb.ts';
import { completeSequences } from '../shared/complete-sequences.ts';
import { picturePages, type StoredPicture } from '../../../annotate/saving/stored-pictures.ts';
import { DatasetImport } from './dataset-import.svelte.ts';
import { datasetTruth } from '../dataset-truth.ts';

const box = { label: 'cup', xMinNormalized: 0.125, yMinNormalized: 0.25, xMaxNormalized: 0.5, yMaxNormalized: 0.75 };
const item = (fileName: string, fields: Partial<ImportItem> = {}): ImportItem => ({
  contentId: fileName,
  fileName,
  sizePx: null,
  boxes: [],
  classifications: [],
  tags: [],
  capturedAt: null,
  origin: {},
  split: null,
  storedId: null,
  ...fields,
});
const preview = (imageCount: number): DatasetPreview => ({
  format: 'coco',
  datasetName: null,
  imageCount,
  boxCount: 0,
  classes: [],
  lost: [],
  labels: [],
  tags: [],
  classificationCount: 0,
  emptyCount: 0,
  splits: { train: 0, val: 0, test: 0 },
  problems: [],
  errorCount: 0,
  noteCount: 0,
  join: null,
});

/** A dataset reader whose pictures have their names as bytes. Pictures in `broken` cannot be read. */
function engineOf(items: readonly ImportItem[], broken: ReadonlySet<string> = new Set(), orientation: 1 | 6 = 1) {
  const findings = {
    found: [{ format: 'coco' as const, startPath: 'a.json' }],
    missing: [],
    recognized: '',
    lacksClassNames: false,
  };
  return {
    open: async () => ({ number: 1, fileCount: items.length, pictureCount: items.length, findings }),
    read: async () => preview(items.length),
    items: async (_: number, start: number, end: number) => items.slice(start, end),
    async picture(_: number, index: number) {
      const { fileName } = items[index]!;
      if (broken.has(fileName)) throw Object.assign(new Error(`${fileName} is damaged.`), { name: 'DatasetError' });
      const bytes = new TextEncoder().encode(fileName);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      return { bytes, sha256, mimeType: 'image/png', orientation };
    },
    close: async () => undefined,
  } as unknown as DatasetClient;
}

async function openService() {
  const { owner } = await startDataService();
  const said: string[] = [];
  const memory = memoryStorage();
  let nowMs = Date.UTC(2026, 5, 1);
  const home = { organizationId: 'a', locationId: 'lab', partId: 'lab-part' };
  const ports = { ...owner, home, announce: (sentence: string) => said.push(sentence) };
  const options = { splitsAsTags: false, knownBoxes: 'keep' as const };
  return {
    owner,
    said,
    ports,
    async run(
      engine: DatasetClient,
      newName: string,
      more: Partial<{ splitsAsTags: boolean; knownBoxes: 'keep' | 'add' | 'replace' }> = {},
    ) {
      const started = new DatasetImport(ports, engine, memory, () => (nowMs += 60_000));
      await started.openFiles([{ path: 'a.zip', file: new File([], 'a.zip') }]);
      await started.start({ newName }, { ...options, ...more });
      return started;
    },
    async stored() {
      const { data } = await owner.data.binaryDataByFilter({
        dataRequest: { filter: { organizationIds: ['a'] }, sortOrder: Order.ASCENDING },
      });
      return data.map(({ metadata }) => ({
        name: metadata!.fileName,
        tags: metadata!.captureMetadata!.tags.filter((tag) => !tag.startsWith('SVC_')),
        datasets: metadata!.datasetIds.length,
        boxes: metadata!.annotations!.bboxes.map(({ label, xMinNormalized }) => [label, xMinNormalized]),
      }));
    },
  };
}

const keyFirst = (track: unknown): number => ((track as { isKey: boolean }).isKey ? 0 : 1);

describe('an import', () => {
  it('brings pictures with boxes and tags, in their order, and a second time nothing twice', async () => {
    const { run, stored, said } = await openService();
    const items = [item('a', { boxes: [box], split: 'val', tags: ['dusk'] }), item('b'), item('c')];
    await run(engineOf(items), 'first', { splitsAsTags: true });
    const first = [
      { name: 'a', tags: ['dusk', 'val'], datasets: 1, boxes: [['cup', 0.125]] },
      { name: 'b', tags: [], datasets: 1, boxes: [] },
      { name: 'c', tags: [], datasets: 1, boxes: [] },
    ];
    expect(await stored()).toEqual(first);
    expect(said.slice(-1)).toEqual(['3 images imported with 1 box.']);
    await run(engineOf(items), 'second');
    expect(await stored()).toEqual(first.map((picture) => ({ ...picture, datasets: 2 })));
    expect(said.slice(-1)).toEqual(['0 images imported, 3 were here already.']);
  });

  it('keeps boxes that were corrected meanwhile, unless told to add to them', async () => {
    const { run, stored } = await openService();
    await run(engineOf([item('a', { boxes: [box] })]), 'first');
    const moved = item('a', { boxes: [{ ...box, xMinNormalized: 0.25 }] });
    const kept = await run(engineOf([moved]), 'second');
    expect(kept.step).toMatchObject({ kind: 'done', counts: { hereCount: 1, keptCount: 1 } });
    expect((await stored())[0]!.boxes).toEqual([['cup', 0.125]]);
    await run(engineOf([moved]), 'third', { knownBoxes: 'add' });
    expect((await stored())[0]!.boxes).toEqual([
      ['cup', 0.125],
      ['cup', 0.25],
    ]);
  });

  it('brings again what was deleted, as often as that is', async () => {
    const { run, stored, owner } = await openService();
    for (const name of ['first', 'second', 'third']) {
      await run(engineOf([item('a', { boxes: [box] })]), name);
      expect(await stored()).toHaveLength(1);
      await owner.data.deleteBinaryDataByFilter({ filter: { organizationIds: ['a'] } });
    }
  });

  it('puts boxes of the upright picture where the stored one has them', async () => {
    const { run, stored } = await openService();
    await run(engineOf([item('a', { boxes: [uprightBox(box, 6)] })], new Set(), 6), 'turned');
    expect((await stored())[0]!.boxes).toEqual([['cup', 0.125]]);
  });

  it('keeps tracks: what is between key frames is computed, and comes out again', async () => {
    const { run, owner, stored } = await openService();
    const at = (x: number, id: number, isKey: boolean, isLast = false) => ({
      ...box,
      xMinNormalized: x,
      track: { id, isKey, isLast },
    });
    const frames = [
      [at(0, 4, true), at(0.4, 5, true)],
      [at(0.1, 4, false), at(0.4, 5, true, true)],
      [at(0.2, 4, true)],
    ].map((boxes, n) => item(`frame_${n}`, { boxes, sequence: { name: 'walk', at: n } }));
    const { step } = await run(engineOf(frames), 'first');
    expect((await stored()).map(({ boxes }) => boxes.length)).toEqual([2, 1, 1]);
    const datasetId = step.kind === 'done' ? step.datasetId! : '';
    const ports = { data: owner.data, home: { organizationId: 'a', locationId: 'lab', partId: 'lab-part' } };
    const { signal } = new AbortController();
    const out = async (): Promise<unknown> => {
      const pictures: StoredPicture[] = [];
      for await (const page of picturePages(ports, datasetId, signal)) pictures.push(...page);
      return (await completeSequences(ports, pictures, signal)).map(({ boxes, sequence, tags }) => [
        sequence,
        tags,
        boxes.map(({ xMinNormalized, track }) => [xMinNormalized, track]),
      ]);
    };
    const asBefore = frames.map(({ boxes, sequence }) => [
      sequence,
      ['sequence:walk'],
      boxes
        .map(({ xMinNormalized, track }) => [xMinNormalized, track])
        .toSorted(([, a], [, b]) => keyFirst(a) - keyFirst(b)),
    ]);
    expect(await out()).toEqual(asBefore);
    await run(engineOf(frames), 'second');
    expect(await out()).toEqual(asBefore);

    const { data } = await owner.data.binaryDataByFilter({ dataRequest: { filter: { organizationIds: ['a'] } } });
    const last = data.find(({ metadata }) => metadata!.fileName === 'frame_2')!.metadata!.binaryDataId;
    await owner.data.removeBinaryDataFromDatasetByIDs({ binaryDataIds: [last], datasetId });
    expect(await out(), 'a key frame outside the dataset counts').toEqual(asBefore.slice(0, 2));
  });

  it('keeps crowds and areas: an evaluation counts them, and an export has them again', async () => {
    const { run, owner } = await openService();
    const boxes = [box, { ...box, yMinNormalized: 0.375, areaPx: 1024 / 7 }];
    const crowds = [
      { ...box, xMinNormalized: 1 / 3, areaPx: 77 },
      { ...box, label: 'a: b' },
    ];
    const upright = (all: readonly DatasetBox[]) => all.map((one) => uprightBox(one, 6));
    const full = item('a', { boxes: upright(boxes), crowds: upright(crowds) });
    const { step } = await run(engineOf([full], new Set(), 6), 'first');
    const datasetId = step.kind === 'done' ? step.datasetId! : '';
    const home = { organizationId: 'a', locationId: 'lab', partId: 'lab-part' };
    const { signal } = new AbortController();
    const out = async (): Promise<StoredPicture> => {
      for await (const [first] of picturePages({ data: owner.data, home }, datasetId, signal)) return first!;
      throw new Error('nothing is stored');
    };
    expect(await out()).toMatchObject({ boxes, crowds, tags: [] });
    const locks = { query: async () => ({ held: [] }) } as unknown as LockManager;
    const [image] = await datasetTruth({ client: owner as never, home }, locks).images(datasetId, signal);
    const counted = image!.boxes.map(({ label, areaPx, isCrowd = false }) => [label, areaPx, isCrowd]);
    expect(counted).toEqual([['cup', undefined, false], ['cup', 1024 / 7, false], ['cup', 77, true], ['a: b', undefined, true]]); // prettier-ignore

    // Other boxes than those that are here: their crowds stay away, or take the place of these.
    const others = engineOf([item('a', { boxes: [{ ...box, label: 'jar' }], crowds: [{ ...box, label: 'jar' }] })]);
    await run(others, 'second');
    expect(await out()).toMatchObject({ boxes, crowds });
    await run(others, 'third', { knownBoxes: 'replace' });
    expect(await out()).toMatchObject({ boxes: [{ label: 'jar' }], crowds: [{ label: 'jar' }] });
    await run(engineOf([item('a', { boxes: [{ ...box, label: 'jar' }] })]), 'fourth', { knownBoxes: 'replace' });
    expect(await out()).not.toHaveProperty('crowds');
  });

  it('names what failed, brings the others, and tries again', async () => {
    const { run, stored } = await openService();
    const broken = new Set(['b']);
    const started = await run(engineOf([item('a'), item('b'), item('c')], broken), 'some');
    expect(started.step).toMatchObject({
      kind: 'done',
      counts: { newCount: 2, failures: [{ index: 1, fileName: 'b', message: 'b is damaged.' }] },
    });
    broken.clear();
    await started.again({ splitsAsTags: false, knownBoxes: 'keep' });
    expect(started.step).toMatchObject({ kind: 'done', counts: { count: 1, newCount: 1, failures: [] } });
    expect((await stored()).map(({ name }) => name).sort()).toEqual(['a', 'b', 'c']);
  });

  it('is not reset, opened or started again while it runs, nor undone where nothing was annotated', async () => {
    const { ports } = await openService();
    const options = { splitsAsTags: false, knownBoxes: 'keep' as const };
    const engine = engineOf([item('a')]);
    let go = (): void => undefined;
    const gate = new Promise<void>((resolve) => (go = resolve));
    const picture = async (number: number, index: number) => (await gate, engine.picture(number, index));
    const started = new DatasetImport(ports, { ...engine, picture }, memoryStorage());
    await expect(started.start('none', options)).rejects.toThrow('cannot start at the step "choose"');
    await started.openFiles([{ path: 'a.zip', file: new File([], 'a.zip') }]);
    const running = started.start({ newName: 'first' }, options);
    await expect.poll(() => started.step.kind).toBe('importing');
    expect(() => started.reset()).toThrow('cannot open at the step "importing"');
    await expect(started.open({ kind: 'files', files: [] }, 'b')).rejects.toThrow(
      'cannot open at the step "importing"',
    );
    await expect(started.start('none', options)).rejects.toThrow('cannot start at the step "importing"');
    await expect(started.readAs('coco')).rejects.toThrow('cannot read at the step "importing"');
    go();
    await running;
    await expect(started.undo()).rejects.toThrow('only annotations');
    expect(started.step.kind).toBe('done');
  });

  it('writes nothing where the new dataset has a name that is taken', async () => {
    const { run, stored } = await openService();
    await run(engineOf([item('a')]), 'taken');
    await expect(run(engineOf([item('b')]), 'taken')).rejects.toThrow(/taken/);
    expect(await stored()).toHaveLength(1);
  });

  it.each([
    [['a.jpg', 'b.png', 'screws.json'], 'screws'],
    [['a.jpg', 'a.xml', 'b.jpg', 'b.xml'], '4 files'],
    [['yard/a.jpg', 'yard/instances.json'], 'yard'],
    [['yard.zip'], 'yard'],
  ])('suggests a name that tells of %j: %s', async (paths, name) => {
    const { ports } = await openService();
    const started = new DatasetImport(ports, engineOf([item('a')]), memoryStorage(), Date.now);
    await started.openFiles(paths.map((path) => ({ path, file: new File([], path) })));
    expect(started.suggestedName).toBe(name);
  });
});
