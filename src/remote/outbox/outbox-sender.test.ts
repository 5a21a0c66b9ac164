import { describe, expect, it } from 'vitest';
import { entryOf } from '../../../tests/contract/capture-entries.ts';
import type { ImageBox } from '../../evidence/capture/capture.ts';
import { partsOf } from './entry-steps.ts';
import { memoryOutboxStore } from '../../../tests/memory-outbox-store.ts';
import type { CaptureContent, OutboxEntry, UploadProgress } from './outbox-entry.ts';
import { OutboxSender } from './outbox-sender.ts';
import { browserTarget, serverTarget } from './outbox-target.ts';
import type { StoredParts, UploadConnection } from './upload-connection.ts';
import { UploadError, type UploadFailureCode } from './upload-error.ts';

const server = serverTarget({ id: 'server', name: 'Server', url: 'https://data.example', keyId: 'k', partId: 'p' });
const image = new Blob(['abc']);
const boxOf = (label: string): ImageBox => ({
  id: label,
  label,
  confidence: null,
  xMinNormalized: 0,
  yMinNormalized: 0,
  xMaxNormalized: 1,
  yMaxNormalized: 1,
});

function captureEntry(id: string, content: Partial<CaptureContent> = {}, changes: Partial<OutboxEntry> = {}) {
  const entry = entryOf(id, changes);
  if (entry.content.kind !== 'capture') throw new Error('Entries of this file are captures.');
  const whole = { ...entry.content, sha256: 'image', captureId: 'frame', ...content };
  return { ...entry, content: { ...whole, parts: content.parts ?? partsOf(whole) } };
}
const rowsEntry = (id: string, changes: Partial<OutboxEntry> = {}): OutboxEntry =>
  entryOf(id, { content: { kind: 'readings', componentName: 'bench', tags: [], rows: [] }, ...changes });

/** A target in memory that says what it was asked, in words; `fails` says which call does, and how. */
function targetInMemory() {
  const asked: string[] = [];
  const stored = new Map<string, StoredParts>();
  const fails = new Map<string, UploadError>();
  const hasRows = { yes: false };
  const says = { isWhole: false };
  let found: string | null = null;
  const ask = (...words: string[]): void => {
    asked.push(words.join(' '));
    const failure = fails.get(words[0]!);
    if (failure) throw failure;
  };
  const connection: UploadConnection = {
    async uploadCapture({ tags, boxes }, { size }, { uploadId, onProgress }) {
      ask('uploadCapture', uploadId);
      onProgress({ sentBytes: size, totalBytes: size });
      stored.set(`there-${uploadId}`, { tags, datasetIds: [], boxes, classes: [], sizeBytes: size });
      return { serverId: `there-${uploadId}`, isWhole: says.isWhole };
    },
    async uploadReadings(_, { uploadId }) {
      ask('uploadReadings', uploadId);
    },
    async find() {
      ask('find');
      return found;
    },
    async hasReadings() {
      ask('hasReadings');
      return hasRows.yes;
    },
    async read(serverId) {
      ask('read', serverId);
      return stored.get(serverId) ?? null;
    },
    addTags: async (serverId, tags) => ask('addTags', serverId, ...tags),
    addToDataset: async (serverId, datasetId) => ask('addToDataset', serverId, datasetId),
    addBox: async (serverId, { label }) => ask('addBox', serverId, label),
    removeBox: async (serverId, boxId) => ask('removeBox', serverId, boxId),
  };
  const whole: StoredParts = { tags: [], datasetIds: [], boxes: [], classes: [], sizeBytes: 3 };
  return {
    asked,
    stored,
    fails,
    hasRows,
    says,
    connection,
    whole,
    finds: (serverId: string): void => void (found = serverId),
  };
}

async function bench(...entries: OutboxEntry[]) {
  const store = memoryOutboxStore();
  await store.putTarget(server);
  await store.add(entries);
  const target = targetInMemory();
  const host = {
    nowMs: 1000,
    isOnline: true,
    hasFrame: true,
    connects: (): UploadConnection | null => target.connection,
  };
  const progress: [string, UploadProgress][] = [];
  const sender = new OutboxSender({
    store,
    captures: { content: async () => (host.hasFrame ? image : null) },
    connect: async () => host.connects(),
    nowMs: () => host.nowMs,
    isOnline: () => host.isOnline,
    onProgress: (...told) => progress.push(told),
  });
  const live = new AbortController();
  return {
    store,
    target,
    host,
    progress,
    sender,
    live,
    send: () => sender.sendDue(live.signal),
    entry: async (id: string) => (await store.get(id))!,
  };
}

