import { describe, expect, it } from 'vitest';
import { isTrackTag, trackMarks, trackTag } from './track-tags.ts';

describe('tags of tracks', () => {
  it('say of a box that it is a key frame of a track, and that this ends', () => {
    const tags = ['night', trackTag({ id: 7, isLast: false }, 'b:1'), trackTag({ id: 0, isLast: true }, 'x\ny')];
    expect([...trackMarks(tags)]).toEqual([
      ['b:1', { id: 7, isKey: true, isLast: false }],
      ['x\ny', { id: 0, isKey: true, isLast: true }],
    ]);
    expect(tags.map(isTrackTag)).toEqual([false, true, true]);
  });

  it.each([
    'sightglass:track:7:',
    'sightglass:track::b',
    'sightglass:track:-1:b',
    'sightglass:track:1.5:b',
    'track:7:b',
  ])('are not %s', (tag) => {
    expect([isTrackTag(tag), trackMarks([tag]).size]).toEqual([false, 0]);
  });
});
