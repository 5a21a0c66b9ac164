import { describe, expect, it } from 'vitest';
import { readMp4, type ByteSource } from './read-mp4.ts';
import { decodeFrom, frameAtUs, shownFrames } from './shown-frames.ts';
import { writeMp4, type WrittenSample } from './write-mp4.ts';

const sourceOf = (bytes: Uint8Array<ArrayBuffer>): ByteSource & { readonly asked: [number, number][] } => {
  const asked: [number, number][] = [];
  return {
    asked,
    sizeBytes: bytes.length,
    read: async (from, to) => {
      asked.push([from, to]);
      return bytes.slice(from, to);
    },
  };
};

const track = {
  codec: 'avc1.42801e',
  description: Uint8Array.of(1, 0x42, 0x80, 0x1e, 0xff),
  widthPx: 64,
  heightPx: 48,
};

/** A film whose samples say their own numbers. */
function film(samples: readonly WrittenSample[], endUs: number, of = track): Uint8Array<ArrayBuffer> {
  const { head, tail } = writeMp4(of, samples, endUs);
  const body = samples.flatMap(({ sizeBytes }, at) => new Array<number>(sizeBytes).fill(at));
  return Uint8Array.of(...head, ...body, ...tail);
}

const three: readonly WrittenSample[] = [
  { sizeBytes: 5, timeUs: 0, isKey: true },
  { sizeBytes: 3, timeUs: 40_000, isKey: false },
  { sizeBytes: 4, timeUs: 120_000, isKey: true },
];

/** Where a box's content begins. */
function contentOf(bytes: Uint8Array, type: string): number {
  const letters = Array.from(type, (letter) => letter.charCodeAt(0));
  const at = bytes.findIndex((_, start) => letters.every((letter, k) => bytes[start + k] === letter));
  if (at < 0) throw new Error(`no ${type}`);
  return at + 4;
}

const wordAt = (bytes: Uint8Array<ArrayBuffer>, at: number, value: number): void =>
  new DataView(bytes.buffer).setInt32(at, value);

describe('readMp4', () => {
  it('reads codec, size, and where and when each frame is, and none of the frames', async () => {
    const bytes = film(three, 160_000);
    const source = sourceOf(bytes);
    const video = await readMp4(source);
    expect(video).toMatchObject({ codec: 'avc1.42801e', codedWidth: 64, codedHeight: 48, rotation: 0 });
    expect(video.description).toEqual(track.description);
    const { offset, sizeBytes, isKey } = video.samples;
    expect(Array.from(sizeBytes, (size, at) => [...bytes.slice(offset[at]!, offset[at]! + size)])).toEqual([
      [0, 0, 0, 0, 0],
      [1, 1, 1],
      [2, 2, 2, 2],
    ]);
    expect([...isKey]).toEqual([1, 0, 1]);
    const shown = shownFrames(video);
    expect([...shown.timeUs, shown.durationUs]).toEqual([0, 40_000, 120_000, 160_000]);
    const [first] = offset;
    expect(source.asked.every(([from, to]) => to - from <= 16 || from > first! + 11)).toBe(true);
  });

  it('reads as many frames as hours of video have', async () => {
    const samples = Array.from({ length: 200_000 }, (_, at) => ({ sizeBytes: 1, timeUs: 33_000 * at + (at % 2), isKey: true })); // prettier-ignore
    const { head, tail } = writeMp4(track, samples, 33_000 * samples.length);
    const bytes = new Uint8Array(head.length + samples.length + tail.length);
    bytes.set(head);
    bytes.set(tail, head.length + samples.length);
    const { count, offset } = (await readMp4(sourceOf(bytes))).samples;
    expect([count, offset.at(-1)]).toEqual([200_000, head.length + 199_999]);
  });

  it('reads VP9, whose samples carry their configuration', async () => {
    const { description: _, ...vp9 } = { ...track, codec: 'vp09.00.31.08' };
    const video = await readMp4(sourceOf(film(three, 160_000, vp9 as typeof track)));
    expect([video.codec, video.description]).toEqual(['vp09.00.31.08', undefined]);
  });

  it.each([
    [[0, 1, -1, 0], 90],
    [[-1, 0, 0, -1], 180],
    [[0, -1, 1, 0], 270],
  ])('turns pictures by the matrix %j', async ([a, b, c, d], rotation) => {
    const bytes = film(three, 160_000);
    const at = contentOf(bytes, 'tkhd') + 40;
    for (const [step, value] of [
      [0, a!],
      [4, b!],
      [12, c!],
      [16, d!],
    ] as const)
      wordAt(bytes, at + step, value * 65_536);
    expect((await readMp4(sourceOf(bytes))).rotation).toBe(rotation);
    wordAt(bytes, at, 65_536);
    wordAt(bytes, at + 4, 0);
    wordAt(bytes, at + 12, 0);
    wordAt(bytes, at + 16, -65_536);
    await expect(readMp4(sourceOf(bytes))).rejects.toThrow('mirrored');
  });

  it.each([
    ['no such file', () => new TextEncoder().encode('no film at all'), 'is not an MP4'],
    ['a file that was cut off', () => film(three, 160_000).slice(0, 60), 'is not an MP4'],
    ['no video track', () => changed('vide', 'soun'), 'has no video track'],
    ['an unknown codec', () => changed('avc1', 'mjpg'), 'its codec is "mjpg"'],
    ['a list that is cut off', () => withWord('stsz', 8, 900_000), 'list of frames is cut off'],
    ['no frames', () => film([], 0), 'has no frames'],
    ['frames behind its end', () => withWord('co64', 12, 900_000), 'behind its end'],
    ['an edit list of two parts', () => edited([50, 0], [50, 9000]), 'several parts'],
    ['an edit list that ends before its frames', () => edited([60, 0]), 'leaves out its last frames'],
  ])('says why it is not read: %s', async (_, make, words) => {
    await expect(readMp4(sourceOf(make()))).rejects.toThrow(words);
  });
});