const failure = (code: UploadFailureCode, retryAfterMs: number | null = null) =>
  new UploadError(code, `It is ${code}.`, { retryAfterMs });

describe('what is sent', () => {
  it('are entries that are due, in their order, until none is', async () => {
    const { send, target, entry, progress } = await bench(captureEntry('b', { captureId: 'other' }), captureEntry('a'));
    expect(await send()).toBeNull();
    expect(target.asked).toEqual([
      'uploadCapture sightglass-a',
      'read there-sightglass-a',
      'uploadCapture sightglass-b',
      'read there-sightglass-b',
    ]);
    expect(await entry('a')).toMatchObject({ state: 'sent', serverId: 'there-sightglass-a', sentAtMs: 1000 });
    expect(progress).toEqual(['a', 'b'].map((id) => [id, { sentBytes: 3, totalBytes: 3 }]));
  });

  it('is not what is due later: the answer is when that is, the soonest of all targets', async () => {
    const later = { dueMs: 1001, content: rowsEntry('').content };
    const { send, target, host, store } = await bench(
      rowsEntry('a', { dueMs: 5000 }),
      rowsEntry('b', { ...later, targetId: server.id }),
    );
    expect(await send()).toBe(1001);
    expect(target.asked).toEqual([]);
    await store.updateTarget(server.id, (known) => ({ ...known, notBeforeMs: 7000 }));
    expect(await send()).toBe(5000);
    host.nowMs = 5000;
    expect(await send()).toBe(7000);
    expect(target.asked).toEqual(['uploadReadings sightglass-a']);
  });

  it.each<[string, (test: Awaited<ReturnType<typeof bench>>) => unknown]>([
    ['the outbox is paused', ({ store }) => store.setPaused(true)],
    ['the sender has to end', ({ live }) => live.abort()],
    ['a server is wanted without a network', ({ host }) => (host.isOnline = false)],
    ['the target needs a key', ({ store }) => store.updateTarget(server.id, (known) => ({ ...known, needsKey: true }))],
    ['this host has no way to the target', ({ host }) => (host.connects = () => null)],
  ])('is nothing while %s', async (_, prepare) => {
    const test = await bench(rowsEntry('a', { targetId: server.id }));
    await prepare(test);
    expect(await test.send()).toBeNull();
    expect(test.target.asked).toEqual([]);
    expect(await test.entry('a')).toMatchObject({ state: 'waiting' });
  });

  it("goes to the browser's own service without a network", async () => {
    const { send, host, target } = await bench(rowsEntry('a', { targetId: browserTarget.id }));
    host.isOnline = false;
    await send();
    expect(target.asked).toEqual(['uploadReadings sightglass-a']);
  });

  it('is not what was cancelled when its turn came', async () => {
    const { send, store, target, host } = await bench(rowsEntry('a'));
    host.connects = () => {
      void store.update('a', (known) => ({ ...known, state: 'failed', dueMs: null }));
      return target.connection;
    };
    await send();
    expect(target.asked).toEqual([]);
  });

  it('are rows that an earlier try may have stored only where they are not there', async () => {
    const may = { mayBeStored: 'yes' } as const;
    const { send, target, entry } = await bench(rowsEntry('a', may));
    await send();
    expect(target.asked).toEqual(['hasReadings', 'uploadReadings sightglass-a']);
    const again = await bench(rowsEntry('a', may));
    again.target.hasRows.yes = true;
    await again.send();
    expect(again.target.asked).toEqual(['hasReadings']);
    for (const sent of [await entry('a'), await again.entry('a')]) expect(sent).toMatchObject({ state: 'sent' });
  });

  it('is a frame that an earlier try may have stored only where it is not found', async () => {
    const { send, target } = await bench(captureEntry('a', {}, { mayBeStored: 'yes' }));
    await send();
    expect(target.asked).toEqual(['find', 'uploadCapture sightglass-a', 'read there-sightglass-a']);
    const again = await bench(captureEntry('a', {}, { mayBeStored: 'yes' }));
    again.target.finds('known');
    again.target.stored.set('known', again.target.whole);
    await again.send();
    expect(again.target.asked).toEqual(['find', 'read known']);
    expect(await again.entry('a')).toMatchObject({ state: 'sent', serverId: 'known' });
  });

  it('is what the target lacks of a frame that it has', async () => {
    const entry = captureEntry(
      'a',
      { tags: ['x', 'y'], datasetIds: ['d'], boxes: [boxOf('cat')] },
      { serverId: 'known' },
    );
    const { send, target } = await bench(entry);
    target.stored.set('known', { ...target.whole, tags: ['x'] });
    await send();
    expect(target.asked).toEqual(['read known', 'addTags known y', 'addToDataset known d', 'addBox known cat']);
  });
});

