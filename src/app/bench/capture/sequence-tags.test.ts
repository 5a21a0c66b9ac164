import { expect, it } from 'vitest';
import { sequenceTags } from './sequence-tags.ts';

const info = (name: string) => ({ name, index: 7, timestampMs: 233 });
const live = { quality: 0.92 };
const startedMs = Date.UTC(2026, 10, 22, 15, 4, 5, 678);

it.each([
  ['a frame of a video', 'walk.MP4', live, null, ['sequence:walk.MP4']],
  ['a burst of a video', 'walk.mp4', live, startedMs, ['sequence:walk.mp4']],
  ['a burst of a camera', 'Front cam', live, startedMs, ['sequence:Front cam 2026-11-22 15:04:05']],
  ['a frame of a camera alone', 'Front cam', live, null, []],
  ['a picture of a file', 'walk.mp4.jpg', 'original' as const, null, []],
])('%s is in the sequence that its tag says', (_, name, encoding, burst, tags) => {
  expect(sequenceTags({ info: info(name), encoding }, burst)).toEqual(tags);
});
