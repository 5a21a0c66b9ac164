import { beforeEach, describe, expect, it } from 'vitest';
import { entryOf, parcelOf } from '../../../tests/contract/capture-entries.ts';
import { memoryCaptureStore } from '../../../tests/memory-capture-store.ts';
import type { CaptureStore } from '../../evidence/capture/capture-store.ts';
import type { Capture, ImageBox } from '../../evidence/capture/capture.ts';
import type { Reading } from '../../evidence/capture/readings.ts';
import * as steps from './entry-steps.ts';
import { memoryOutboxStore } from '../../../tests/memory-outbox-store.ts';
import type { CaptureContent, OutboxEntry } from './outbox-entry.ts';
import type { OutboxStore } from './outbox-store.ts';
import { browserTarget, type ServerTarget } from './outbox-target.ts';
import { Outbox } from './outbox.ts';
import { UploadError } from './upload-error.ts';

const rowAt = (timeMs: number): Reading => ({ timeRequestedMs: timeMs, timeReceivedMs: timeMs, readings: { cups: 2 } });
const boxOf = (label: string): ImageBox => ({
  id: label,
  label,
  confidence: null,
  xMinNormalized: 0,
  yMinNormalized: 0,
  xMaxNormalized: 1,
  yMaxNormalized: 1,
});

let store: OutboxStore;
let captureStore: CaptureStore;
let outbox: Outbox;
let nowMs = 0;
/** What became of keys, in words. */
let keyWords: string[] = [];

beforeEach(() => {
  [store, captureStore, nowMs, keyWords] = [memoryOutboxStore(), memoryCaptureStore(), 0, []];
  let serial = 0;
  outbox = new Outbox({
    store,
    captures: captureStore,
    keys: {
      give: async ({ id }, key, keep) => void keyWords.push(`${id} has ${key}${keep ? ', kept' : ''}`),
      get: async () => null,
      isKept: async () => false,
      forget: async (id) => void keyWords.push(`${id} has none`),
    },
    sha256: async (bytes) => new TextDecoder().decode(bytes),
    randomId: () => `random-${String(++serial).padStart(9, '0')}`,
    nowMs: () => ++nowMs,
  });
});

async function markSent(id: string): Promise<void> {
  await store.updateAmong(id, steps.beginSending);
  await store.update(id, (entry) => steps.imageStored(entry, `there-${id}`));
  await store.update(id, (entry) => steps.sent(entry, 3));
}
const captureContent = ({ content }: OutboxEntry): CaptureContent => {
  if (content.kind !== 'capture') throw new Error('This entry is no capture.');
  return content;
};
const sendOne = async (capture: Capture, choice = {}): Promise<OutboxEntry> =>
  (await outbox.sendCaptures([capture], browserTarget.id, choice)).entries[0]!;

it('takes rows that were sent off the list, and keeps what waits and the captures that it knows by', async () => {
  const { entries: rows } = await outbox.sendReadings([rowAt(1)], browserTarget.id);
  const { entries: captures } = await outbox.sendCaptures([parcelOf('a').capture], browserTarget.id);
  for (const { id } of [...rows, ...captures]) {
    await store.updateAmong(id, steps.beginSending);
    await store.update(id, (entry) => steps.sent(entry, 3));
  }
  await outbox.sendReadings([rowAt(2)], browserTarget.id);

  await outbox.removeSentReadings();
  const left = (await store.page(null, null, 9)).map(({ state, content }) => `${content.kind} ${state}`);
  expect(left).toEqual(['readings waiting', 'capture sent']);
});

