import { describe, expect, it } from 'vitest';
import { entryOf } from '../../../tests/contract/capture-entries.ts';
import * as steps from './entry-steps.ts';
import type { CaptureContent, OutboxEntry, OutboxState } from './outbox-entry.ts';
import { uploadIdOf } from './outbox-entry.ts';
import { UploadError, type UploadFailureCode } from './upload-error.ts';

const nowMs = 5000;
const box = { xMinNormalized: 0, yMinNormalized: 0, xMaxNormalized: 1, yMaxNormalized: 1, confidence: null };
const cat = { ...box, id: '1', label: 'cat' };
const dog = { ...box, id: '2', label: 'dog' };
const failure = (code: UploadFailureCode) => new UploadError(code, `It is ${code}.`);

const isCapture = (entry: OutboxEntry | null): CaptureContent => {
  if (entry?.content.kind !== 'capture') throw new Error('This step gave no capture.');
  return entry.content;
};
const withContent = (changes: Partial<CaptureContent>, entry: Partial<OutboxEntry> = {}): OutboxEntry => {
  const content = { ...isCapture(entryOf('a')), ...changes };
  return entryOf('a', { content: { ...content, parts: steps.partsOf(content) }, ...entry });
};
const rows = entryOf('r', {
  state: 'sending',
  content: { kind: 'readings', componentName: 'bench', tags: [], rows: [] },
});

it.each<[step: string, of: readonly OutboxState[], take: (entry: OutboxEntry) => OutboxEntry | null]>([
  ['beginSending', ['waiting'], (entry) => steps.beginSending(entry, [])],
  ['takeBack', ['sending'], (entry) => steps.takeBack(entry, nowMs)],
  ['imageStored', ['sending'], (entry) => steps.imageStored(entry, 'there')],
  ['sentWhole', ['sending'], (entry) => steps.sentWhole(entry, 'there', nowMs)],
  ['partSettled', ['sending'], (entry) => steps.partSettled(entry, 'tags', 'done')],
  ['lostByTarget', ['sending'], steps.lostByTarget],
  ['sent', ['sending'], (entry) => steps.sent(entry, nowMs)],
  ['failedTry', ['sending'], (entry) => steps.failedTry(entry, failure('invalid'), nowMs)],
  ['retryNow', ['waiting', 'failed'], (entry) => steps.retryNow(entry, nowMs)],
  ['cancelled', ['waiting', 'sending'], (entry) => steps.cancelled(entry, nowMs)],
])('%s is a step of an entry that is %s, and of no other', (_, states, take) => {
  const applies = (['waiting', 'sending', 'sent', 'failed'] as const).filter((state) => take(entryOf('a', { state })));
  expect(applies).toEqual(states);
});

describe('what may be stored', () => {
  it.each([
    ['no', 'by-this-try'],
    ['by-this-try', 'by-this-try'],
    ['yes', 'yes'],
  ] as const)('was "%s" before a try, and is "%s" in it', (before, during) => {
    const sending = steps.beginSending(entryOf('a', { mayBeStored: before, sizeBytes: 9 }), []);
    expect(sending).toMatchObject({
      state: 'sending',
      dueMs: null,
      mayBeStored: during,
      progress: { sentBytes: 0, totalBytes: 9 },
    });
  });

  it('is said of one whose sender died, which is due at once', () => {
    const sending = entryOf('a', { state: 'sending', dueMs: null, mayBeStored: 'by-this-try' });
    expect(steps.takeBack(sending, nowMs)).toEqual({ ...sending, state: 'waiting', dueMs: nowMs, mayBeStored: 'yes' });
  });

  it.each<[OutboxEntry['mayBeStored'], UploadFailureCode, OutboxEntry['mayBeStored']]>([
    ['by-this-try', 'unauthenticated', 'no'],
    ['by-this-try', 'permission-denied', 'no'],
    ['by-this-try', 'invalid', 'no'],
    ['by-this-try', 'too-large', 'no'],
    ['by-this-try', 'rate-limited', 'no'],
    ['by-this-try', 'capture-missing', 'no'],
    ['by-this-try', 'unavailable', 'yes'],
    ['by-this-try', 'server-full', 'yes'],
    ['by-this-try', 'not-stored', 'yes'],
    ['by-this-try', 'cancelled', 'yes'],
    ['by-this-try', 'unexpected', 'yes'],
    ['yes', 'invalid', 'yes'],
    ['no', 'invalid', 'yes'],
  ])('was "%s" before %s, and is "%s" after it', (before, code, after) => {
    const sending = entryOf('a', { state: 'sending', mayBeStored: before });
    expect(steps.failedTry(sending, failure(code), nowMs)?.mayBeStored).toBe(after);
  });

  it.each([
    ['no', 'no', 'Cancelled.'],
    ['by-this-try', 'yes', 'Cancelled while it was sent; it may have arrived.'],
    ['yes', 'yes', 'Cancelled while it was sent; it may have arrived.'],
  ] as const)('was "%s" before a person cancelled, and is "%s" after it: %s', (before, after, message) => {
    expect(steps.cancelled(entryOf('a', { mayBeStored: before }), nowMs)).toMatchObject({
      state: 'failed',
      dueMs: null,
      mayBeStored: after,
      lastFailure: { code: 'cancelled', message, atMs: nowMs },
    });
  });
});

