import { Code, ConnectError } from '@connectrpc/connect';
import { describe, expect, it } from 'vitest';
import type { ImageBox } from '../../evidence/capture/capture.ts';
import { entryOf } from '../../../tests/contract/capture-entries.ts';
import { boxChanges, completeParts } from './complete-parts.ts';
import { fileNameOf } from './file-name.ts';
import type { CaptureContent, CaptureParts } from './outbox-entry.ts';
import { serverTarget } from './outbox-target.ts';
import { HttpRefusal, NoAnswer, uploadErrorOf } from './read-failure.ts';
import { retryAfter } from './retry-schedule.ts';
import { redacting } from './target-keys.ts';
import type { StoredParts, UploadConnection } from './upload-connection.ts';
import { UploadError, type UploadFailureCode } from './upload-error.ts';

const hourMs = 3_600_000;
const never = { kind: 'never' };
const after = (delayMs: number) => ({ kind: 'after', delayMs });

describe('retryAfter', () => {
  it.each<[string, UploadFailureCode, number, number | null, object]>([
    ['the first failure', 'unexpected', 1, null, after(200)],
    ['the second', 'unexpected', 2, null, after(400)],
    ['the tenth', 'unexpected', 10, null, after(102_400)],
    ['one too many to count', 'unexpected', 1000, null, after(hourMs)],
    ['out of reach', 'unavailable', 1, null, after(60_000)],
    ['out of reach for long', 'unavailable', 50, null, after(60_000)],
    ['out of reach, and told until when', 'unavailable', 1, 5000, after(5000)],
    ['too many calls', 'rate-limited', 1, 7000, after(7000)],
    ['too many calls, told less than is due', 'rate-limited', 10, 7000, after(102_400)],
    ['a full target', 'server-full', 3, null, after(800)],
    ['a wrong key', 'unauthenticated', 1, null, { kind: 'with-key' }],
    ['what is wrong', 'invalid', 1, null, never],
    ['what is too large', 'too-large', 1, 1000, never],
    ['what a key may not', 'permission-denied', 1, null, never],
  ])('after %s', (_, code, failures, retryAfterMs, expected) => {
    expect(retryAfter({ code, retryAfterMs }, failures)).toEqual(expected);
  });
});

