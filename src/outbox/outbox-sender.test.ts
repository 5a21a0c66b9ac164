import { describe, expect, it } from 'vitest';
import { entryOf } from '../../tests/contract/capture-entries.ts';
import type { ImageBox } from '../capture/capture.ts';
import * as steps from './entry-steps.ts';
import { memoryOutboxStore } from './memory-outbox-store.ts';
import type { CaptureContent, OutboxEntry, UploadProgress } from './outbox-entry.ts';
import { OutboxSender, type SenderPorts } from './outbox-sender.ts';
import { browserTarget, serverTarget, type OutboxTarget } from './outbox-target.ts';
import type { StoredParts, UploadConnection } from './upload-connection.ts';
import { UploadError, type UploadFailureCode } from './upload-error.ts';

const image = new Blob(['abc']);
const startMs = 1_000_000;
const live = new AbortController().signal;
const box = (label: string, id = ''): ImageBox => ({
  ...{ id, label, confidence: null },
  ...{ xMinNormalized: 0, yMinNormalized: 0, xMaxNormalized: 1, yMaxNormalized: 1 },
});
const nothing = { tags: [], datasetIds: [], boxes: [], classes: [] };
const server = serverTarget({ id: 'srv', name: 'S', url: 'https://s.example', keyId: 'k', partId: 'p' });

/** A target that does as the API says: one upload id stores once. `calls` is what it was asked, in order. */
function targetInMemory() {
  const calls: string[] = [];
  const stored = new Map<string, StoredParts & { readonly uploadId: string }>();
  const rows = new Set<string>();
  let uploads = 0;
  const failures: { readonly at: string; readonly error: unknown; readonly afterwards: boolean }[] = [];
  /** how many bytes it keeps of an image; null = none at all, though it says so */
  const faults = { sizeBytes: 3 as number | null };
  async function asked<T>(call: string, answer: () => T): Promise<T> {
    calls.push(call);
    const at = failures.findIndex(({ at: name }) => call.startsWith(name));
    const failure = at < 0 ? null : failures.splice(at, 1)[0]!;
    if (failure && !failure.afterwards) throw failure.error;
    const answered = answer();
    if (failure) throw failure.error;
    return answered;
  }
  const change = (id: string, how: (parts: StoredParts) => Partial<StoredParts>): void => {
    const known = stored.get(id)!;
    stored.set(id, { ...known, ...how(known) });
  };
  const connection: UploadConnection = {
    uploadCapture: ({ tags }, { size }, { uploadId, onProgress }) =>
      asked(`upload ${uploadId}`, () => {
        onProgress({ sentBytes: size, totalBytes: size });
        const known = [...stored].find(([, parts]) => parts.uploadId === uploadId);
        if (known) return known[0];
        const id = `s${++uploads}`;
        const { sizeBytes } = faults;
        if (sizeBytes !== null) stored.set(id, { tags, datasetIds: [], boxes: [], classes: [], sizeBytes, uploadId });
        return id;
      }),
    uploadReadings: ({ componentName }, { uploadId }) => asked(`rows ${uploadId}`, () => void rows.add(componentName)),
    find: (_, wantedBytes) =>
      asked('find', () => [...stored].find(([, { sizeBytes }]) => sizeBytes === wantedBytes)?.[0] ?? null),
    hasReadings: ({ componentName }) => asked('hasReadings', () => rows.has(componentName)),
    read: (id) => asked(`read ${id}`, () => stored.get(id) ?? null),
    addTags: (id, tags) =>
      asked(`tags ${tags.join()}`, () => change(id, (known) => ({ tags: [...known.tags, ...tags] }))),
    addToDataset: (id, datasetId) =>
      asked(`dataset ${datasetId}`, () => change(id, (known) => ({ datasetIds: [...known.datasetIds, datasetId] }))),
    addBox: (id, added) =>
      asked(`box ${added.label}`, () =>
        change(id, ({ boxes }) => ({ boxes: [...boxes, { ...added, id: `there-${boxes.length}` }] })),
      ),
    removeBox: (id, boxId) =>
      asked(`unbox ${boxId}`, () =>
        change(id, ({ boxes }) => ({ boxes: boxes.filter((other) => other.id !== boxId) })),
      ),
  };
  const fail = (at: string, error: unknown, afterwards = false): void => void failures.push({ at, error, afterwards });
  return { connection, calls, stored, rows, faults, fail };
}