describe('a frame that is queued', () => {
  const { capture: plain } = parcelOf('a');
  const classes = [{ id: '1', label: 'indoors', confidence: 1 }];
  const capture: Capture = { ...plain, tags: ['warm', 'a'], boxes: [boxOf('cat')], classes };

  it('is what it is now, with what was chosen', async () => {
    const entry = await sendOne(capture, { tags: ['warm', 'b'], datasetIds: ['e', 'd', 'e'] });
    expect(entry).toMatchObject({
      id: '00000000000001000-random-000000001',
      targetId: browserTarget.id,
      state: 'waiting',
      dueMs: 1,
      sizeBytes: 11,
      progress: { sentBytes: 0, totalBytes: 11 },
      failures: 0,
      generation: 0,
      mayBeStored: 'no',
      content: {
        kind: 'capture',
        captureId: 'a',
        sha256: 'hash of pixels of a',
        mediaType: 'image/jpeg',
        fileName: 'webcam-000000.jpg',
        componentName: 'webcam',
        timeRequestedMs: 1.25,
        timeReceivedMs: 2.5,
        tags: ['a', 'b', 'warm'],
        datasetIds: ['d', 'e'],
        boxes: [boxOf('cat')],
        classes,
        replacedBoxes: [],
        parts: { image: 'waiting', tags: 'waiting', datasets: 'waiting', boxes: 'waiting', classes: 'waiting' },
      },
    });
  });

  it('goes without its boxes and classes where nobody wants them', async () => {
    const { boxes, classes } = captureContent(await sendOne(capture, { withBoxes: false, withClasses: false }));
    expect([boxes, classes]).toEqual([[], []]);
  });

  it("is of the machine's camera, where one had it", async () => {
    const setup = { cameraName: 'yard' } as Capture['setup'];
    expect(captureContent(await sendOne({ ...capture, setup })).componentName).toBe('yard');
  });

  it('is queued once, and tried again if it failed', async () => {
    const { id } = await sendOne(capture);
    await store.updateAmong(id, steps.beginSending);
    await store.update(id, (entry) => steps.failedTry(entry, new UploadError('invalid', 'No.'), 1));
    const again = await outbox.sendCaptures([capture, { ...capture, tags: [] }], browserTarget.id);
    expect(again).toMatchObject({ alreadyThere: 1, entries: [{ id }, {}] });
    expect(await store.get(id)).toMatchObject({ state: 'waiting', failures: 0 });
  });

  it('only brings what is new of it where it lies at the target already', async () => {
    const { id } = await sendOne(capture);
    await markSent(id);
    expect((await outbox.sendCaptures([capture], browserTarget.id)).alreadyThere).toBe(1);
    const entry = await sendOne({ ...capture, boxes: [boxOf('dog')] });
    expect(entry).toMatchObject({ state: 'waiting', serverId: `there-${id}` });
    expect(captureContent(entry)).toMatchObject({
      replacedBoxes: [boxOf('cat')],
      parts: { image: 'done', boxes: 'waiting', tags: 'waiting' },
    });
    await markSent(entry.id);
    const back = await sendOne(capture);
    expect([back.id === id, captureContent(back).replacedBoxes]).toEqual([false, [boxOf('dog')]]);
  });

  it.each<[string, (before: OutboxEntry) => Partial<OutboxEntry>]>([
    ['it was not sent', () => ({ state: 'failed' })],
    ['it was sent elsewhere', () => ({ targetId: 'server' })],
    ['nobody knows its id there', () => ({ serverId: null })],
    ['its bytes are others', (before) => ({ content: { ...captureContent(before), sha256: 'other' } })],
  ])('is stored anew where %s', async (_, changes) => {
    const { id } = await sendOne(capture);
    await markSent(id);
    await store.update(id, (entry) => ({ ...entry, ...changes(entry) }));
    const entry = await sendOne({ ...capture, boxes: [boxOf('dog')] });
    expect(entry.serverId).toBeNull();
    expect(captureContent(entry)).toMatchObject({ replacedBoxes: [], parts: { image: 'waiting' } });
  });
});

it('queues rows in calls of five hundred, under the name of their sensor', async () => {
  const rows = Array.from({ length: 501 }, (_, i) => rowAt(i));
  const { entries } = await outbox.sendReadings(rows, browserTarget.id, { componentName: 'scale', tags: ['warm'] });
  const sizes = entries.map(({ content }) => (content.kind === 'readings' ? content.rows.length : 0));
  expect(sizes).toEqual([500, 1]);
  expect(entries[1]).toMatchObject({
    content: { kind: 'readings', componentName: 'scale', tags: ['warm'], rows: [rowAt(500)] },
    sizeBytes: JSON.stringify([rowAt(500)]).length,
  });
  const [{ content }] = (await outbox.sendReadings([rowAt(1)], browserTarget.id)).entries as [OutboxEntry];
  expect(content).toMatchObject({ componentName: 'bench', tags: [] });
});