describe('uploadErrorOf', () => {
  const live = new AbortController().signal;
  const answer = (code: Code, message = 'said', header?: Record<string, string>) =>
    new ConnectError(message, code, header);
  it.each<[unknown, UploadFailureCode]>([
    [answer(Code.Unavailable), 'unavailable'],
    [answer(Code.Unauthenticated), 'unauthenticated'],
    [answer(Code.PermissionDenied), 'permission-denied'],
    [answer(Code.InvalidArgument), 'invalid'],
    [answer(Code.NotFound), 'invalid'],
    [answer(Code.FailedPrecondition), 'invalid'],
    [answer(Code.OutOfRange), 'invalid'],
    [answer(Code.Unimplemented), 'invalid'],
    [answer(Code.AlreadyExists), 'invalid'],
    [answer(Code.ResourceExhausted, 'message size 9 is larger than configured readMaxBytes 8'), 'too-large'],
    [answer(Code.ResourceExhausted, 'grpc: received message larger than max (9 vs. 8)'), 'too-large'],
    [answer(Code.ResourceExhausted, 'The disk is full.'), 'server-full'],
    [
      answer(Code.ResourceExhausted, 'The organization stores 6 B of its quota of 10 B, and 5 B more do not fit.'),
      'server-full',
    ],
    [answer(Code.ResourceExhausted, 'Too many calls'), 'rate-limited'],
    [answer(Code.Internal), 'unexpected'],
    [answer(Code.DeadlineExceeded), 'unexpected'],
    [new HttpRefusal(400, null), 'unexpected'],
    [new HttpRefusal(401, null), 'unauthenticated'],
    [new HttpRefusal(403, null), 'permission-denied'],
    [new HttpRefusal(404, null), 'invalid'],
    [new HttpRefusal(405, null), 'invalid'],
    [new HttpRefusal(413, null), 'too-large'],
    [new HttpRefusal(429, null), 'rate-limited'],
    [new HttpRefusal(500, null), 'unexpected'],
    [new HttpRefusal(502, null), 'unavailable'],
    [new HttpRefusal(503, null), 'unavailable'],
    [new HttpRefusal(504, null), 'unavailable'],
    [new HttpRefusal(507, null), 'server-full'],
    [new NoAnswer('gone'), 'unavailable'],
    [new TypeError('odd'), 'unexpected'],
  ])('reads %s as %s', (error, code) => {
    expect(uploadErrorOf(error, live)).toMatchObject({ name: 'UploadError', code });
  });

  it('reads how long to wait, in seconds only', () => {
    expect(uploadErrorOf(new HttpRefusal(429, '7'), live).retryAfterMs).toBe(7000);
    expect(uploadErrorOf(answer(Code.Unavailable, '', { 'retry-after': '2' }), live).retryAfterMs).toBe(2000);
    expect(uploadErrorOf(new HttpRefusal(429, 'Sat, 21 Nov 2026 06:00:00 GMT'), live).retryAfterMs).toBeNull();
  });

  it('never tells a key that a host repeats', () => {
    const error = uploadErrorOf(answer(Code.Unauthenticated, 'bad key s3cret-key!'), live, redacting('s3cret-key'));
    expect(error.message).toBe('The target did not accept the key: bad key [key]!');
    expect(redacting('')('nothing to hide')).toBe('nothing to hide');
  });

  it.each<[unknown, RegExp]>([
    [new HttpRefusal(404, null), /^The host answered HTTP 404\. There is no data service at this address\.$/],
    [new HttpRefusal(503, null), /^The host answered HTTP 503\.$/],
    [answer(Code.InvalidArgument, 'No such tag.'), /^No such tag\.$/],
    [answer(Code.PermissionDenied, 'Read only.'), /^The key may not do this: Read only\.$/],
    [new HttpRefusal(413, null), /^The frame is too large for the target: .* 413\. Send a smaller one, or raise/],
    [new NoAnswer('it is far.'), /^No answer: it is far\.$/],
  ])('says of %s what to do', (error, message) => {
    expect(uploadErrorOf(error, live).message).toMatch(message);
  });

  it('leaves an error of the outbox as it is, and says that something was broken off', () => {
    const error = new UploadError('not-stored', 'Not there.');
    expect(uploadErrorOf(error, live)).toBe(error);
    const broken = AbortSignal.abort(new Error('closed'));
    expect(uploadErrorOf(new Error('aborted'), broken)).toMatchObject({ code: 'cancelled' });
  });

  it('passes on why it was broken off', () => {
    const broken = new AbortController();
    const reason = new UploadError('cancelled', 'By the person.');
    broken.abort(reason);
    expect(uploadErrorOf(new Error('aborted'), broken.signal)).toBe(reason);
  });
});