function bench(ports: Partial<SenderPorts> = {}) {
  const store = memoryOutboxStore();
  const target = targetInMemory();
  const clock = { nowMs: startMs };
  const progress: [string, UploadProgress][] = [];
  const sender = new OutboxSender({
    store,
    captures: { content: async () => image },
    connect: async () => target.connection,
    nowMs: () => clock.nowMs,
    isOnline: () => true,
    onProgress: (id, now) => progress.push([id, now]),
    ...ports,
  });
  const entry = async (id = 'e'): Promise<OutboxEntry> => (await store.get(id))!;
  /** Sends what is due, and whatever becomes due later, at most `times` times. Returns the waits between them in ms. */
  async function sendAll(times = 20): Promise<number[]> {
    const waits: number[] = [];
    for (let time = 0; time < times; time++) {
      const nextMs = await sender.sendDue(live);
      if (nextMs === null) break;
      waits.push(nextMs - clock.nowMs);
      clock.nowMs = nextMs;
    }
    return waits;
  }
  return { store, target, clock, progress, sender, entry, sendAll };
}

function capture(id: string, content: Partial<CaptureContent> = {}, changes: Partial<OutboxEntry> = {}): OutboxEntry {
  const made = entryOf(id, { dueMs: startMs, ...changes });
  const whole = { ...(made.content as CaptureContent), ...content };
  return { ...made, content: { ...whole, parts: content.parts ?? steps.partsOf(whole) } };
}
const readings = (id: string, changes: Partial<OutboxEntry> = {}): OutboxEntry =>
  entryOf(id, { content: { kind: 'readings', componentName: id, tags: [], rows: [] }, dueMs: startMs, ...changes });
const failing = (code: UploadFailureCode, retryAfterMs: number | null = null) =>
  new UploadError(code, code, { retryAfterMs });

describe('a capture', () => {
  it('is stored, looked at, completed and recorded as sent', async () => {
    const { store, target, progress, entry, sendAll, clock } = bench();
    await store.add([capture('e', { tags: ['t', 'u'], datasetIds: ['d'], boxes: [box('cup')] })]);
    expect(await sendAll()).toEqual([]);
    expect(target.calls).toEqual(['upload sightglass-e', 'read s1', 'dataset d', 'box cup']);
    expect(await entry()).toMatchObject({ state: 'sent', serverId: 's1', sentAtMs: clock.nowMs, mayBeStored: 'no' });
    expect(progress).toEqual([['e', { sentBytes: 3, totalBytes: 3 }]]);
  });

  it('is recorded step by step: the image before its parts, a part before the next', async () => {
    const { store, target, entry, sendAll } = bench();
    await store.add([capture('e', { datasetIds: ['d'], boxes: [box('cup')] })]);
    target.fail('box', failing('unexpected'));
    await sendAll(1);
    expect(await entry()).toMatchObject({
      ...{ state: 'waiting', serverId: 's1' },
      content: { parts: { image: 'done', datasets: 'done', boxes: 'waiting' } },
    });
    await sendAll();
    expect(target.calls.slice(4)).toEqual(['read s1', 'box cup']);
    expect((await entry()).state).toBe('sent');
  });

  it.each([
    ['which may have stored it, by looking for it first', true, 'unexpected', ['find', 'read s1']],
    ['that stored nothing, by looking, and then anew', false, 'unexpected', ['find', 'upload sightglass-e', 'read s1']],
    ['that was refused for now, without a look', false, 'rate-limited', ['upload sightglass-e', 'read s1']],
  ] as const)('goes on after a try %s', async (_, afterwards, code, calls) => {
    const { store, target, entry, sendAll } = bench();
    await store.add([capture('e')]);
    target.fail('upload', failing(code), afterwards);
    await sendAll();
    expect(target.calls).toEqual(['upload sightglass-e', ...calls]);
    expect([(await entry()).state, target.stored.size]).toEqual(['sent', 1]);
  });

  it.each([
    ['a target that holds fewer bytes', 2],
    ['a target that does not know it', null],
  ])('is looked for eight times at %s, and then stored anew under another upload id', async (_, sizeBytes) => {
    const { store, target, entry, sendAll } = bench();
    await store.add([capture('e', { tags: ['t'] })]);
    target.faults.sizeBytes = sizeBytes;
    const uploads = () => target.calls.filter((call) => call.startsWith('upload'));
    await sendAll(8);
    expect(uploads()).toEqual(['upload sightglass-e']);
    expect(await entry()).toMatchObject({ generation: 0, failures: 8, lastFailure: { code: 'not-stored' } });
    expect((await entry()).lastFailure!.message).toContain(
      sizeBytes === null ? 'does not know it' : 'holds 2 bytes of 3',
    );
    await sendAll(1);
    expect(await entry()).toMatchObject({ generation: 1, serverId: null, failures: 9 });
    target.faults.sizeBytes = 3;
    await sendAll();
    expect(uploads()).toEqual(['upload sightglass-e', 'upload sightglass-e.1']);
    expect((await entry()).state).toBe('sent');
  });

  it('takes a target by its word that does not tell sizes', async () => {
    const { store, target, entry, sendAll } = bench();
    await store.add([capture('e')]);
    target.faults.sizeBytes = 0;
    await sendAll();
    expect((await entry()).state).toBe('sent');
  });

  it('fails for good where its frame is no longer kept', async () => {
    const { store, entry, sendAll } = bench({ captures: { content: async () => null } });
    await store.add([capture('e', { fileName: 'cup.jpg' })]);
    await sendAll();
    expect(await entry()).toMatchObject({ state: 'failed', lastFailure: { code: 'capture-missing' } });
    expect((await entry()).lastFailure!.message).toContain('cup.jpg');
  });
});

