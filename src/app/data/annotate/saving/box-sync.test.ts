import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startDataService, uploadPicture, type TestService } from '../../../../../tests/data-service-fixture.ts';
import { memoryStorage } from '../../../../../tests/memory-storage.ts';
import type { LabelledBox } from '../../../../evidence/capture/capture.ts';
import { valueOf, type AnnotatedBox } from '../boxes/annotated-box.ts';
import { BoxDrafts, type DraftStorage } from './box-drafts.ts';
import { BoxStoreError, type BoxStore } from '../boxes/box-store.ts';
import { BoxSync } from './box-sync.svelte.ts';
import { BoxesState } from '../boxes/boxes-state.svelte.ts';
import { createServiceBoxStore } from './service-box-store.ts';

let service: TestService;
let imageId = '';
let storage: DraftStorage;
const opened: BoxSync[] = [];

beforeEach(async () => {
  service = await startDataService();
  imageId = await uploadPicture(service.owner);
  storage = memoryStorage();
});
afterEach(() => {
  opened.splice(0).forEach((sync) => sync.stop());
  expect(service.defects).toEqual([]);
});

const exclusively = <T>(_: string, work: () => Promise<T>): Promise<T> => work();
const realStore = () => createServiceBoxStore(service.owner, imageId);

/** The editor on the image, as after a (re)load of the page. */
async function visit(store: BoxStore = realStore()) {
  const boxes = new BoxesState(() => sync.edited());
  const sync: BoxSync = new BoxSync(boxes, { store, drafts: new BoxDrafts(storage), imageId, exclusively });
  opened.push(sync);
  await sync.open();
  return { boxes, sync };
}

const box = (key: string, part: Partial<AnnotatedBox> = {}): AnnotatedBox => ({
  key,
  label: key,
  xMinNormalized: 0.25,
  yMinNormalized: 0.25,
  xMaxNormalized: 0.5,
  yMaxNormalized: 0.5,
  confidence: null,
  predicted: false,
  ...part,
});
const put = (boxes: BoxesState, ...news: AnnotatedBox[]) =>
  boxes.edit(
    'Put',
    news.map((one) => ({ key: one.key, box: one })),
  );
const drop = (boxes: BoxesState, key: string) => boxes.edit('Drop', [{ key, box: null }]);
const text = ({ label, xMinNormalized: xMin, confidence }: LabelledBox): string =>
  `${label} ${xMin} ${confidence ?? '-'}`;
const inService = async () => (await realStore().load()).map(text).sort();

