import { expect, it } from 'vitest';
import { whyNoFrames, type WatchedSource } from './why-no-frames.ts';

const video = (playing: boolean, positionMs: number): Pick<WatchedSource, 'video'> => ({
  video: { playing, positionMs, video: { durationMs: 2000 } },
});

it.each<[string, Partial<WatchedSource>, RegExp]>([
  ['pictures', { kind: 'stills' }, /^Pictures do not run/],
  ['a running webcam', { kind: 'camera', camera: { open: {} } }, /^$/],
  ['a stopped webcam', { kind: 'camera' }, /webcam is stopped/],
  ['a machine that is followed', { kind: 'machine', machine: { isFollowing: true } }, /^$/],
  ['a stopped machine', { kind: 'machine' }, /machine’s camera is stopped/],
  ['a video that plays', { kind: 'video', ...video(true, 1990) }, /^$/],
  ['a paused video', { kind: 'video', ...video(false, 1000) }, /is paused/],
  ['a video that ended', { kind: 'video', ...video(false, 1960) }, /has ended/],
])('%s', (_, source, words) => {
  expect(
    whyNoFrames({
      kind: 'stills',
      camera: { open: null },
      machine: { isFollowing: false },
      ...video(false, 0),
      ...source,
    }),
  ).toMatch(words);
});
