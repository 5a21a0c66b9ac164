import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startDataService, uploadPicture, type TestService } from '../../../../../tests/data-service-fixture.ts';
import { memoryStorage } from '../../../../../tests/memory-storage.ts';
import type { TrackMark } from '../../../../evidence/datasets/tracks/track.ts';
import type { AnnotatedBox } from '../boxes/annotated-box.ts';
import { BoxDrafts, type DraftStorage } from '../saving/box-drafts.ts';
import type { BoxStore } from '../boxes/box-store.ts';
import { BoxSync } from '../saving/box-sync.svelte.ts';
import { BoxesState } from '../boxes/boxes-state.svelte.ts';
import { createServiceBoxStore } from '../saving/service-box-store.ts';

let service: TestService;
let imageId = '';
let storage: DraftStorage;
let opened: BoxSync[] = [];

beforeEach(async () => {
  service = await startDataService();
  imageId = await uploadPicture(service.owner);
  storage = memoryStorage();
  opened = [];
});
afterEach(() => {
  for (const sync of opened) sync.stop();
});

const realStore = () => createServiceBoxStore(service.owner, imageId);

async function visit(store: BoxStore = realStore()) {
  const boxes = new BoxesState(() => sync.edited());
  const ports = {
    store,
    drafts: new BoxDrafts(storage),
    imageId,
    exclusively: <T>(_: string, work: () => Promise<T>) => work(),
  };
  const sync: BoxSync = new BoxSync(boxes, ports);
  opened.push(sync);
  await sync.open();
  return { boxes, sync };
}

const key: TrackMark = { id: 3, isKey: true, isLast: false };
const cup = (part: Partial<AnnotatedBox> = {}): AnnotatedBox => ({
  key: 'cup',
  label: 'cup',
  confidence: null,
  predicted: false,
  xMinNormalized: 0.25,
  yMinNormalized: 0.25,
  xMaxNormalized: 0.5,
  yMaxNormalized: 0.5,
  ...part,
});
const without = (part: Partial<AnnotatedBox> = {}): AnnotatedBox => {
  const { track: _, ...box } = cup(part);
  return box;
};
const marks = async () => (await realStore().load()).map(({ track }) => track ?? null);
/** Tags of the image, the box's id as it is in the service written as `id`. */
const tags = async () => {
  const { data } = await service.owner.data.binaryDataByIDs({ binaryDataIds: [imageId] });
  const { captureMetadata, annotations } = data[0]!.metadata!;
  const ids = annotations!.bboxes.map(({ id }) => id);
  return captureMetadata!.tags.map((tag) => ids.reduce((text, id) => text.replace(id, 'id'), tag));
};

describe('boxes of tracks over the data service', () => {
  it.each<[string, AnnotatedBox, (TrackMark | null)[], string[]]>([
    [
      'that ends here',
      cup({ track: { ...key, isLast: true } }),
      [{ ...key, isLast: true }],
      ['sightglass:track:3:end:id'],
    ],
    ['of another number', cup({ track: { ...key, id: 4 } }), [{ ...key, id: 4 }], ['sightglass:track:4:id']],
    ['moved', cup({ track: key, xMinNormalized: 0.1 }), [key], ['sightglass:track:3:id']],
    ['of a model no more', cup({ track: key, confidence: null, label: 'mug' }), [key], ['sightglass:track:3:id']],
    ['out of its track', without(), [null], []],
    ['between key frames', cup({ track: { ...key, isKey: false } }), [], []],
  ])('a key frame %s', async (_, after, expected, expectedTags) => {
    const { boxes, sync } = await visit();
    const before = cup({ track: key, confidence: 0.5 });
    boxes.edit('Put', [{ key: 'cup', box: before }]);
    await sync.save();
    expect([await marks(), await tags()]).toEqual([[key], ['sightglass:track:3:id']]);
    boxes.edit('Put', [{ key: 'cup', box: after }]);
    await sync.save();
    expect([await marks(), await tags()]).toEqual([expected, expectedTags]);
    boxes.undo();
    await sync.save();
    expect([await marks(), await tags()]).toEqual([[key], ['sightglass:track:3:id']]);
    expect((await visit()).boxes.boxes.map(({ track }) => track)).toEqual([key]);
  });

  it('are not added twice where the page went between a box and its tag', async () => {
    const store = realStore();
    const gone: BoxStore = {
      load: () => store.load(),
      async apply(operation, before) {
        if (operation.kind !== 'add') throw new Error(`There is nothing to ${operation.kind}.`);
        const { track: _, ...box } = operation.box;
        await store.apply({ ...operation, box }, before);
        return new Promise(() => undefined);
      },
    };
    const { boxes, sync } = await visit(gone);
    boxes.edit('Put', [{ key: 'cup', box: cup({ track: key }) }]);
    void sync.save();
    await expect.poll(async () => (await marks()).length).toBe(1);
    const again = await visit();
    await again.sync.save();
    expect([await marks(), await tags()]).toEqual([[key], ['sightglass:track:3:id']]);
  });

  it('are in conflict where both sides changed the track', async () => {
    const first = await visit();
    first.boxes.edit('Put', [{ key: 'cup', box: cup({ track: key }) }]);
    await first.sync.save();
    storage = memoryStorage();
    const other = await visit();
    const [there] = other.boxes.boxes;
    other.boxes.edit('Put', [{ key: there!.key, box: { ...there!, track: { ...key, id: 8 } } }]);
    await other.sync.save();
    first.boxes.edit('Put', [{ key: 'cup', box: without() }]);
    await first.sync.save();
    expect(first.sync.conflicts).toHaveLength(1);
    first.sync.resolve('mine');
    await first.sync.save();
    expect([await marks(), await tags()]).toEqual([[null], []]);
  });
});