describe('BoxSync over the data service', () => {
  it('adds, changes, replaces and removes; ids of the service take the place of its own', async () => {
    const { boxes, sync } = await visit();
    put(boxes, box('cup'), box('seen', { confidence: 0.75 }), box('guess', { predicted: true }), box('', { key: 'x' }));
    await sync.save();
    expect([await inService(), sync.status.kind]).toEqual([['cup 0.25 -', 'seen 0.25 0.75'], 'saved']);

    put(boxes, box('cup', { label: 'mug' }), box('seen', { xMinNormalized: 0.3 }));
    await sync.save();
    expect(await inService()).toEqual(['mug 0.25 -', 'seen 0.3 -']);

    drop(boxes, 'cup');
    await sync.save();
    boxes.undo();
    await sync.save();
    expect(await inService()).toEqual(['mug 0.25 -', 'seen 0.3 -']);
  });

  it('keeps a draft before it says anything, and saves it after a reload', async () => {
    const before = await visit();
    put(before.boxes, box('cup'));
    before.sync.stop(); // the page goes before it is saved
    expect(await inService()).toEqual([]);
    const after = await visit();
    expect(after.boxes.boxes.map(({ label }) => label)).toEqual(['cup']);
    expect(await inService()).toEqual(['cup 0.25 -']);
    expect(new BoxDrafts(storage).imageIds()).toEqual([]);
  });

  it('keeps predictions, and boxes without a label, over a reload although neither is saved', async () => {
    const before = await visit();
    put(before.boxes, box('guess', { predicted: true }), box('', { key: 'nameless' }));
    await before.sync.save();
    const after = await visit();
    expect(after.boxes.boxes.map(({ key, predicted }) => [key, predicted])).toEqual([
      ['guess', true],
      ['nameless', false],
    ]);
    expect(await inService()).toEqual([]);
  });

  it('never overwrites what was changed elsewhere: it asks', async () => {
    const first = await visit();
    put(first.boxes, box('cup'), box('pot'));
    await first.sync.save();
    const { boxes, sync } = await visit();
    const other = await visit();
    put(boxes, { ...boxes.boxes[0]!, label: 'mine' });
    put(other.boxes, { ...other.boxes.boxes[0]!, label: 'theirs' }, { ...other.boxes.boxes[1]!, label: 'kettle' });
    sync.stop();
    await other.sync.save();
    await sync.save();
    expect(sync.conflicts.map(({ mine, theirs }) => [mine?.label, theirs?.label])).toEqual([['mine', 'theirs']]);
    expect(await inService()).toEqual(['kettle 0.25 -', 'theirs 0.25 -']);
    expect(boxes.boxes.map(({ label }) => label)).toEqual(['mine', 'kettle']);

    // The question outlives a reload.
    sync.stop();
    const again = await visit();
    expect(again.sync.conflicts).toHaveLength(1);
    again.sync.resolve('mine');
    await again.sync.save();
    expect(await inService()).toEqual(['kettle 0.25 -', 'mine 0.25 -']);
    await other.sync.save();
    expect(other.boxes.boxes.map(({ label }) => label)).toEqual(['mine', 'kettle']);
  });

  it('takes theirs when asked to, which can be undone', async () => {
    const first = await visit();
    put(first.boxes, box('cup'));
    await first.sync.save();
    const other = await visit();
    put(first.boxes, box('cup', { label: 'mine' }));
    first.sync.stop();
    drop(other.boxes, other.boxes.boxes[0]!.key);
    await other.sync.save();
    await first.sync.save();
    first.sync.resolve('theirs');
    expect(first.boxes.boxes).toEqual([]);
    first.boxes.undo();
    await first.sync.save();
    expect(await inService()).toEqual(['mine 0.25 -']);
  });

  it('saves the rest of what the service refuses a part of, and says why', async () => {
    const { boxes, sync } = await visit();
    put(boxes, box('bad', { confidence: 7 }), box('good'));
    await sync.save();
    expect(await inService()).toEqual(['good 0.25 -']);
    expect(sync.status).toMatchObject({ kind: 'failed', again: false, message: expect.stringContaining('confidence') });
    expect(sync.unsaved).toBe(1);
  });

  it('says that the image is gone, and keeps the boxes', async () => {
    const { boxes, sync } = await visit();
    await service.owner.data.deleteBinaryDataByIDs({ binaryDataIds: [imageId] });
    put(boxes, box('cup'));
    await sync.save();
    expect(sync.status).toMatchObject({ kind: 'failed', again: false });
    expect(new BoxDrafts(storage).read(imageId)?.boxes).toHaveLength(1);
  });

  it('says when the storage takes no draft', async () => {
    const { boxes, sync } = await visit();
    storage.setItem = () => {
      throw new Error('full');
    };
    put(boxes, box('cup'));
    expect(sync.draftKept).toBe(false);
    await sync.save();
    expect(sync.draftKept).toBe(true);
  });
});