describe('two entries of one frame that were queued before either was sent', () => {
  const twin = (id: string, boxes: readonly ImageBox[], changes: Partial<OutboxEntry> = {}): OutboxEntry =>
    capture(id, { captureId: 'c', sha256: 'h', boxes }, changes);

  it('are stored once, and the boxes of the earlier one are taken back', async () => {
    const { store, target, entry, sendAll } = bench();
    await store.add([twin('a', [box('cup')]), twin('b', [box('mug')])]);
    await sendAll();
    expect(target.stored.size).toBe(1);
    expect(target.calls).toEqual(['upload sightglass-a', 'read s1', 'box cup', 'read s1', 'box mug', 'unbox there-0']);
    expect((await entry('b')).serverId).toBe('s1');
  });

  it('take nothing back where the later one was sent first', async () => {
    const { store, target, sendAll } = bench();
    await store.add([twin('a', [box('cup')], { dueMs: startMs + 1 }), twin('b', [box('mug')])]);
    await sendAll();
    expect(target.calls).toEqual(['upload sightglass-b', 'read s1', 'box mug', 'read s1', 'box cup']);
  });

  it.each<[string, Partial<CaptureContent>, Partial<OutboxEntry>]>([
    ['of another picture', { sha256: 'other' }, {}],
    ['for another target', {}, { targetId: server.id }],
    ['that lost its image there', {}, { generation: 1 }],
    ['that may be stored already', {}, { mayBeStored: 'yes' }],
  ])('stay apart: one %s', async (_, content, changes) => {
    const { store, target, sendAll } = bench();
    await store.putTarget(server);
    await store.add([twin('a', []), capture('b', { captureId: 'c', sha256: 'h', ...content }, changes)]);
    await sendAll();
    const own = target.calls.filter((call) => call.startsWith('upload sightglass-b') || call === 'find');
    expect(own).toHaveLength(1);
  });

  it('stay apart from rows, and from one that is not stored yet', async () => {
    const { store, target, sendAll } = bench();
    await store.add([twin('a', []), twin('b', [])]);
    target.fail('upload sightglass-a', failing('invalid'));
    await sendAll();
    expect(target.calls).toEqual(['upload sightglass-a', 'upload sightglass-b', 'read s1']);
  });
});

describe('rows', () => {
  it('are sent', async () => {
    const { store, target, entry, sendAll } = bench();
    await store.add([readings('r')]);
    await sendAll();
    expect(target.calls).toEqual(['rows sightglass-r']);
    expect((await entry('r')).state).toBe('sent');
  });

  it.each([
    [true, ['hasReadings']],
    [false, ['hasReadings', 'rows sightglass-r']],
  ])('are looked for after a lost answer: there %s', async (arrived, calls) => {
    const { store, target, sendAll } = bench();
    await store.add([readings('r')]);
    target.fail('rows', failing('unexpected'), arrived);
    await sendAll();
    expect(target.calls).toEqual(['rows sightglass-r', ...calls]);
  });
});

