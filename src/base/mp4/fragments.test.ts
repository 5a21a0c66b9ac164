import { expect, it } from 'vitest';
import { readMp4 } from './read-mp4.ts';
import { shownFrames } from './shown-frames.ts';
import { writeMp4 } from './write-mp4.ts';

const u32 = (...values: readonly number[]): number[] =>
  values.flatMap((value) => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255));
const letters = (text: string): number[] => Array.from(text, (letter) => letter.charCodeAt(0));
const box = (type: string, ...content: readonly (readonly number[])[]): number[] => {
  const bytes = content.flat();
  return [...u32(8 + bytes.length), ...letters(type), ...bytes];
};

const key = 0x2000000;
const noKey = 0x1010000;

/** With room for the samples that it lists. */
const padded = (bytes: readonly number[]): Uint8Array<ArrayBuffer> =>
  Uint8Array.from([...bytes, ...new Array<number>(1000).fill(0)]);

/** A movie without samples of its own: its header says what fragments take of it. */
function movie(): number[] {
  const { head, tail } = writeMp4({ codec: 'vp09.00.10.08', widthPx: 64, heightPx: 48 }, [], 0);
  const trex = box('trex', u32(0, 1, 1, 3000, 4, noKey)); // track 1, entry 1, 3000 units and 4 bytes a sample
  const inside = [...tail.slice(8), ...box('mvex', trex)];
  return [...head, ...box('moov', inside)];
}

it('reads the fragments that live recorders write: by their own words, or by those of the movie', async () => {
  const bytes = movie();
  const firstAt = bytes.length;
  // Sizes, flags and shifts of its own; offsets count from the fragment.
  const trun = (offset: number): number[] =>
    box('trun', u32(0xe01, 3, offset, 5, key, 0, 6, noKey, 3000, 7, noKey, -3000));
  const tfhd = box('tfhd', u32(0x20000, 1));
  const tfdt = box('tfdt', u32(0, 9000));
  const first = box('moof', box('mfhd', u32(0, 1)), box('traf', tfhd, tfdt, trun(500)));
  bytes.push(...first, ...box('mdat', u32(0)));
  const secondAt = bytes.length;
  const short = box('trun', u32(0x5, 2, 60, key));
  // Another track's samples are not of the video.
  const other = box('traf', box('tfhd', u32(0, 2)), box('trun', u32(0x1, 9, 0)));
  bytes.push(...box('moof', other, box('traf', tfhd, short)));

  const file = padded(bytes);
  const video = await readMp4({ sizeBytes: file.length, read: async (from, to) => file.slice(from, to) });
  const { count, offset, sizeBytes, shownAt, isKey } = video.samples;
  expect(count).toBe(5);
  expect([...offset]).toEqual([firstAt + 500, firstAt + 505, firstAt + 511, secondAt + 60, secondAt + 64]);
  expect([...sizeBytes]).toEqual([5, 6, 7, 4, 4]);
  expect([...isKey]).toEqual([1, 0, 0, 1, 0]);
  expect([...shownAt]).toEqual([9000, 15_000, 12_000, 18_000, 21_000]);
  expect([...shownFrames(video).sample]).toEqual([0, 2, 1, 3, 4]);
});

it('reads a fragment whose offsets count from a place that it names', async () => {
  const bytes = movie();
  const tfhd = box('tfhd', u32(0x1, 1, 0, 77));
  bytes.push(...box('moof', box('traf', tfhd, box('trun', u32(0x1, 1, 3)))));
  const file = padded(bytes);
  const { samples } = await readMp4({ sizeBytes: file.length, read: async (from, to) => file.slice(from, to) });
  expect([...samples.offset, ...samples.isKey]).toEqual([80, 0]);
});

it.each([
  ['of no size', 0x200000, [0x10, 1, 0], 'list of frames is damaged'],
  ['that lie behind its end', 4_000_000_000, [0x10, 1, 4], 'behind its end'],
])('stops at a damaged count of samples %s', async (_, count, header, words) => {
  const bytes = movie();
  bytes.push(...box('moof', box('traf', box('tfhd', u32(...header)), box('trun', u32(0, count)))));
  const file = padded(bytes);
  const read = readMp4({ sizeBytes: file.length, read: async (from, to) => file.slice(from, to) });
  await expect(read).rejects.toThrow(words);
});