describe('entries as a person treats them', () => {
  it('are cancelled, removed, and tried again, and their target with them', async () => {
    await store.add([entryOf('a'), entryOf('b', { state: 'failed', dueMs: null, failures: 9 }), entryOf('c')]);
    await store.updateTarget(browserTarget.id, (target) => ({ ...target, notBeforeMs: 99 }));
    await outbox.cancel('a');
    expect(await store.get('a')).toMatchObject({ state: 'failed', lastFailure: { code: 'cancelled' } });
    expect((await store.target(browserTarget.id))?.notBeforeMs).toBe(99);
    await outbox.retryAll();
    for (const id of ['a', 'b']) expect(await store.get(id)).toMatchObject({ state: 'waiting', failures: 0 });
    expect((await store.target(browserTarget.id))?.notBeforeMs).toBe(0);
    await outbox.remove(['a', 'c']);
    expect((await store.page(null, null, 9)).map(({ id }) => id)).toEqual(['b']);
  });

  it('that wait for their next attempt are all tried at once', async () => {
    const lastFailure = { code: 'unavailable', message: 'The server did not answer.', atMs: 0 } as const;
    await store.add([entryOf('a', { failures: 3, dueMs: 57_000, lastFailure }), entryOf('b', { dueMs: 9 })]);
    await outbox.retryAll();
    expect(await store.get('a')).toMatchObject({ state: 'waiting', failures: 0, dueMs: nowMs });
    expect(await store.get('b')).toMatchObject({ state: 'waiting', dueMs: 9 });
  });

  it('that were sent are not tried again, nor is their target', async () => {
    await store.add([entryOf('a', { state: 'sent' })]);
    await store.updateTarget(browserTarget.id, (target) => ({ ...target, notBeforeMs: 99 }));
    await outbox.retry('a');
    expect(await store.get('a')).toMatchObject({ state: 'sent' });
    expect((await store.target(browserTarget.id))?.notBeforeMs).toBe(99);
  });

  it('wait while the outbox is paused', async () => {
    await outbox.pause();
    expect(await store.paused()).toBe(true);
    await outbox.resume();
    expect(await store.paused()).toBe(false);
  });
});

describe('targets', () => {
  const typed = { name: 'Server', url: 'data.example', keyId: 'k', partId: 'p' };
  let target: ServerTarget;
  beforeEach(async () => {
    target = await outbox.addTarget(typed, 's3cret', false);
  });

  it('are added with their key, which lies elsewhere', async () => {
    expect(target).toMatchObject({ id: 'random-000000001', url: 'https://data.example' });
    expect(await store.targets()).toEqual([browserTarget, target]);
    expect(keyWords).toEqual(['random-000000001 has s3cret']);
  });

  it('are sent to at once when they get another key', async () => {
    await store.updateTarget(target.id, (known) => ({ ...known, needsKey: true, notBeforeMs: 9 }));
    await outbox.giveKey(target, 'other', true);
    expect(await store.target(target.id)).toEqual(target);
    expect(keyWords.at(-1)).toBe('random-000000001 has other, kept');
  });

  it('go with their key and all that is theirs', async () => {
    const states = ['waiting', 'sending', 'failed', 'sent'] as const;
    await store.add(states.map((state) => entryOf(state, { state, targetId: target.id })));
    await store.add([entryOf('other')]);
    await outbox.removeTarget(target);
    expect(await store.targets()).toEqual([browserTarget]);
    expect((await store.page(null, null, 9)).map(({ id }) => id)).toEqual(['other']);
    expect(keyWords.at(-1)).toBe('random-000000001 has none');
    await outbox.removeTarget(browserTarget);
    expect(keyWords).toHaveLength(2);
  });
});

describe('an entry as files', () => {
  const textsOf = async (id: string) =>
    Promise.all((await outbox.exportEntry(id)).map(async (file) => [file.fileName, await file.content.text()]));

  it('is its picture and what is known of it', async () => {
    const { capture, ...parcel } = parcelOf('a');
    await captureStore.put([{ ...parcel, capture }]);
    const { id } = await sendOne({ ...capture, boxes: [boxOf('cat')] }, { tags: ['x'], datasetIds: ['d'] });
    const description = {
      fileName: 'webcam-000000.jpg',
      sha256: 'hash of pixels of a',
      timeRequested: '1970-01-01T00:00:00.001Z',
      timeReceived: '1970-01-01T00:00:00.002Z',
      tags: ['x'],
      datasetIds: ['d'],
      boxes: [boxOf('cat')],
      classes: [],
    };
    const [picture, words] = await textsOf(id);
    expect(picture).toEqual(['webcam-000000.jpg', 'pixels of a']);
    expect([words![0], JSON.parse(words![1]!)]).toEqual(['webcam-000000.jpg.json', description]);
  });

  it('is the rows, or what is left of a frame that is no longer kept, or nothing', async () => {
    const [{ id }] = (await outbox.sendReadings([rowAt(1)], browserTarget.id)).entries as [OutboxEntry];
    const [[fileName, text]] = (await textsOf(id)) as [[string, string]];
    expect([fileName, JSON.parse(text)]).toEqual(['bench.json', [rowAt(1)]]);
    const gone = await sendOne(parcelOf('gone').capture);
    expect((await textsOf(gone.id)).map(([name]) => name)).toEqual(['webcam-000000.jpg.json']);
    expect(await outbox.exportEntry('none')).toEqual([]);
  });
});
