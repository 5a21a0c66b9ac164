import { describe, expect, it } from 'vitest';
import { isLiveKind, sourceKinds, type SourceKind, type Sources } from './source-kinds.ts';
import { whyNoFrames } from './why-no-frames.ts';

/** Sources of which nothing is open. */
const stopped: Sources = {
  showsSamples: false,
  stills: { frames: [], shown: null },
  camera: { open: null },
  video: { playing: false, positionMs: 0, video: null },
  machine: { frameName: 'cam · robot', isFollowing: false, frames: { waitsSinceMs: null } },
};
const film = { name: 'belt.mp4', durationMs: 2000 };
const following = { ...stopped.machine, isFollowing: true };

describe('what is said of a source', () => {
  it.each<[string, SourceKind, Partial<Sources>, readonly [title: string, figure: string]]>([
    ['no pictures', 'stills', {}, ['No frames', '0 frames']],
    ['samples', 'stills', { showsSamples: true }, ['No frames', 'samples']],
    ['pictures', 'stills', { stills: { frames: [1, 2], shown: { name: 'a.png' } } }, ['a.png', '2 frames']],
    ['a stopped webcam', 'camera', {}, ['Webcam', 'webcam stopped']],
    ['a webcam without a name', 'camera', { camera: { open: { label: '' } } }, ['Webcam', 'webcam live']],
    ['a webcam', 'camera', { camera: { open: { label: 'Desk' } } }, ['Desk', 'webcam live']],
    ['a video', 'video', { video: { ...stopped.video, video: film } }, ['belt.mp4', 'video']],
    ['a stopped machine', 'machine', {}, ['cam · robot', 'machine stopped']],
    ['a machine', 'machine', { machine: following }, ['cam · robot', 'machine live']],
    [
      'a machine that does not answer',
      'machine',
      { machine: { ...following, frames: { waitsSinceMs: 1 } } },
      ['cam · robot', 'waits for the machine'],
    ],
  ])('%s', (_, kind, part, words) => {
    const sources = { ...stopped, ...part };
    expect([sourceKinds[kind].title(sources), sourceKinds[kind].figure(sources)]).toEqual(words);
  });
});

it.each<[string, SourceKind, Partial<Sources>, readonly [givesFrames: boolean, isStreaming: boolean]]>([
  ['pictures', 'stills', {}, [true, false]],
  ['a running webcam', 'camera', { camera: { open: { label: '' } } }, [true, true]],
  ['a stopped webcam', 'camera', {}, [false, false]],
  ['a video that plays', 'video', { video: { ...stopped.video, playing: true } }, [true, true]],
  ['a paused video', 'video', {}, [true, false]],
  ['a machine that is followed', 'machine', { machine: following }, [true, true]],
  ['a stopped machine', 'machine', {}, [false, false]],
])('%s gives frames, or streams them', (_, kind, part, expected) => {
  const sources = { ...stopped, ...part };
  expect([sourceKinds[kind].givesFrames(sources), sourceKinds[kind].isStreaming(sources)]).toEqual(expected);
});

it.each<[string, SourceKind, Partial<Sources>, RegExp]>([
  ['pictures', 'stills', {}, /^Pictures do not run/],
  ['a stopped webcam', 'camera', {}, /webcam is stopped/],
  ['a stopped machine', 'machine', {}, /machine’s camera is stopped/],
  ['a paused video', 'video', { video: { playing: false, positionMs: 1000, video: film } }, /is paused/],
  ['a video that ended', 'video', { video: { playing: false, positionMs: 1960, video: film } }, /has ended/],
])('%s: says why no frames come', (_, kind, part, words) => {
  expect(whyNoFrames({ ...stopped, ...part, kind, isStreaming: false })).toMatch(words);
  expect(whyNoFrames({ ...stopped, ...part, kind, isStreaming: true })).toBe('');
});

it('knows a live kind, whatever was stored', () => {
  expect(['stills', 'camera', 'video', 'machine', 'toString', '', 3, null].filter(isLiveKind)).toEqual([
    'camera',
    'machine',
  ]);
});