describe('what is sent when', () => {
  it('goes by due time, target by target, and tells when the next one is due', async () => {
    const { store, target, sender } = bench();
    await store.putTarget(server);
    await store.add([
      readings('late', { dueMs: startMs + 70 }),
      readings('later', { dueMs: startMs + 90, targetId: server.id }),
      readings('due'),
    ]);
    expect(await sender.sendDue(live)).toBe(startMs + 70);
    expect(target.calls).toEqual(['rows sightglass-due']);
  });

  it.each([
    ['paused', async ({ store }: ReturnType<typeof bench>) => store.setPaused(true)],
    ['without a key', ({ store }: ReturnType<typeof bench>) => store.putTarget({ ...server, needsKey: true })],
  ])('is nothing while %s', async (_, arrange) => {
    const held = bench();
    await held.store.putTarget(server);
    await held.store.add([readings('r', { targetId: server.id })]);
    await arrange(held);
    expect(await held.sender.sendDue(live)).toBeNull();
    expect(held.target.calls).toEqual([]);
  });

  it('is nothing for servers while offline; this browser goes on', async () => {
    const { store, target, sender } = bench({ isOnline: () => false });
    await store.putTarget(server);
    await store.add([readings('there', { targetId: server.id }), readings('here')]);
    expect(await sender.sendDue(live)).toBeNull();
    expect(target.calls).toEqual(['rows sightglass-here']);
  });

  it('is nothing once it was ended', async () => {
    const { store, target, sender } = bench();
    await store.add([readings('r')]);
    expect(await sender.sendDue(AbortSignal.abort())).toBeNull();
    expect(target.calls).toEqual([]);
  });

  it('passes over a target that this host has no way to', async () => {
    const way = targetInMemory();
    const connect = async (target: OutboxTarget) => (target.id === server.id ? way.connection : null);
    const { store, sender, entry } = bench({ connect });
    await store.putTarget(server);
    await store.add([readings('here'), readings('there', { targetId: server.id })]);
    expect(await sender.sendDue(live)).toBeNull();
    expect(way.calls).toEqual(['rows sightglass-there']);
    expect((await entry('here')).state).toBe('waiting');
  });
});

describe('a target', () => {
  it.each([
    ['unavailable', null, 60_000],
    ['rate-limited', 7_000, 7_000],
    ['server-full', null, 200],
  ] as const)('that is %s is left alone, with all that waits for it', async (code, retryAfterMs, waitMs) => {
    const { store, target, sender, clock } = bench();
    await store.add([readings('a'), readings('b')]);
    target.fail('rows', failing(code, retryAfterMs));
    expect(await sender.sendDue(live)).toBe(clock.nowMs + waitMs);
    expect(target.calls).toEqual(['rows sightglass-a']);
    expect((await store.target(browserTarget.id))!.notBeforeMs).toBe(clock.nowMs + waitMs);
    clock.nowMs += waitMs;
    await sender.sendDue(live);
    expect(target.calls.slice(1).sort()).toEqual(
      code === 'rate-limited'
        ? ['rows sightglass-a', 'rows sightglass-b']
        : ['hasReadings', 'rows sightglass-a', 'rows sightglass-b'],
    );
  });

  it('goes on with the next entry where only one is refused', async () => {
    const { store, target, sender } = bench();
    await store.add([readings('a'), readings('b')]);
    target.fail('rows', failing('invalid'));
    await sender.sendDue(live);
    expect(target.calls).toEqual(['rows sightglass-a', 'rows sightglass-b']);
    expect((await store.target(browserTarget.id))!.notBeforeMs).toBe(0);
  });

  it.each(['while it connects', 'in the midst of a call'])('that refuses the key %s waits for one', async (when) => {
    const known = targetInMemory();
    const connect = async () => {
      if (when === 'while it connects') throw failing('unauthenticated');
      return known.connection;
    };
    const { store, sender, entry } = bench({ connect });
    await store.add([readings('a'), readings('b')]);
    known.fail('rows', failing('unauthenticated'));
    expect(await sender.sendDue(live)).toBeNull();
    expect((await store.target(browserTarget.id))!.needsKey).toBe(true);
    expect(known.calls).toHaveLength(when === 'while it connects' ? 0 : 1);
    expect((await entry('a')).state).toBe('waiting');
  });

  it('cannot be reached by any other error of the way: the host is told', async () => {
    const { store, sender } = bench({ connect: async () => Promise.reject(new RangeError('no store')) });
    await store.add([readings('a')]);
    await expect(sender.sendDue(live)).rejects.toThrow(RangeError);
    expect((await store.target(browserTarget.id))!.needsKey).toBe(false);
  });
});

