import { describe, expect, it } from 'vitest';
import { classifiedFrame, failedFrame, footageFrame } from '../../../tests/footage-frames.ts';
import { ChangeFinder, changeText, type Change } from './changes.ts';
import type { FootageFrame } from './footage-frame.ts';

const rule = { defaultMinimumConfidence: 0.5, labelConfidences: {} };

function changesOf(frames: readonly FootageFrame[], holdMs: number): readonly Change[] {
  const finder = new ChangeFinder(rule, holdMs);
  return frames.flatMap((frame) => finder.add(frame));
}
const cats = (...counts: readonly number[]): FootageFrame[] =>
  counts.map((count, index) =>
    footageFrame(
      index,
      Array.from({ length: count }, () => ['cat', 0.9] as const),
    ),
  );

describe('ChangeFinder', () => {
  it.each<[string, number, number[], number[]]>([
    ['every change at once', 0, [1, 2, 2, 1], [0, 1, 3]],
    ['the first frame of a count that lasts', 200, [0, 0, 1, 1, 1, 1], [2]],
    ['no flicker', 200, [1, 1, 1, 0, 1, 1, 1], [0]],
    ['no count that lasts too short', 200, [0, 1, 1], []],
    ['the count that lasts, not those before it', 200, [0, 1, 2, 2, 2], [2]],
    ['the way back', 200, [1, 1, 1, 0, 0, 0, 1], [0, 3]],
  ])('tells %s', (_, holdMs, counts, indexes) => {
    expect(changesOf(cats(...counts), holdMs).map(({ index }) => index)).toEqual(indexes);
  });

  it('tells of a label that comes while another flickers', () => {
    const frames = [0, 1, 2, 3, 4, 5, 6, 7].map((index) =>
      footageFrame(index, [
        ...(index % 2 === 0 ? [['dog', 0.9] as const] : []),
        ...(index >= 3 ? [['cat', 0.8] as const] : []),
      ]),
    );
    expect(changesOf(frames, 200).map((change) => `${change.index}: ${changeText(change)}`)).toEqual(['3: cat 0 → 1']);
  });

  it('tells labels that come one after the other in order', () => {
    const frames = [0, 1, 2, 3, 4, 5].map((index) =>
      footageFrame(index, [
        ...(index >= 2 ? [['dog', 0.9] as const] : []),
        ...(index >= 1 ? [['cat', 0.9] as const] : []),
      ]),
    );
    const told = changesOf(frames, 200).map((change) => `${change.index}: ${changeText(change)}`);
    expect(told).toEqual(['1: cat 0 → 1', '2: dog 0 → 1']);
  });

  it('counts what the filter keeps, by label', () => {
    const changes = changesOf(
      [
        footageFrame(0, [['cat', 0.4]]),
        footageFrame(1, [['cat', 0.5]]),
        footageFrame(2, [['dog', 0.9], ['cat', 0.1]]), // prettier-ignore
      ],
      0,
    );
    expect(changes.map(changeText)).toEqual(['cat 0 → 1', 'cat 1 → 0, dog 0 → 1']);
    expect(changes[1]).toMatchObject({ index: 2, timeMs: 200, name: 'clip.mp4' });
  });

  it('looks at the best class of a classifier that passes the filter', () => {
    const frames = [
      classifiedFrame(0, { open: 0.6, shut: 0.55 }),
      classifiedFrame(1, { open: 0.55, shut: 0.6 }),
      classifiedFrame(2, { open: 0.4, shut: 0.3 }),
    ];
    expect(changesOf(frames, 0).map(changeText)).toEqual(['open 0 → 1', 'open 1 → 0, shut 0 → 1', 'shut 1 → 0']);
  });

  it('takes a frame that failed for no change', () => {
    expect(changesOf([cats(1)[0]!, failedFrame(1), cats(0, 0, 1)[2]!], 0)).toHaveLength(1);
  });
});