describe('a failed try', () => {
  const sending = entryOf('a', { state: 'sending', dueMs: null, failures: 2, mayBeStored: 'yes' });
  const lastFailure = (code: UploadFailureCode) => ({ code, message: `It is ${code}.`, atMs: nowMs });

  it.each<[UploadFailureCode, Partial<OutboxEntry>]>([
    ['invalid', { state: 'failed', dueMs: null }],
    ['unauthenticated', { state: 'waiting', dueMs: nowMs }],
    ['unavailable', { state: 'waiting', dueMs: nowMs + 60_000 }],
    ['unexpected', { state: 'waiting', dueMs: nowMs + 800 }],
  ])('that was %s is followed by %o', (code, changes) => {
    const expected = { ...sending, ...changes, failures: 3, lastFailure: lastFailure(code) };
    expect(steps.failedTry(sending, failure(code), nowMs)).toEqual(expected);
  });

  it('is forgotten when a person wants another, and when it was sent', () => {
    const failed = entryOf('a', { state: 'failed', dueMs: null, failures: 3, lastFailure: lastFailure('invalid') });
    expect(steps.retryNow(failed, nowMs)).toEqual({ ...failed, state: 'waiting', dueMs: nowMs, failures: 0 });
    const sent = steps.sent({ ...failed, state: 'sending', serverId: 'there', mayBeStored: 'yes' }, nowMs);
    expect(sent).toEqual({
      ...failed,
      state: 'sent',
      serverId: 'there',
      mayBeStored: 'no',
      failures: 0,
      lastFailure: null,
      sentAtMs: nowMs,
    });
    expect(steps.sent(rows, nowMs)?.serverId).toBe('');
  });
});