describe('a frame that the target says it has stored whole', () => {
  const whole = captureEntry('a', { tags: ['x'], datasetIds: ['d'], boxes: [boxOf('cat')] });

  it('is sent by that call alone, and recorded in one step', async () => {
    const { send, target, entry, store } = await bench(whole);
    target.says.isWhole = true;
    const states: string[] = [];
    store.onChange(() => void store.get('a').then((now) => states.push(`${now!.state} ${now!.serverId}`)));
    await send();
    expect(target.asked).toEqual(['uploadCapture sightglass-a']);
    expect(states).toEqual(['sending null', 'sent there-sightglass-a']);
    const { content, ...sent } = await entry('a');
    expect(sent).toMatchObject({ state: 'sent', serverId: 'there-sightglass-a', mayBeStored: 'no', sentAtMs: 1000 });
    expect(content).toMatchObject({ parts: { image: 'done', tags: 'done', datasets: 'done', boxes: 'done' } });
  });

  it('is looked at, and completed, where an earlier try had stored it', async () => {
    const { send, target } = await bench(whole);
    target.stored.set('there-sightglass-a', target.whole);
    target.connection.uploadCapture = async () => ({ serverId: 'there-sightglass-a', isWhole: false });
    await send();
    expect(target.asked).toEqual([
      'read there-sightglass-a',
      'addTags there-sightglass-a x',
      'addToDataset there-sightglass-a d',
      'addBox there-sightglass-a cat',
    ]);
  });

  it('stays cancelled where a person cancelled meanwhile', async () => {
    const { send, target, store, entry } = await bench(whole);
    const { uploadCapture } = target.connection;
    target.says.isWhole = true;
    target.connection.uploadCapture = async (...call) => {
      await store.update('a', (known) => ({ ...known, state: 'failed', dueMs: null }));
      return uploadCapture(...call);
    };
    await send();
    expect(await entry('a')).toMatchObject({ state: 'failed', serverId: null, failures: 0 });
  });
});

