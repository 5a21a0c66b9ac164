import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createDataClient, type DataClient } from '../../workers/data-service/client.ts';
import { openCaptures } from '../../src/platform/browser/indexed-db/capture-store/open-captures.ts';
import { fetchByXhr } from '../../src/platform/browser/outbox/fetch-by-xhr.ts';
import { openOutbox, type OpenOutbox } from '../../src/platform/browser/outbox/open-outbox.ts';
import { browserTarget, serverTarget } from '../../src/remote/outbox/outbox-target.ts';
import { parcelOf } from '../contract/capture-entries.ts';

let client: DataClient | null = null;
afterEach(() => {
  client?.close();
  client = null;
});

function dataClient(): DataClient {
  client ??= createDataClient(
    () => new Worker(new URL('../../workers/data-service/entry.ts', import.meta.url), { type: 'module' }),
  );
  return client;
}

/** A simulated browser with separate captures. Each tab has an outbox that sends to the browser's data service. */
function browserWithTabs() {
  const name = `captures-${crypto.randomUUID()}`;
  const closings: (() => Promise<void>)[] = [];
  onTestFinished(async () => {
    for (const close of closings) await close();
    indexedDB.deleteDatabase(name);
  });
  return () => {
    const captures = openCaptures(name);
    const opened = openOutbox(captures, async () => dataClient().transport, `${name}-progress`);
    const failures: unknown[] = [];
    opened.onFailure = (error) => failures.push(error);
    const close = async (): Promise<void> => {
      opened.close();
      await captures.close();
    };
    closings.push(close);
    return { ...captures, ...opened, failures, close };
  };
}

/** A capture with a unique id, because the data service keeps its data between tests. */
function freshParcel(sizeBytes = 20) {
  const name = crypto.randomUUID();
  const parcel = parcelOf(name, name.padEnd(sizeBytes, '.'));
  const { capture } = parcel;
  return { ...parcel, capture: { ...capture, source: { ...capture.source, name }, tags: [name] } };
}

async function storedUnder(tag: string) {
  const filter = { tagsFilter: { tags: [tag] } };
  return (await dataClient().data.binaryDataByFilter({ dataRequest: { filter }, includeBinary: true })).data;
}

const sentCount = async ({ store }: OpenOutbox): Promise<number> => (await store.counts()).sent;

it('takes no words for the address of a server, as browsers do', () => {
  const typed = { id: 't', name: '', keyId: 'id', partId: 'part' };
  expect(() => serverTarget({ ...typed, url: 'my server' })).toThrow('"my server" is not a web address');
});