describe('broken off', () => {
  /** A sender in the midst of a call; `ended` is the reason that the call was given. */
  async function inTheMidst() {
    let begun!: () => void;
    const started = new Promise<void>((resolve) => (begun = resolve));
    const connection: UploadConnection = {
      ...targetInMemory().connection,
      uploadReadings: (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () =>
            reject(signal.reason instanceof UploadError ? signal.reason : failing('cancelled')),
          );
          begun();
        }),
    };
    const made = bench({ connect: async () => connection });
    await made.store.add([readings('r')]);
    const end = new AbortController();
    const sending = made.sender.sendDue(end.signal);
    await started;
    return { ...made, sending, end };
  }

  it('by the end of its host, an entry waits again, perhaps stored', async () => {
    const { sending, end, entry, clock } = await inTheMidst();
    end.abort();
    expect(await sending).toBeNull();
    expect(await entry('r')).toMatchObject({ state: 'waiting', dueMs: clock.nowMs, failures: 0, mayBeStored: 'yes' });
  });

  it('by a person, the entry stays as the person left it', async () => {
    const { sending, store, sender, entry } = await inTheMidst();
    await store.update('r', (known) => steps.cancelled(known, startMs));
    await sender.breakOff();
    await sending;
    expect(await entry('r')).toMatchObject({ state: 'failed', lastFailure: { code: 'cancelled' } });
  });

  it('is nothing that was not cancelled', async () => {
    const { sending, sender, end, entry } = await inTheMidst();
    await sender.breakOff();
    expect((await entry('r')).state).toBe('sending');
    end.abort();
    await sending;
    await sender.breakOff(); // nothing is under way
  });

  it('between two steps, what was cancelled is not recorded as done', async () => {
    const { store, target, entry, sendAll } = bench();
    await store.add([capture('e', { boxes: [box('cup')] })]);
    const { read } = target.connection;
    target.connection.read = async (...call) => {
      await store.update('e', (known) => steps.cancelled(known, startMs));
      return read(...call);
    };
    await sendAll();
    expect(await entry()).toMatchObject({ state: 'failed', content: { parts: { boxes: 'waiting' } } });
  });

  it.each(['before it began', 'before its image was recorded'])('%s, nothing more is sent', async (when) => {
    const { store, target, entry, sendAll } = bench();
    await store.add([capture('e', { boxes: [box('cup')] })]);
    const cancel = () => store.update('e', (known) => steps.cancelled(known, startMs));
    const { uploadCapture } = target.connection;
    target.connection.uploadCapture = async (...call) => {
      const id = await uploadCapture(...call);
      await cancel();
      return id;
    };
    if (when === 'before it began') await cancel();
    await sendAll();
    expect(target.calls).toEqual(when === 'before it began' ? [] : ['upload sightglass-e']);
    expect((await entry()).serverId).toBeNull();
  });
});

it('recovers what a sender that died left, and nothing else', async () => {
  const { store, sender, entry } = bench();
  await store.add([
    readings('left', { state: 'sending', dueMs: null }),
    readings('sent', { state: 'sent', dueMs: null }),
    readings('failed', { state: 'failed', dueMs: null }),
  ]);
  await sender.recover();
  expect(await entry('left')).toMatchObject({ state: 'waiting', dueMs: startMs, mayBeStored: 'yes' });
  expect([(await entry('sent')).state, (await entry('failed')).state]).toEqual(['sent', 'failed']);
});

it('leaves an error of its own store to the host, and the entry to the next sender', async () => {
  const store = memoryOutboxStore();
  const { sender } = bench({
    store: {
      ...store,
      update: async (id, change) => {
        if ((await store.get(id))?.state === 'sending') throw new RangeError('The disk is full.');
        return store.update(id, change);
      },
    },
  });
  await store.add([readings('r')]);
  await expect(sender.sendDue(live)).rejects.toThrow('The disk is full.');
  expect((await store.get('r'))!.state).toBe('sending');
});