describe('entries that are sent at once', () => {
  /** Uploads end only when they are let go; how many were on their way when each began. */
  async function gated(...entries: OutboxEntry[]) {
    const test = await bench(...entries);
    const begun: string[] = [];
    const ends = new Map<string, (error?: UploadError) => void>();
    const { uploadCapture } = test.target.connection;
    test.target.connection.uploadCapture = async (content, blob, options) => {
      begun.push(options.uploadId.replace('sightglass-', ''));
      await new Promise<void>((resolve, reject) => {
        ends.set(begun.at(-1)!, (error) => (error ? reject(error) : resolve()));
      });
      return uploadCapture(content, blob, options);
    };
    const onTheirWay = async (...ids: string[]): Promise<void> => {
      await expect.poll(() => [...ends.keys()].sort()).toEqual(ids);
    };
    const end = (id: string, error?: UploadError): void => {
      ends.get(id)!(error);
      ends.delete(id);
    };
    return { ...test, begun, onTheirWay, end };
  }
  const frames = (count: number): OutboxEntry[] =>
    Array.from({ length: count }, (_, at) => captureEntry(`f${at}`, { captureId: `frame ${at}` }));

  it('are one until the target has taken it, then twice as many with each, begun in their order', async () => {
    const { send, begun, onTheirWay, end } = await gated(...frames(7));
    const sent = send();
    await onTheirWay('f0');
    end('f0');
    await onTheirWay('f1', 'f2');
    end('f2');
    await onTheirWay('f1', 'f3', 'f4', 'f5');
    for (const id of ['f1', 'f3', 'f4', 'f5']) end(id);
    await onTheirWay('f6');
    end('f6');
    expect(await sent).toBeNull();
    expect(begun).toEqual(['f0', 'f1', 'f2', 'f3', 'f4', 'f5', 'f6']);
  });

  it('are one again after the target failed, and not before it has rested as long as the latest of them was told', async () => {
    const { send, onTheirWay, end, host, store } = await gated(...frames(6));
    const sent = send();
    await onTheirWay('f0');
    end('f0');
    await onTheirWay('f1', 'f2');
    end('f1', failure('rate-limited', 9000));
    await expect.poll(async () => (await store.counts()).waiting).toBe(4);
    end('f2', failure('rate-limited', 500));
    expect(await sent).toBe(10_000);
    host.nowMs = 10_000;
    const again = send();
    await onTheirWay('f3');
    end('f3');
    await onTheirWay('f4', 'f5');
    end('f4');
    end('f5');
    await onTheirWay('f1', 'f2');
    end('f1');
    end('f2');
    expect(await again).toBeNull();
  });

  it('are never two of one frame', async () => {
    const { send, onTheirWay, end, entry } = await gated(
      captureEntry('a', { captureId: 'first' }),
      captureEntry('b', { boxes: [boxOf('cat')] }),
      captureEntry('c', { boxes: [boxOf('dog')] }),
      captureEntry('d', { captureId: 'other' }),
    );
    const sent = send();
    await onTheirWay('a');
    end('a');
    await onTheirWay('b', 'd');
    end('d');
    end('b');
    await sent;
    expect(await entry('c')).toMatchObject({ state: 'sent', serverId: 'there-sightglass-b' });
  });

  it('are joined by what comes meanwhile, where there is room', async () => {
    const { send, sender, store, onTheirWay, end } = await gated(...frames(2));
    const sent = send();
    await onTheirWay('f0');
    end('f0');
    await onTheirWay('f1');
    await store.add([captureEntry('late', { captureId: 'late' })]);
    sender.lookAgain();
    await onTheirWay('f1', 'late');
    end('f1');
    end('late');
    await sent;
  });

  it('all end before a failure of the store is told', async () => {
    const { send, store, onTheirWay, end, entry } = await gated(...frames(3));
    const sent = send();
    await onTheirWay('f0');
    end('f0');
    await onTheirWay('f1', 'f2');
    const { update } = store;
    store.update = () => Promise.reject(new TypeError('The disk is gone.'));
    end('f1');
    let isTold = false;
    const told = sent.catch((error: unknown) => {
      isTold = true;
      return error;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isTold).toBe(false);
    store.update = update;
    end('f2');
    expect(await told).toMatchObject({ message: 'The disk is gone.' });
    expect(await entry('f2')).toMatchObject({ state: 'sent' });
  });
});

describe('a frame that is queued twice', () => {
  const first = captureEntry('a', { boxes: [boxOf('cat')] });
  it('is stored once, and the later boxes replace the earlier', async () => {
    const { send, target, entry } = await bench(first, captureEntry('b', { boxes: [boxOf('dog')] }));
    await send();
    expect(target.asked).toEqual([
      'uploadCapture sightglass-a',
      'read there-sightglass-a',
      'read there-sightglass-a',
      'addBox there-sightglass-a dog',
      'removeBox there-sightglass-a cat',
    ]);
    expect(await entry('b')).toMatchObject({ state: 'sent', serverId: 'there-sightglass-a' });
  });

  it('keeps the boxes of the later where the earlier is sent last', async () => {
    const { send, target } = await bench(
      captureEntry('a', { boxes: [boxOf('cat')] }, { dueMs: 900 }),
      captureEntry('b', { boxes: [boxOf('dog')] }),
    );
    await send();
    expect(target.asked).toEqual([
      'uploadCapture sightglass-b',
      'read there-sightglass-b',
      'read there-sightglass-b',
      'addBox there-sightglass-b cat',
    ]);
  });

  it.each<[string, OutboxEntry, OutboxEntry]>([
    ['whose bytes differ', first, captureEntry('b', { sha256: 'other' })],
    ['for two targets', { ...first, targetId: server.id }, captureEntry('b')],
    ['one of which the target lost', first, captureEntry('b', {}, { generation: 1 })],
    ['of two frames', first, captureEntry('b', { captureId: 'other' })],
  ])('is stored twice %s', async (_, one, other) => {
    const { send, target } = await bench(one, other);
    await send();
    expect(target.asked.filter((words) => words.startsWith('uploadCapture'))).toHaveLength(2);
  });

  it('looks for itself where an earlier try may have stored it', async () => {
    const { send, target } = await bench(first, captureEntry('b', {}, { mayBeStored: 'yes' }));
    await send();
    expect(target.asked).toContain('find');
  });
});

describe('what the target does not hold as it was sent', () => {
  it.each<[string, StoredParts | null, string]>([
    ['nothing', null, 'but does not know it.'],
    ['other bytes', { ...targetInMemory().whole, sizeBytes: 2 }, 'but holds 2 bytes of 3.'],
  ])('is looked for again: %s', async (_, stored, words) => {
    const { send, target, entry } = await bench(captureEntry('a', {}, { serverId: 'known' }));
    if (stored) target.stored.set('known', stored);
    expect(await send()).toBe(1200);
    expect(await entry('a')).toMatchObject({
      state: 'waiting',
      failures: 1,
      serverId: 'known',
      generation: 0,
      lastFailure: { code: 'not-stored', message: expect.stringContaining(words) },
    });
  });

  it('may be of a size that the target does not say', async () => {
    const { send, target, entry } = await bench(captureEntry('a', {}, { serverId: 'known' }));
    target.stored.set('known', { ...target.whole, sizeBytes: 0 });
    await send();
    expect(await entry('a')).toMatchObject({ state: 'sent' });
  });

  it.each([
    [7, 0, 'known'],
    [8, 1, null],
  ])('is lost after eight checks: %i before give generation %i', async (failures, generation, serverId) => {
    const { send, entry, target, host } = await bench(captureEntry('a', {}, { serverId: 'known', failures }));
    const nextMs = await send();
    expect(await entry('a')).toMatchObject({ state: 'waiting', generation, serverId });
    host.nowMs = nextMs!;
    await send();
    const uploads = target.asked.filter((words) => words.startsWith('upload'));
    expect(uploads).toEqual(generation === 1 ? ['uploadCapture sightglass-a.1'] : []);
  });
});

describe('a try that fails', () => {
  it.each<[UploadFailureCode, number | null, number]>([
    ['unavailable', null, 61_000],
    ['rate-limited', 9000, 10_000],
    ['server-full', null, 1200],
  ])('as %s leaves the whole target alone for a while', async (code, retryAfterMs, untilMs) => {
    const { send, target, store } = await bench(rowsEntry('a'), rowsEntry('b'));
    target.fails.set('uploadReadings', failure(code, retryAfterMs));
    expect(await send()).toBe(untilMs);
    expect(target.asked).toEqual(['uploadReadings sightglass-a']);
    expect((await store.target(browserTarget.id))?.notBeforeMs).toBe(untilMs);
  });

  it.each<[UploadFailureCode, number | null]>([
    ['unexpected', 1200],
    ['invalid', null],
  ])('as %s leaves alone that entry only', async (code, nextMs) => {
    const { send, target, store } = await bench(rowsEntry('a'), rowsEntry('b'));
    target.fails.set('uploadReadings', failure(code));
    expect(await send()).toBe(nextMs);
    expect(target.asked).toEqual(['uploadReadings sightglass-a', 'uploadReadings sightglass-b']);
    expect(await store.target(browserTarget.id)).toEqual(browserTarget);
  });

  it('without a key holds everything back until there is one', async () => {
    const { send, target, store, entry } = await bench(rowsEntry('a'), rowsEntry('b'));
    target.fails.set('uploadReadings', failure('unauthenticated'));
    expect(await send()).toBeNull();
    expect(target.asked).toEqual(['uploadReadings sightglass-a']);
    expect(await store.target(browserTarget.id)).toEqual({ ...browserTarget, needsKey: true });
    expect(await entry('a')).toMatchObject({ state: 'waiting', dueMs: 1000 });
  });

  it('to be connected without a key says so of that target alone', async () => {
    const { send, host, store } = await bench(rowsEntry('a', { targetId: server.id }));
    host.connects = () => {
      throw failure('unauthenticated');
    };
    expect(await send()).toBeNull();
    expect((await store.targets()).map(({ needsKey }) => needsKey)).toEqual([false, true]);
    host.connects = () => {
      throw failure('unavailable');
    };
    await store.updateTarget(server.id, (known) => ({ ...known, needsKey: false }));
    await expect(send()).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('as a frame is no longer kept is not tried again', async () => {
    const { send, host, entry, target } = await bench(captureEntry('a', { fileName: 'cat.jpg' }));
    host.hasFrame = false;
    expect(await send()).toBeNull();
    expect(target.asked).toEqual([]);
    expect(await entry('a')).toMatchObject({
      state: 'failed',
      lastFailure: { code: 'capture-missing', message: 'The frame "cat.jpg" is no longer kept in this browser.' },
    });
  });

  it("in the outbox's own store is the host's to mend", async () => {
    const { send, target, entry } = await bench(rowsEntry('a'));
    target.connection.uploadReadings = async () => {
      throw new TypeError('The disk is gone.');
    };
    await expect(send()).rejects.toThrow('The disk is gone.');
    expect(await entry('a')).toMatchObject({ state: 'sending' });
  });
});

describe('what is broken off', () => {
  it('by the end of the sender waits again, as what may be stored', async () => {
    const { send, target, live, entry } = await bench(rowsEntry('a'));
    target.connection.uploadReadings = async (_, { signal }) => {
      live.abort(failure('cancelled'));
      throw signal.reason;
    };
    expect(await send()).toBeNull();
    expect(await entry('a')).toMatchObject({ state: 'waiting', failures: 0, mayBeStored: 'yes', dueMs: 1000 });
  });

  it.each<[string, (at: Awaited<ReturnType<typeof bench>>) => unknown]>([
    [
      'its target is connected',
      ({ host, live, target }) =>
        (host.connects = () => {
          live.abort(failure('cancelled'));
          return target.connection;
        }),
    ],
    [
      'its beginning is recorded',
      ({ store, live }) => {
        const { updateAmong } = store;
        store.updateAmong = async (...change) => {
          const updated = await updateAmong(...change);
          if (updated?.state === 'sending') live.abort(failure('cancelled'));
          return updated;
        };
      },
    ],
  ])('by the end of the sender while %s is not uploaded', async (_, endsThen) => {
    const test = await bench(rowsEntry('a'));
    let uploaded = false;
    test.target.connection.uploadReadings = async (_rows, { signal }) => {
      signal.throwIfAborted();
      uploaded = true;
    };
    endsThen(test);
    expect(await test.send()).toBeNull();
    expect(uploaded).toBe(false);
    expect(await test.entry('a')).toMatchObject({ state: 'waiting', failures: 0, dueMs: 1000 });
  });

  it('by a person stays as it was cancelled', async () => {
    const { send, target, sender, store, entry } = await bench(rowsEntry('a'));
    const codes: unknown[] = [];
    target.connection.uploadReadings = async (_, { signal }) => {
      await sender.breakOff(); // nobody cancelled it
      codes.push(signal.aborted);
      await store.update('a', (known) => ({ ...known, state: 'failed', dueMs: null }));
      await sender.breakOff();
      codes.push((signal.reason as UploadError).code);
      throw signal.reason;
    };
    await send();
    expect(codes).toEqual([false, 'cancelled']);
    expect(await entry('a')).toMatchObject({ state: 'failed', failures: 0 });
    await sender.breakOff(); // nothing is sent any more
  });

  it.each<[string, Partial<CaptureContent>, string]>([
    ['while its image is sent', {}, 'uploadCapture'],
    ['while a part is added', { tags: ['x'] }, 'addTags'],
  ])('by a person %s goes no further', async (_, content, during) => {
    const { send, target, store, entry } = await bench(captureEntry('a', { ...content, boxes: [boxOf('cat')] }));
    const { connection } = target;
    const cancelAfter = <Args extends unknown[], Answer>(call: (...args: Args) => Promise<Answer>) => {
      return async (...args: Args): Promise<Answer> => {
        const answer = await call(...args);
        await store.update('a', (known) => ({ ...known, state: 'failed', dueMs: null }));
        return answer;
      };
    };
    if (during === 'uploadCapture') connection.uploadCapture = cancelAfter(connection.uploadCapture);
    else connection.addTags = cancelAfter(connection.addTags);
    target.stored.set('there-sightglass-a', target.whole);
    connection.read = async () => target.whole;
    await send();
    expect(target.asked.at(-1)).toMatch(during);
    expect(await entry('a')).toMatchObject({ state: 'failed' });
  });
});

it('takes back, once, what a sender that died was sending', async () => {
  const { sender, entry } = await bench(
    rowsEntry('a', { state: 'sending', dueMs: null }),
    rowsEntry('b', { state: 'failed', dueMs: null }),
  );
  await sender.recover();
  expect(await entry('a')).toMatchObject({ state: 'waiting', dueMs: 1000, mayBeStored: 'yes' });
  expect(await entry('b')).toMatchObject({ state: 'failed' });
});

describe.each([
  ['a target that says what it has stored', true],
  ['a target that does not, and does not know upload ids', false],
])('a sender that is killed before or after any step, with %s', (_, isSightglass) => {
  /** Sends one frame, with senders that follow each other; the first is killed at a step. null: it came to its end first. */
  async function killedAt(step: number, when: 'before' | 'after') {
    const { store, target, entry } = await bench(captureEntry('a', { tags: ['x'], boxes: [boxOf('cat')] }));
    const images = new Map<string, string>(); // ids by upload id, or by the time of the frame
    let stepsLeft = step;
    const dead = new Promise<never>(() => undefined);
    let kill = (): void => undefined;
    const killed = new Promise<'killed'>((resolve) => (kill = () => resolve('killed')));
    const mortal = <Args extends unknown[], Answer>(call: (...args: Args) => Promise<Answer>) => {
      return async (...args: Args): Promise<Answer> => {
        const isLast = stepsLeft-- === 0;
        if (stepsLeft < -1 || (isLast && when === 'before')) return (kill(), dead);
        const answer = await call(...args);
        return isLast ? (kill(), dead) : answer;
      };
    };
    const connection: UploadConnection = {
      ...target.connection,
      async uploadCapture(content, blob, options) {
        const key = isSightglass ? options.uploadId : `${images.size}`;
        const before = images.get(key);
        if (before !== undefined) return { serverId: before, isWhole: false };
        const { serverId } = await target.connection.uploadCapture(content, blob, options);
        images.set(key, serverId);
        return { serverId, isWhole: isSightglass };
      },
      find: async () => [...images.values()][0] ?? null,
    };
    const senderWith = (wrap: typeof mortal) =>
      new OutboxSender({
        store: { ...store, update: wrap(store.update), updateAmong: wrap(store.updateAmong) },
        captures: { content: wrap(async () => image) },
        connect: async () => ({
          ...connection,
          uploadCapture: wrap(connection.uploadCapture),
          find: wrap(connection.find),
          read: wrap(connection.read),
        }),
        nowMs: () => 1000,
        isOnline: () => true,
        onProgress: () => undefined,
      });
    const first = senderWith(mortal);
    const end = await Promise.race([first.sendDue(new AbortController().signal), killed]);
    if (end !== 'killed') return null;
    const mayHaveArrived = images.size > 0;
    const left = await entry('a');
    if (mayHaveArrived) expect([left.state, left.mayBeStored]).not.toEqual(['waiting', 'no']);
    if (left.state === 'sent') expect(mayHaveArrived).toBe(true);
    const second = senderWith((call) => call);
    await second.recover();
    await second.sendDue(new AbortController().signal);
    return { images, asked: target.asked, left: await entry('a') };
  }

  it('leaves a frame that the next one brings there, once', async () => {
    let kills = 0;
    for (const when of ['before', 'after'] as const) {
      for (let step = 0; ; step++) {
        const run = await killedAt(step, when);
        if (!run) break;
        kills++;
        const context = `killed ${when} step ${step}`;
        expect([...run.images.values()], context).toEqual(['there-sightglass-a']);
        expect(run.left, context).toMatchObject({ state: 'sent', serverId: 'there-sightglass-a', mayBeStored: 'no' });
        expect(run.left.content, context).toMatchObject({ parts: { tags: 'done', boxes: 'done' } });
      }
    }
    expect(kills).toBe(isSightglass ? 8 : 16);
  });
});
