import { expect, it } from 'vitest';
import { failedFrame, footageFrame } from '../../../tests/footage-frames.ts';
import { FrameChooser, type FootageRule } from './choose-frames.ts';

const frames = [
  footageFrame(0, []),
  footageFrame(1, [['cat', 0.45]]),
  footageFrame(2, [['cat', 0.8]]),
  failedFrame(3),
  footageFrame(4, [['cat', 0.9], ['dog', 0.3]]), // prettier-ignore
  footageFrame(5, []),
];

function chosen(...rules: readonly FootageRule[]) {
  const chooser = new FrameChooser(rules, { defaultMinimumConfidence: 0.5, labelConfidences: {} });
  for (const frame of frames) chooser.add(frame);
  return chooser.chosen().map(({ index }) => index);
}

it.each<[string, FootageRule, number[]]>([
  ['every second frame that was run', { kind: 'every', frames: 2 }, [0, 2, 5]],
  ['a frame every 200 ms of the footage', { kind: 'interval', everyMs: 200 }, [0, 2, 4]],
  ['frames where a kept label appears', { kind: 'label-appears', label: 'cat', absentForMs: 0 }, [2]],
  ['scores before the filter', { kind: 'score-between', label: null, low: 0.25, high: 0.5 }, [1, 4]],
  ['scores of one label', { kind: 'score-between', label: 'dog', low: 0.25, high: 0.5 }, [4]],
  ['changes', { kind: 'change', holdMs: 0 }, [2, 5]],
  ['a change that lasts, by its first frame', { kind: 'change', holdMs: 200 }, [2]],
])('chooses %s', (_, rule, indexes) => {
  expect(chosen(rule)).toEqual(indexes);
});

it('says by which rules, in order of frames', () => {
  const rules: FootageRule[] = [{ kind: 'change', holdMs: 200 }, { kind: 'every', frames: 2 }]; // prettier-ignore
  const chooser = new FrameChooser(rules, { defaultMinimumConfidence: 0.5, labelConfidences: {} });
  for (const frame of frames) chooser.add(frame);
  expect(chooser.chosen()).toEqual([
    { index: 0, because: [rules[1]] },
    { index: 2, because: [rules[1], rules[0]] },
    { index: 5, because: [rules[1]] },
  ]);
});