describe('saving by itself', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('waits for a rest, and tries again after a failure, later each time', async () => {
    let calls = 0;
    let down = true;
    const store: BoxStore = {
      load: () => {
        calls++;
        return down && calls > 1 ? Promise.reject(new BoxStoreError('unavailable', 'cut off')) : realStore().load();
      },
      apply: (...operation) => realStore().apply(...operation),
    };
    const { boxes, sync } = await visit(store);
    put(boxes, box('a'));
    await vi.advanceTimersByTimeAsync(500);
    put(boxes, box('b'));
    await vi.advanceTimersByTimeAsync(500);
    expect([calls, sync.status.kind]).toEqual([1, 'waiting']);
    await vi.advanceTimersByTimeAsync(200);
    expect([calls, sync.status]).toEqual([2, { kind: 'failed', message: 'cut off', again: true }]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(calls).toBe(3);
    await vi.advanceTimersByTimeAsync(1000);
    expect(calls).toBe(3);
    down = false;
    await vi.advanceTimersByTimeAsync(1000);
    await vi.waitFor(() => expect(sync.status.kind).toBe('saved'));
    expect(await inService()).toEqual(['a 0.25 -', 'b 0.25 -']);
  });

  it('does not try again what fails after the editor was left', async () => {
    let calls = 0;
    const load = (): Promise<never> => {
      calls++;
      return Promise.reject(new BoxStoreError('unavailable', 'cut off'));
    };
    const { sync } = await visit({ ...realStore(), load });
    sync.stop();
    await sync.save();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(calls).toBe(2);
  });
});

describe('whatever fails, and whenever the page is reloaded', () => {
  type Step =
    | { readonly do: 'put' | 'drop'; readonly which: number; readonly at: number; readonly seen: boolean }
    | { readonly do: 'undo' | 'save' | 'reload' };
  const which = fc.nat({ max: 3 });
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record({ do: fc.constantFrom('put', 'drop'), which, at: fc.nat({ max: 9 }), seen: fc.boolean() }),
    fc.record({ do: fc.constantFrom('undo', 'save', 'reload') }),
  ) as fc.Arbitrary<Step>;

  it('nothing is lost and nothing is there twice', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 5, maxLength: 30 }),
        fc.infiniteStream(fc.constantFrom('works', 'works', 'fails before', 'fails after')),
        async (steps, fates) => {
          imageId = await uploadPicture(service.owner);
          storage = memoryStorage();
          let faulty = true;
          const real = realStore();
          const cutOff = () => Promise.reject(new BoxStoreError('unavailable', 'cut off'));
          const underFate = async <T>(call: () => Promise<T>): Promise<T> => {
            const fate = faulty ? fates.next().value : 'works';
            if (fate === 'fails before') return cutOff();
            const answer = await call();
            return fate === 'fails after' ? cutOff() : answer;
          };
          // A replacement is two calls: the network may fall silent between them.
          const store: BoxStore = {
            load: () => underFate(() => real.load()),
            apply: async (operation, before) => {
              if (operation.kind !== 'replace') return underFate(() => real.apply(operation, before));
              const { key, id } = operation;
              const added = await underFate(() => real.apply({ kind: 'add', key, box: operation.box }, null));
              await underFate(() => real.apply({ kind: 'remove', key, id }, before));
              return added;
            },
          };
          let here = await visit(store);
          for (const one of steps) {
            const { boxes, sync } = here;
            if (one.do === 'put') {
              const key = boxes.boxes[one.which]?.key ?? `new ${one.which} ${boxes.boxes.length}`;
              put(
                boxes,
                box(key, { label: `l${one.which}`, xMinNormalized: one.at / 20, confidence: one.seen ? 0.5 : null }),
              );
            } else if (one.do === 'drop') {
              const key = boxes.boxes[one.which]?.key;
              if (key !== undefined) drop(boxes, key);
            } else if (one.do === 'undo') boxes.undo();
            else if (one.do === 'save') await sync.save();
            else {
              sync.stop();
              const unsaved = sync.unsaved > 0;
              const left = boxes.boxes.map(valueOf);
              here = await visit(store);
              // Whether the service answers or not, what was not saved is there.
              if (unsaved) expect(here.boxes.boxes.map(valueOf)).toEqual(expect.arrayContaining(left));
            }
          }
          faulty = false;
          await here.sync.save();
          here.sync.stop();
          expect(here.sync.conflicts).toEqual([]);
          expect(await inService()).toEqual(here.boxes.boxes.map(text).sort());
        },
      ),
      { seed: 4, numRuns: 300 },
    );
  }, 60_000);
});
