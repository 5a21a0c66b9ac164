import { afterEach, describe, expect, it } from 'vitest';
import type { ImageBox } from '../../src/evidence/capture/capture.ts';
import type { CaptureStore } from '../../src/evidence/capture/capture-store.ts';
import type { OutboxEntry } from '../../src/remote/outbox/outbox-entry.ts';
import type { OutboxStore } from '../../src/remote/outbox/outbox-store.ts';
import { browserTarget, serverTarget } from '../../src/remote/outbox/outbox-target.ts';
import { entryOf, parcelOf } from './capture-entries.ts';

export interface StoresUnderTest {
  readonly captures: CaptureStore;
  readonly outbox: OutboxStore;
  /** Opens the same data again, like another tab or the next visit. */
  openAgain(): { readonly captures: CaptureStore; readonly outbox: OutboxStore };
  close(): Promise<void>;
}

const box: ImageBox = {
  id: 'b',
  label: 'cat',
  confidence: null,
  xMinNormalized: 0,
  yMinNormalized: 0,
  xMaxNormalized: 0.5,
  yMaxNormalized: 0.5,
};

const idsOf = (items: readonly { readonly id: string }[]): string[] => items.map(({ id }) => id);

/** The contract tests for every implementation of the capture and outbox stores. */
export function describeCaptureStores(where: string, open: () => StoresUnderTest): void {
  describe(`captures ${where}`, () => {
    let stores: StoresUnderTest;
    const fresh = (): StoresUnderTest => (stores = open());
    afterEach(() => stores.close());

    it('come back whole, to another tab too', async () => {
      const { captures, openAgain } = fresh();
      const parcel = parcelOf('1');
      await captures.put([parcel]);
      for (const store of [captures, openAgain().captures]) {
        expect(await store.get('1')).toEqual(parcel.capture);
        expect(await (await store.content('1'))?.text()).toBe('pixels of 1');
        expect((await store.content('1'))?.type).toBe('image/jpeg');
        expect(await (await store.thumbnail('1'))?.text()).toBe('small 1');
        expect(await store.raw('1')).toEqual(parcel.raw);
      }
    });

    it('are listed from the newest on, page by page', async () => {
      const { captures } = fresh();
      await captures.put(['2', '4', '1', '3', '5'].map((id) => parcelOf(id)));
      expect(idsOf(await captures.page(null, 2))).toEqual(['5', '4']);
      expect(idsOf(await captures.page('4', 2))).toEqual(['3', '2']);
      expect(idsOf(await captures.page('2', 2))).toEqual(['1']);
      expect(await captures.page('1', 2)).toEqual([]);
      expect(await captures.count()).toBe(5);
    });

    it('say nothing of what is not there', async () => {
      const { captures } = fresh();
      expect([await captures.get('x'), await captures.content('x'), await captures.raw('x')]).toEqual([
        null,
        null,
        null,
      ]);
      expect(await captures.correct('x', { tags: [] }, 0)).toBeNull();
      await captures.remove(['x']);
    });

    it('count their bytes, and no longer those that went', async () => {
      const { captures } = fresh();
      await captures.put([parcelOf('1', 'abc'), parcelOf('2', 'defgh')]);
      expect(await captures.sizeBytes()).toBe(8);
      await captures.remove(['2', 'not there']);
      expect([await captures.sizeBytes(), await captures.count()]).toEqual([3, 1]);
      expect([await captures.content('2'), await captures.thumbnail('2'), await captures.raw('2')]).toEqual([
        null,
        null,
        null,
      ]);
    });

    it('are corrected, and know when', async () => {
      const { captures, openAgain } = fresh();
      await captures.put([parcelOf('1')]);
      expect((await captures.correct('1', { tags: ['night'] }, 5))?.correctedAtMs).toBeNull();
      await captures.correct('1', { boxes: [box] }, 7);
      expect(await openAgain().captures.get('1')).toMatchObject({ tags: ['night'], boxes: [box], correctedAtMs: 7 });
    });

    it('tell of every change', async () => {
      const { captures } = fresh();
      let changes = 0;
      const stop = captures.onChange(() => changes++);
      await captures.put([parcelOf('1')]);
      await captures.correct('1', { tags: ['a'] }, 0);
      await captures.remove(['1']);
      stop();
      await captures.put([parcelOf('2')]);
      expect(changes).toBe(3);
    });

    it('stay as long as they are to be sent', async () => {
      const { captures, outbox } = fresh();
      await captures.put([parcelOf('1'), parcelOf('2')]);
      const { content } = entryOf('e');
      await outbox.add([entryOf('e', { content: { ...content, captureId: '1' } as never })]);
      await expect(captures.remove(['1', '2'])).rejects.toMatchObject({ code: 'in-outbox' });
      expect(await captures.count()).toBe(2);
      await outbox.update('e', (entry) => ({ ...entry, state: 'sent', dueMs: null }));
      await captures.remove(['1', '2']);
      expect(await captures.count()).toBe(0);
    });
  });

  describe(`the outbox ${where}`, () => {
    let stores: StoresUnderTest;
    const fresh = (): OutboxStore => (stores = open()).outbox;
    afterEach(() => stores.close());

    it('keeps an entry once, by its digest', async () => {
      const outbox = fresh();
      await outbox.add([entryOf('1')]);
      const stands = await outbox.add([entryOf('2', { digest: 'digest of 1' }), entryOf('3')]);
      expect(idsOf(stands)).toEqual(['1', '3']);
      expect(await outbox.get('2')).toBeNull();
    });

    it('gives what waits for each target, what is due first before the rest, and nothing while it is paused', async () => {
      const outbox = fresh();
      const other = serverTarget({ id: 'other', name: '', url: 'https://data.example', keyId: 'k', partId: 'p' });
      await outbox.putTarget(other);
      await outbox.add([
        entryOf('1', { dueMs: 9 }),
        entryOf('2', { dueMs: 5 }),
        entryOf('3', { dueMs: 5 }),
        entryOf('4', { dueMs: 0, targetId: 'other' }),
        entryOf('5', { dueMs: null, state: 'sent' }),
      ]);
      const queued = async (limit: number) =>
        Object.fromEntries((await outbox.queues(limit)).map(({ target, waiting }) => [target.id, idsOf(waiting)]));
      expect(await queued(2)).toEqual({ [browserTarget.id]: ['2', '3'], other: ['4'] });
      expect((await outbox.queues(1)).map(({ target }) => target)).toEqual(await outbox.targets());
      await outbox.update('2', (entry) => ({ ...entry, state: 'sending', dueMs: null }));
      expect(await queued(9)).toEqual({ [browserTarget.id]: ['3', '1'], other: ['4'] });
      await outbox.setPaused(true);
      expect(await outbox.queues(9)).toEqual([]);
    });

    it('counts and lists by state', async () => {
      const outbox = fresh();
      const sent = { state: 'sent', dueMs: null } as const;
      await outbox.add([entryOf('1'), entryOf('2', sent), entryOf('3', sent), entryOf('4', sent)]);
      expect(await outbox.counts()).toEqual({ waiting: 1, sending: 0, sent: 3, failed: 0 });
      expect(idsOf(await outbox.inState('sent'))).toEqual(['2', '3', '4']);
      expect(idsOf(await outbox.page('sent', null, 2))).toEqual(['4', '3']);
      expect(idsOf(await outbox.page('sent', '3', 2))).toEqual(['2']);
      expect(idsOf(await outbox.page(null, null, 9))).toEqual(['4', '3', '2', '1']);
      expect(idsOf(await outbox.page(null, '2', 9))).toEqual(['1']);
      expect(idsOf(await outbox.ofCapture('capture of 3'))).toEqual(['3']);
    });

    it('changes an entry with nobody in between', async () => {
      const outbox = fresh();
      await outbox.add([entryOf('1')]);
      const other = stores.openAgain().outbox;
      const add = (entry: OutboxEntry): OutboxEntry => ({ ...entry, failures: entry.failures + 1 });
      await Promise.all([outbox, other, outbox, other].map((store) => store.update('1', add)));
      expect((await outbox.get('1'))?.failures).toBe(4);
      expect(await outbox.update('1', () => null)).toBeNull();
      expect(await outbox.update('not there', add)).toBeNull();
      await outbox.remove(['1']);
      expect(await other.get('1')).toBeNull();
    });

    it('changes an entry among those of its capture, as they are after the changes before it', async () => {
      const outbox = fresh();
      const ofFrame = (id: string) => {
        const { content } = entryOf(id);
        return entryOf(id, { content: { ...content, captureId: 'frame' } as never });
      };
      const readings = { kind: 'readings', componentName: 'bench', tags: [], rows: [] } as const;
      await outbox.add([ofFrame('1'), ofFrame('2'), entryOf('3'), entryOf('4', { content: readings })]);
      const seen: string[][] = [];
      const look = (entry: OutboxEntry, among: readonly OutboxEntry[]): OutboxEntry => {
        seen.push(among.map(({ id, failures }) => `${id}: ${failures}`));
        return { ...entry, failures: entry.failures + 1 };
      };
      await Promise.all(['1', '2', '2', '3', '4'].map((id) => outbox.updateAmong(id, look)));
      expect(seen).toEqual([['1: 0', '2: 0'], ['1: 1', '2: 0'], ['1: 1', '2: 1'], ['3: 0'], []]);
      expect(await outbox.get('2')).toMatchObject({ failures: 2 });
      expect(await outbox.updateAmong('1', () => null)).toBeNull();
      expect(await outbox.updateAmong('not there', look)).toBeNull();
    });

    it('has this browser as a target, and those that were added', async () => {
      const outbox = fresh();
      const yard = serverTarget({ id: 'yard', name: '', url: 'https://yard.example', keyId: 'k', partId: 'p' });
      await outbox.putTarget(yard);
      await outbox.updateTarget('yard', (target) => ({ ...target, needsKey: true }));
      await outbox.updateTarget('not there', (target) => target);
      expect(idsOf(await outbox.targets()).sort()).toEqual(['this-browser', 'yard']);
      expect(await stores.openAgain().outbox.target('yard')).toEqual({ ...yard, needsKey: true });
      await outbox.removeTarget('yard');
      expect(await outbox.target('yard')).toBeNull();
    });

    it('stays paused', async () => {
      const outbox = fresh();
      expect(await outbox.paused()).toBe(false);
      await outbox.setPaused(true);
      expect(await stores.openAgain().outbox.paused()).toBe(true);
      await outbox.setPaused(false);
      expect(await outbox.paused()).toBe(false);
    });
  });
}
