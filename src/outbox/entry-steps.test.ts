import { describe, expect, it } from 'vitest';
import { entryOf } from '../../tests/contract/capture-entries.ts';
import * as steps from './entry-steps.ts';
import type { CaptureContent, OutboxEntry, OutboxState } from './outbox-entry.ts';
import { uploadIdOf } from './outbox-entry.ts';
import { UploadError, type UploadFailureCode } from './upload-error.ts';

const nowMs = 5_000;
const box = {
  ...{ id: 'b', label: 'cup', confidence: null },
  ...{ xMinNormalized: 0, yMinNormalized: 0, xMaxNormalized: 1, yMaxNormalized: 1 },
};
const wanted = { tags: ['t'], datasetIds: ['d'], boxes: [box], classes: [{ id: 'c', label: 'full', confidence: 1 }] };

function captureEntry(changes: Partial<OutboxEntry> = {}, content: Partial<CaptureContent> = {}): OutboxEntry {
  const entry = entryOf('e', { sizeBytes: 40, ...changes });
  if (entry.content.kind !== 'capture') throw new TypeError('The fixture is a capture.');
  return { ...entry, content: { ...entry.content, ...wanted, parts: steps.partsOf(wanted), ...content } };
}
const readingsEntry = (changes: Partial<OutboxEntry> = {}): OutboxEntry =>
  entryOf('r', { content: { kind: 'readings', componentName: 'bench', tags: [], rows: [] }, ...changes });

const failure = { code: 'unexpected', message: 'odd', atMs: 1 } as const;
const partsOfEntry = (entry: OutboxEntry | null) => (entry?.content.kind === 'capture' ? entry.content.parts : null);

describe('which step applies to which state', () => {
  const states: readonly OutboxState[] = ['waiting', 'sending', 'sent', 'failed'];
  it.each<[string, (entry: OutboxEntry) => OutboxEntry | null, readonly OutboxState[]]>([
    ['beginSending', steps.beginSending, ['waiting']],
    ['takeBack', (entry) => steps.takeBack(entry, nowMs), ['sending']],
    ['imageStored', (entry) => steps.imageStored(entry, 's'), ['sending']],
    ['storedBefore', (entry) => steps.storedBefore(entry, 's', []), ['sending']],
    ['partSettled', (entry) => steps.partSettled(entry, 'tags', 'done'), ['sending']],
    ['lostByTarget', steps.lostByTarget, ['sending']],
    ['sent', (entry) => steps.sent(entry, nowMs), ['sending']],
    ['failedTry', (entry) => steps.failedTry(entry, new UploadError('unexpected', 'odd'), nowMs), ['sending']],
    ['retryNow', (entry) => steps.retryNow(entry, nowMs), ['waiting', 'failed']],
    ['cancelled', (entry) => steps.cancelled(entry, nowMs), ['waiting', 'sending']],
  ])('%s', (_, step, applies) => {
    expect(states.filter((state) => step(captureEntry({ state })) !== null)).toEqual(applies);
  });

  it('takes what speaks of images for captures alone', () => {
    const rows = readingsEntry({ state: 'sending' });
    expect(steps.storedBefore(rows, 's', [])).toBeNull();
    expect(steps.lostByTarget(rows)).toBeNull();
    expect(steps.partSettled(rows, 'tags', 'done')).toEqual(rows);
  });
});

it.each([
  ['no', 'by-this-try'],
  ['by-this-try', 'by-this-try'],
  ['yes', 'yes'],
] as const)('begins to send: what may be stored is %s before and %s then', (before, then) => {
  const entry = captureEntry({ mayBeStored: before, dueMs: 9, progress: { sentBytes: 7, totalBytes: 40 } });
  expect(steps.beginSending(entry)).toEqual({
    ...entry,
    state: 'sending',
    dueMs: null,
    progress: { sentBytes: 0, totalBytes: 40 },
    mayBeStored: then,
  });
});

it('takes back what its sender left: due at once, and perhaps stored', () => {
  const entry = captureEntry({ state: 'sending', dueMs: null, generation: 2 });
  expect(steps.takeBack(entry, nowMs)).toEqual({ ...entry, state: 'waiting', dueMs: nowMs, mayBeStored: 'yes' });
});

it('knows an image by the id it has there, and has nothing left to doubt', () => {
  const stored = steps.imageStored(captureEntry({ state: 'sending', mayBeStored: 'yes' }), 'there');
  expect(stored).toMatchObject({
    serverId: 'there',
    mayBeStored: 'no',
    progress: { sentBytes: 40, totalBytes: 40 },
  });
  expect(partsOfEntry(stored)).toMatchObject({ image: 'done', tags: 'waiting' });
});

it('takes the image from another entry, with boxes to take back, and has its own parts to do again', () => {
  const done = { image: 'done', tags: 'done', datasets: 'done', boxes: 'done', classes: 'done' } as const;
  const joined = steps.storedBefore(captureEntry({ state: 'sending' }, { boxes: [], parts: done }), 'there', [box]);
  expect(joined).toMatchObject({ serverId: 'there', mayBeStored: 'no', content: { replacedBoxes: [box] } });
  expect(partsOfEntry(joined)).toEqual({
    ...{ image: 'done', tags: 'waiting', datasets: 'waiting', boxes: 'waiting', classes: 'waiting' },
  });
});