describe('parts', () => {
  it.each([
    [{}, { tags: 'none', datasets: 'none', boxes: 'none', classes: 'none' }],
    [{ tags: ['a'] }, { tags: 'waiting', datasets: 'none', boxes: 'none', classes: 'none' }],
    [{ datasetIds: ['a'] }, { tags: 'none', datasets: 'waiting', boxes: 'none', classes: 'none' }],
    [{ boxes: [cat] }, { tags: 'none', datasets: 'none', boxes: 'waiting', classes: 'none' }],
    [{ replacedBoxes: [cat] }, { tags: 'none', datasets: 'none', boxes: 'waiting', classes: 'none' }],
    [
      { classes: [{ id: '1', label: 'cat', confidence: 1 }] },
      { tags: 'none', datasets: 'none', boxes: 'none', classes: 'waiting' },
    ],
  ])('of %o are the image and %o', (wanted, others) => {
    const nothing = { tags: [], datasetIds: [], boxes: [], classes: [] };
    expect(steps.partsOf({ ...nothing, ...wanted })).toEqual({ image: 'waiting', ...others });
  });

  it('are settled one at a time, and the image with the id that it has there', () => {
    const entry = withContent({ tags: ['a'] }, { state: 'sending', mayBeStored: 'by-this-try', sizeBytes: 9 });
    const stored = steps.imageStored(entry, 'there')!;
    expect(stored).toMatchObject({ serverId: 'there', mayBeStored: 'no', progress: { sentBytes: 9, totalBytes: 9 } });
    expect(isCapture(stored).parts).toMatchObject({ image: 'done', tags: 'waiting' });
    const settled = steps.partSettled(stored, 'tags', 'not-taken');
    expect(isCapture(settled).parts).toMatchObject({ image: 'done', tags: 'not-taken' });
    expect(steps.partSettled(rows, 'tags', 'done')).toEqual(rows);
  });

  it('of a frame that another entry brought are the boxes of both, those of the other to be taken back', () => {
    const earlier = { ...withContent({ boxes: [dog] }, { state: 'sent', serverId: 'there' }), id: '0' };
    const joined = steps.beginSending(withContent({}), [earlier])!;
    expect(joined).toMatchObject({ state: 'sending', serverId: 'there', mayBeStored: 'no' });
    expect(isCapture(joined)).toMatchObject({ replacedBoxes: [dog], parts: { image: 'done', boxes: 'waiting' } });
    expect(steps.beginSending({ ...rows, state: 'waiting' }, [earlier])).toMatchObject({ serverId: null });
    const later = { ...withContent({ boxes: [cat] }, { state: 'sent', serverId: 'there' }), id: '1' };
    expect(isCapture(steps.beginSending(withContent({}), [earlier, later])).replacedBoxes).toEqual([cat]);
    const elsewhere = { ...earlier, targetId: 'another target' };
    expect(steps.beginSending(withContent({}), [elsewhere])).toMatchObject({ serverId: null });
  });

  it('that are settled already stay so, whatever other entries of the frame there are', () => {
    const earlier = { ...withContent({ boxes: [dog] }, { state: 'sent', serverId: 'there' }), id: '0' };
    const known = steps.partSettled(
      withContent({ tags: ['a'] }, { state: 'sending', serverId: 'there' }),
      'tags',
      'done',
    )!;
    const begun = steps.beginSending({ ...known, state: 'waiting' }, [earlier]);
    expect(isCapture(begun)).toMatchObject({ replacedBoxes: [], parts: { tags: 'done' } });
  });

  it('are all done, but those that it lacks, where the target has stored the whole in one call', () => {
    const entry = withContent(
      { tags: ['a'], datasetIds: ['d'], boxes: [cat], classes: [{ id: '1', label: 'cat', confidence: 1 }] },
      { state: 'sending', mayBeStored: 'yes', failures: 2, sizeBytes: 9 },
    );
    const whole = steps.sentWhole(entry, 'there', nowMs)!;
    expect(whole).toEqual({
      ...steps.sent(steps.imageStored(entry, 'there')!, nowMs),
      content: {
        ...entry.content,
        parts: { image: 'done', tags: 'done', datasets: 'done', boxes: 'done', classes: 'done' },
      },
    });
    expect(isCapture(steps.sentWhole(withContent({}, { state: 'sending' }), 'there', nowMs)).parts).toEqual({
      image: 'done',
      tags: 'none',
      datasets: 'none',
      boxes: 'none',
      classes: 'none',
    });
    expect(steps.sentWhole(rows, 'there', nowMs)).toBeNull();
  });
});

it('stores anew, under another upload id, what a target has lost', () => {
  const settled = withContent(
    { boxes: [cat], replacedBoxes: [dog] },
    { state: 'sending', serverId: 'there', mayBeStored: 'yes', generation: 1 },
  );
  const stored = steps.partSettled(steps.imageStored(settled, 'there')!, 'boxes', 'done')!;
  const lost = steps.lostByTarget(stored)!;
  expect(lost).toMatchObject({ serverId: null, mayBeStored: 'no', generation: 2, state: 'sending' });
  expect(isCapture(lost)).toMatchObject({ replacedBoxes: [], parts: { image: 'waiting', boxes: 'waiting' } });
  expect([uploadIdOf(entryOf('a')), uploadIdOf(stored), uploadIdOf(lost)]).toEqual([
    'sightglass-a',
    'sightglass-a.1',
    'sightglass-a.2',
  ]);
  expect(steps.lostByTarget(rows)).toBeNull();
});