describe('the outbox of a browser', () => {
  it('sends what is put into it, and says how far it is', async () => {
    const tab = browserWithTabs()();
    const parcel = freshParcel(3 * 2 ** 20);
    const progress: number[] = [];
    tab.onProgress((_, { sentBytes }) => progress.push(sentBytes));
    await tab.captures.put([parcel]);
    await tab.outbox.sendCaptures([parcel.capture], browserTarget.id, { tags: ['extra'] });
    await expect.poll(() => sentCount(tab)).toBe(1);
    const [stored] = await storedUnder(parcel.capture.source.name);
    expect(stored!.binary.length).toBe(parcel.content.size);
    expect(stored!.metadata!.captureMetadata!.tags).toContain('extra');
    const [entry] = await tab.store.inState('sent');
    expect(entry!.serverId).toBe(stored!.metadata!.binaryDataId);
    expect(progress).toEqual([1, 2, 3].map((piece) => piece * 2 ** 20));
    expect(tab.failures).toEqual([]);
  });

  it('sends once, whichever of two tabs it is put into, and goes on in the other when one closes', async () => {
    const openTab = browserWithTabs();
    const [first, second] = [openTab(), openTab()];
    const parcels = [freshParcel(), freshParcel(), freshParcel()] as const;
    await first.captures.put(parcels);
    await second.outbox.sendCaptures([parcels[0].capture], browserTarget.id);
    await first.outbox.sendCaptures([parcels[1].capture, parcels[0].capture], browserTarget.id);
    await expect.poll(() => sentCount(second)).toBe(2);
    await first.close();
    await second.outbox.sendCaptures([parcels[2].capture], browserTarget.id);
    await expect.poll(() => sentCount(second)).toBe(3);
    for (const { capture } of parcels) expect(await storedUnder(capture.source.name)).toHaveLength(1);
  });

  it('sends once without Web Locks, too', async () => {
    await dataClient().data.binaryDataByFilter({}); // started while its worker has locks
    vi.spyOn(navigator, 'locks', 'get').mockReturnValue(undefined as never);
    onTestFinished(() => void vi.restoreAllMocks());
    const openTab = browserWithTabs();
    const [first, second] = [openTab(), openTab()];
    const parcels = [freshParcel(), freshParcel(), freshParcel()] as const;
    await first.captures.put(parcels);
    await second.outbox.sendCaptures([parcels[0].capture], browserTarget.id);
    await first.outbox.sendCaptures([parcels[1].capture, parcels[0].capture], browserTarget.id);
    await expect.poll(() => sentCount(second)).toBe(2);
    await first.close();
    await second.outbox.sendCaptures([parcels[2].capture], browserTarget.id);
    await expect.poll(() => sentCount(second)).toBe(3);
    for (const { capture } of parcels) expect(await storedUnder(capture.source.name)).toHaveLength(1);
    expect([first.failures, second.failures]).toEqual([[], []]);
  });

  it('goes on with what a killed tab was sending', async () => {
    const openTab = browserWithTabs();
    const before = openTab();
    await before.outbox.pause();
    const parcel = freshParcel();
    await before.captures.put([parcel]);
    const { entries } = await before.outbox.sendCaptures([parcel.capture], browserTarget.id);
    await before.store.update(entries[0]!.id, (entry) => ({ ...entry, state: 'sending', dueMs: null }));
    await before.close();
    const after = openTab();
    await after.outbox.resume();
    await expect.poll(() => sentCount(after)).toBe(1);
    expect(await storedUnder(parcel.capture.source.name)).toHaveLength(1);
  });

  it('waits while it is paused, cancels and retries', async () => {
    const tab = browserWithTabs()();
    await tab.outbox.pause();
    const parcel = freshParcel();
    await tab.captures.put([parcel]);
    const { entries } = await tab.outbox.sendCaptures([parcel.capture], browserTarget.id);
    const { id } = entries[0]!;
    await tab.outbox.cancel(id);
    expect((await tab.store.get(id))?.lastFailure?.code).toBe('cancelled');
    await tab.outbox.resume();
    await tab.outbox.retry(id);
    await expect.poll(() => sentCount(tab)).toBe(1);
  });

  it('brings corrected boxes to what was sent, and takes the former ones back', async () => {
    const tab = browserWithTabs()();
    const parcel = freshParcel();
    const corners = { xMinNormalized: 0, yMinNormalized: 0, xMaxNormalized: 0.5, yMaxNormalized: 0.5 };
    const guessed = { ...corners, id: '1', label: 'cat', confidence: 0.5 };
    await tab.captures.put([{ ...parcel, capture: { ...parcel.capture, boxes: [guessed] } }]);
    const send = async (): Promise<void> => {
      const capture = (await tab.captures.get(parcel.capture.id))!;
      await tab.outbox.sendCaptures([capture], browserTarget.id);
    };
    await send();
    await expect.poll(() => sentCount(tab)).toBe(1);
    await tab.captures.correct(parcel.capture.id, { boxes: [{ ...guessed, label: 'dog', confidence: null }] }, 1);
    await send();
    await expect.poll(() => sentCount(tab)).toBe(2);
    const [stored, ...more] = await storedUnder(parcel.capture.source.name);
    expect(more).toEqual([]);
    const boxes = stored!.metadata!.annotations!.bboxes.map(({ label, confidence }) => [label, confidence]);
    expect(boxes).toEqual([['dog', undefined]]);
  });

  it('stores a frame once that was queued twice before either was sent, with what came last', async () => {
    const tab = browserWithTabs()();
    const parcel = freshParcel();
    const { id, source } = parcel.capture;
    const corners = { xMinNormalized: 0, yMinNormalized: 0, xMaxNormalized: 0.5, yMaxNormalized: 0.5 };
    const guessed = { ...corners, id: '1', label: 'cat', confidence: 0.5 };
    await tab.captures.put([{ ...parcel, capture: { ...parcel.capture, boxes: [guessed] } }]);
    await tab.outbox.pause();
    const send = async (tags: readonly string[]): Promise<void> => {
      await tab.outbox.sendCaptures([(await tab.captures.get(id))!], browserTarget.id, { tags });
    };
    await send(['dusk']);
    await tab.captures.correct(id, { boxes: [{ ...guessed, label: 'dog', confidence: null }] }, 1);
    await send(['yard']);
    await tab.outbox.resume();
    await expect.poll(() => sentCount(tab)).toBe(2);
    const [stored, ...more] = await storedUnder(source.name);
    expect(more).toEqual([]);
    const { captureMetadata, annotations } = stored!.metadata!;
    expect(captureMetadata!.tags).toEqual(expect.arrayContaining(['dusk', 'yard']));
    expect(annotations!.bboxes.map(({ label }) => label)).toEqual(['dog']);
  });

  it('keeps rows of measurements too', async () => {
    const tab = browserWithTabs()();
    const componentName = crypto.randomUUID();
    const rows = [1, 2, 3].map((n) => ({ timeRequestedMs: n, timeReceivedMs: n, readings: { n } }));
    await tab.outbox.sendReadings(rows, browserTarget.id, { componentName });
    await expect.poll(() => sentCount(tab)).toBe(1);
    const { count } = await dataClient().data.tabularDataByFilter({
      dataRequest: { filter: { componentName } },
      countOnly: true,
    });
    expect(count).toBe(3n);
  });
});

describe('fetchByXhr', () => {
  it('answers as fetch does', async () => {
    const url = '/builtin/index.json';
    const [mine, theirs] = await Promise.all([fetchByXhr(() => undefined)(url), fetch(url)]);
    expect([mine.status, mine.headers.get('content-type')]).toEqual([200, theirs.headers.get('content-type')]);
    expect(await mine.json()).toEqual(await theirs.json());
  });

  it('tells how much of a body is on its way', async () => {
    const seen: number[] = [];
    const body = new Uint8Array(100_000);
    await fetchByXhr(({ sentBytes }) => seen.push(sentBytes))('/builtin/index.json', { method: 'POST', body });
    expect(seen.at(-1)).toBe(100_000);
  });

  it('fails as fetch does, and stops when it is told', async () => {
    await expect(fetchByXhr(() => undefined)('http://127.0.0.1:9/')).rejects.toThrow(TypeError);
    const reason = new Error('enough');
    await expect(
      fetchByXhr(() => undefined)('/builtin/index.json', { signal: AbortSignal.abort(reason) }),
    ).rejects.toBe(reason);
  });
});