describe('serverTarget', () => {
  const typed = { id: 't', name: ' ', url: 'https://data.example/', keyId: ' id ', partId: 'part' };
  it.each([
    ['https://data.example/', 'https://data.example'],
    ['data.example:8080', 'https://data.example:8080'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
    ['https://data.example/viam/?a=b#c', 'https://data.example/viam'],
  ])('takes %s', (url, expected) => {
    expect(serverTarget({ ...typed, url })).toMatchObject({ url: expected, keyId: 'id', name: new URL(expected).host });
  });

  it.each([
    ['bad-url', { url: '' }],
    ['bad-url', { url: 'not an address' }],
    ['bad-url', { url: 'https://data.example/a path' }],
    ['bad-url', { url: 'ftp://data.example' }],
    ['bad-url', { url: 'https://id:secret@data.example' }],
    ['bad-url', { url: 'https://secret@data.example' }],
    ['bad-url', { url: 'https://:secret@data.example' }],
    ['bad-key-id', { keyId: '' }],
    ['bad-part', { partId: ' ' }],
  ])('refuses as %s: %o', (code, changes) => {
    const make = () => serverTarget({ ...typed, ...changes });
    expect(make).toThrow(expect.objectContaining({ code }));
    expect(make).not.toThrow(/secret/);
  });
});

describe('boxChanges', () => {
  const box = (label: string, x = 0, confidence: number | null = null, id = ''): ImageBox => ({
    id,
    label,
    confidence,
    xMinNormalized: x,
    yMinNormalized: 0,
    xMaxNormalized: 1,
    yMaxNormalized: 1,
  });
  const texts = (boxes: readonly ImageBox[]) => boxes.map(({ label, id }) => label + id);

  it.each<[string, ImageBox[], ImageBox[], ImageBox[], string[], string[]]>([
    ['nothing that is there', [box('a')], [], [box('a', 1e-9, null, '7')], [], []],
    ['what is missing, as often as it is', [box('a'), box('a')], [], [box('a')], ['a'], []],
    ['nothing of the same confidence', [box('a', 0, 0.5)], [], [box('a', 0, 0.5 + 1e-8, '7')], [], []],
    ['a box of no confidence that has one there', [box('a', 0, null)], [], [box('a', 0, 0)], ['a'], []],
    ['a box of another label', [box('a')], [], [box('b')], ['a'], []],
    ['a box of another place', [box('a', 0.1)], [], [box('a', 0.2)], ['a'], []],
    ['a box of another confidence by little', [box('a', 0, 0.5)], [], [box('a', 0, 0.6)], ['a'], []],
    ['a box of another confidence', [box('a', 0, 0.5)], [], [box('a', 0, null)], ['a'], []],
    ['what was replaced, by the id it has there', [box('b')], [box('a')], [box('a', 0, null, '7')], ['b'], ['a7']],
    ['none of what others drew', [box('b')], [box('a')], [box('c')], ['b'], []],
    ['one of two equal ones', [box('a')], [box('a')], [box('a', 0, null, '1'), box('a', 0, null, '2')], [], ['a2']],
  ])('finds %s', (_, boxes, replacedBoxes, stored, missing, extra) => {
    const changes = boxChanges({ boxes, replacedBoxes }, stored);
    expect([texts(changes.missing), texts(changes.extra)]).toEqual([missing, extra]);
  });
});

describe('completeParts', () => {
  const tags = ['x', 'y'];
  const stored = {
    tags: ['x'],
    datasetIds: ['d'],
    boxes: [],
    classes: [{ label: 'calm', confidence: 1 }],
    sizeBytes: 1,
  };
  const content = (parts: Partial<CaptureParts>, labels: string[] = []): CaptureContent => {
    const entry = entryOf('a');
    if (entry.content.kind !== 'capture') throw new Error('Entries are captures.');
    const none = { image: 'done', tags: 'none', datasets: 'none', boxes: 'none', classes: 'none' } as const;
    const classes = labels.map((label) => ({ id: '', label, confidence: 1 }));
    return { ...entry.content, tags, datasetIds: ['d', 'e'], classes, parts: { ...none, ...parts } };
  };
  const done = async (of: CaptureContent, there: StoredParts = stored): Promise<string[]> => {
    const words: string[] = [];
    const connection = {
      addTags: async (_: string, added: readonly string[]) => void words.push(`tags ${added.join(' ')}`),
      addToDataset: async (_: string, datasetId: string) => void words.push(`dataset ${datasetId}`),
    } as Partial<UploadConnection> as UploadConnection;
    const way = { serverId: 'there', stored: there, connection, signal: new AbortController().signal };
    await completeParts(of, way, async (part, state) => void words.push(`${part} ${state}`));
    return words;
  };

  it.each<[string, CaptureContent, string[]]>([
    ['nothing of what is done', content({}), []],
    ['the tags that it lacks', content({ tags: 'waiting' }), ['tags y', 'tags done']],
    ['the datasets that it is not in', content({ datasets: 'waiting' }), ['dataset e', 'datasets done']],
    ['classes only with the frame itself', content({ classes: 'waiting' }, ['calm']), ['classes done']],
    ['no classes later', content({ classes: 'waiting' }, ['calm', 'bright']), ['classes not-taken']],
  ])('brings a target %s', async (_, of, words) => {
    expect(await done(of)).toEqual(words);
  });

  it('does not call for tags that are all there', async () => {
    expect(await done(content({ tags: 'waiting' }), { ...stored, tags })).toEqual(['tags done']);
  });
});

describe('fileNameOf', () => {
  it.each([
    ['file', 'folder/cat.png', 'image/png', 'cat.png'],
    ['file', 'from a page', 'image/webp', 'from a page.webp'],
    ['live', 'Logitech C920 (046d:082d)', 'image/jpeg', 'Logitech-C920-046d-082d-000007.jpg'],
    ['live', 'yard', 'image/png', 'yard-000007.png'],
    ['live', 'yard', 'image/webp', 'yard-000007.webp'],
    ['live', 'yard', 'image/gif', 'yard-000007.gif'],
    ['live', 'yard', 'image/bmp', 'yard-000007.bmp'],
    ['live', 'yard', 'image/avif', 'yard-000007.avif'],
    ['live', 'yard.mp4', 'image/jpeg', 'yard-000007.jpg'],
    ['live', '???', 'image/png', 'frame-000007.png'],
  ] as const)('of a %s %s', (kind, name, mediaType, expected) => {
    const image = { mediaType, widthPx: 1, heightPx: 1, sizeBytes: 1, sha256: '', encoding: 'original' } as const;
    expect(fileNameOf({ source: { kind, name, index: 7, timestampMs: 0 }, image })).toBe(expected);
  });
});