function changed(type: string, other: string): Uint8Array<ArrayBuffer> {
  const bytes = film(three, 160_000);
  bytes.set(
    Array.from(other, (letter) => letter.charCodeAt(0)),
    contentOf(bytes, type) - 4,
  );
  return bytes;
}

function withWord(type: string, step: number, value: number): Uint8Array<ArrayBuffer> {
  const bytes = film(three, 160_000);
  wordAt(bytes, contentOf(bytes, type) + step, value);
  return bytes;
}

/** A film with edits: how long each lasts, in the movie's units, which are set to ms, and from where in the track's. */
function edited(...edits: readonly (readonly [lasts: number, from: number])[]): Uint8Array<ArrayBuffer> {
  const bytes = film(three, 160_000);
  wordAt(bytes, contentOf(bytes, 'mvhd') + 12, 1000);
  const words = (...values: readonly number[]): number[] =>
    values.flatMap((value) => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255));
  const letters = (text: string): number[] => Array.from(text, (letter) => letter.charCodeAt(0));
  const entries = edits.flatMap(([lasts, from]) => words(lasts, from, 0x10000));
  const elst = [...words(16 + entries.length), ...letters('elst'), ...words(0, edits.length), ...entries];
  const edts = [...words(8 + elst.length), ...letters('edts'), ...elst];
  const inTrak = contentOf(bytes, 'trak');
  for (const at of [inTrak, contentOf(bytes, 'moov')])
    wordAt(bytes, at - 8, new DataView(bytes.buffer).getUint32(at - 8) + edts.length);
  return Uint8Array.of(...bytes.slice(0, inTrak), ...edts, ...bytes.slice(inTrak));
}

it('reads a film whose one edit lasts to its end, rounded', async () => {
  expect((await readMp4(sourceOf(edited([159, 0])))).samples.count).toBe(3);
  expect(await readMp4(sourceOf(edited([40, -1], [120, 3600])))).toMatchObject({ shownFrom: 0 });
});

describe('frames that refer to later ones', () => {
  // Decoded I P B B I, shown I B B P I.
  const samples = {
    count: 5,
    shownAt: Float64Array.of(10, 40, 20, 30, 50),
    duration: new Uint32Array(5).fill(10),
    isKey: Uint8Array.of(1, 0, 0, 0, 1),
  };

  it('are ordered as they are shown, from the edit list’s start on', () => {
    const shown = shownFrames({ samples, timescale: 1000, shownFrom: 10 });
    expect([[...shown.sample], [...shown.timeUs], shown.durationUs]).toEqual([
      [0, 2, 3, 1, 4],
      [0, 10_000, 20_000, 30_000, 40_000],
      50_000,
    ]);
    expect([...shownFrames({ samples, timescale: 1000, shownFrom: 20 }).sample]).toEqual([2, 3, 1, 4]);
  });

  it('are decoded from the key frame before them, by what is shown', () => {
    expect([0, 1, 2, 3, 4].map((sample) => decodeFrom(samples, sample))).toEqual([0, 0, 0, 0, 4]);
    // shown before the key frame that they are decoded after
    expect(decodeFrom({ shownAt: Float64Array.of(0, 30, 20), isKey: Uint8Array.of(1, 1, 0) }, 2)).toBe(0);
  });

  it('are found by time', () => {
    const { timeUs } = shownFrames({ samples, timescale: 1000, shownFrom: 10 });
    expect([-1, 0, 9_999, 10_000, 99_000].map((us) => frameAtUs({ timeUs }, us))).toEqual([0, 0, 0, 1, 4]);
  });
});