it('settles one part and leaves the others', () => {
  const settled = steps.partSettled(captureEntry({ state: 'sending' }), 'classes', 'not-taken');
  expect(partsOfEntry(settled)).toEqual({
    ...{ image: 'waiting', tags: 'waiting', datasets: 'waiting', boxes: 'waiting', classes: 'not-taken' },
  });
});

it('begins a new generation, under another upload id, where the target lost what it had', () => {
  const done = { image: 'done', tags: 'done', datasets: 'done', boxes: 'done', classes: 'done' } as const;
  const entry = captureEntry(
    { state: 'sending', serverId: 'gone', generation: 3, mayBeStored: 'yes' },
    { parts: done, replacedBoxes: [box] },
  );
  const lost = steps.lostByTarget(entry)!;
  expect(lost).toMatchObject({ serverId: null, mayBeStored: 'no', generation: 4, content: { replacedBoxes: [] } });
  expect(partsOfEntry(lost)).toEqual(steps.partsOf(wanted));
  expect([uploadIdOf(entry), uploadIdOf(lost)]).toEqual(['sightglass-e.3', 'sightglass-e.4']);
  expect(uploadIdOf({ id: 'e', generation: 0 })).toBe('sightglass-e');
});

it('is sent: no failure is left, and rows have an empty id there', () => {
  const entry = readingsEntry({ state: 'sending', failures: 2, lastFailure: failure, mayBeStored: 'yes' });
  expect(steps.sent(entry, nowMs)).toEqual({
    ...entry,
    ...{ state: 'sent', serverId: '', mayBeStored: 'no', failures: 0, lastFailure: null, sentAtMs: nowMs },
  });
  expect(steps.sent(captureEntry({ state: 'sending', serverId: 'there' }), nowMs)?.serverId).toBe('there');
});

describe('a try that failed', () => {
  const tried = (code: UploadFailureCode, changes: Partial<OutboxEntry> = {}) =>
    steps.failedTry(captureEntry({ state: 'sending', dueMs: null, ...changes }), new UploadError(code, 'why'), nowMs);

  it.each<[UploadFailureCode, OutboxState, number | null]>([
    ['unexpected', 'waiting', nowMs + 400],
    ['unavailable', 'waiting', nowMs + 60_000],
    ['unauthenticated', 'waiting', nowMs],
    ['invalid', 'failed', null],
  ])('as %s is %s', (code, state, dueMs) => {
    expect(tried(code, { failures: 1 })).toMatchObject({
      ...{ state, dueMs, failures: 2, lastFailure: { code, message: 'why', atMs: nowMs } },
    });
  });

  it.each<[UploadFailureCode, OutboxEntry['mayBeStored'], OutboxEntry['mayBeStored']]>([
    ['invalid', 'by-this-try', 'no'],
    ['rate-limited', 'by-this-try', 'no'],
    ['invalid', 'yes', 'yes'], // a refusal tells of its own try only
    ['unavailable', 'by-this-try', 'yes'],
    ['unexpected', 'by-this-try', 'yes'],
  ])('as %s: what may be stored was %s and is %s', (code, before, then) => {
    expect(tried(code, { mayBeStored: before })?.mayBeStored).toBe(then);
  });
});

it('is tried anew by a person, as if it had never failed', () => {
  const entry = captureEntry({ state: 'failed', failures: 7, lastFailure: failure, dueMs: null });
  expect(steps.retryNow(entry, nowMs)).toEqual({ ...entry, state: 'waiting', dueMs: nowMs, failures: 0 });
});

it.each([
  ['no', 'no', 'Cancelled.'],
  ['by-this-try', 'yes', 'Cancelled while it was sent; it may have arrived.'],
  ['yes', 'yes', 'Cancelled while it was sent; it may have arrived.'],
] as const)('is cancelled: stored %s before, %s then, and says so', (before, then, message) => {
  const entry = captureEntry({ state: 'waiting', dueMs: 1, mayBeStored: before });
  expect(steps.cancelled(entry, nowMs)).toEqual({
    ...entry,
    ...{ state: 'failed', dueMs: null, mayBeStored: then },
    lastFailure: { code: 'cancelled', message, atMs: nowMs },
  });
});

it.each([
  ['nothing', { tags: [], datasetIds: [], boxes: [], classes: [] }, []],
  ['tags', { ...wanted, datasetIds: [], boxes: [], classes: [] }, ['tags']],
  ['boxes to take back', { tags: [], datasetIds: [], boxes: [], classes: [], replacedBoxes: [box] }, ['boxes']],
  ['all', wanted, ['tags', 'datasets', 'boxes', 'classes']],
])('has parts to do of %s', (_, content, expected) => {
  const { image, ...parts } = steps.partsOf(content);
  expect(image).toBe('waiting');
  expect(Object.entries(parts).flatMap(([part, state]) => (state === 'waiting' ? [part] : []))).toEqual(expected);
  expect(Object.values(parts).every((state) => state === 'waiting' || state === 'none')).toBe(true);
});
