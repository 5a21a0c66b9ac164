import { describe, expect, it } from 'vitest';
import {
  countBytes,
  observeFrame,
  startPolicy,
  stopPolicy,
  type CaptureBudget,
  type CapturePolicy,
  type CaptureRule,
  type Observation,
} from './capture-policy.ts';

const noLimit: CaptureBudget = { maxFrames: null, maxBytes: null, maxPerMinute: null };
const policyOf = (rules: readonly CaptureRule[], budget: Partial<CaptureBudget> = {}): CapturePolicy => ({
  rules,
  budget: { ...noLimit, ...budget },
});
type Glimpse = readonly [nowMs: number, seen?: Readonly<Record<string, number>>, grey?: number];

const observation = ([nowMs, labels = {}, grey]: Glimpse): Observation => {
  const seen = Object.entries(labels).map(([label, score]) => ({ label, score }));
  return { nowMs, seen, scored: seen, grey: grey === undefined ? null : Uint8Array.of(grey, 255 - grey) };
};

/** The times of the frames that were kept. */
function keptOf(policy: CapturePolicy, glimpses: readonly Glimpse[]): number[] {
  let state = startPolicy(policy);
  return glimpses.flatMap((glimpse) => {
    const decision = observeFrame(policy, state, observation(glimpse));
    state = decision.state;
    return decision.because.length > 0 ? [glimpse[0]] : [];
  });
}

describe('capture rules', () => {
  it.each<[string, CaptureRule, readonly Glimpse[], number[]]>([
    [
      'every second, the first at once',
      { kind: 'interval', everyMs: 1000 },
      [[0], [999], [1000], [1999], [2500]],
      [0, 1000, 2500],
    ],
    [
      'a label that appears, not one that stays',
      { kind: 'label-appears', label: 'cat', absentForMs: 0 },
      [[0, { dog: 1 }], [1, { cat: 1 }], [2, { cat: 1 }], [3], [4, { cat: 1 }]],
      [1, 4],
    ],
    [
      'a label that flickers once, until it was away for long',
      { kind: 'label-appears', label: 'cat', absentForMs: 500 },
      [[0, { cat: 1 }], [100], [200, { cat: 1 }], [300], [699], [700, { cat: 1 }]],
      [0, 700],
    ],
    [
      'scores between, both ends in',
      { kind: 'score-between', label: null, low: 0.4, high: 0.6 },
      [
        [0, { a: 0.39 }],
        [1, { a: 0.4 }],
        [2, { a: 0.6 }],
        [3, { a: 0.61 }],
        [4, { a: 0.9, b: 0.5 }],
      ],
      [1, 2, 4],
    ],
    [
      'scores of one label only',
      { kind: 'score-between', label: 'a', low: 0.4, high: 0.6 },
      [
        [0, { b: 0.5 }],
        [1, { a: 0.5 }],
      ],
      [1],
    ],
    [
      'what differs from the last kept one, slow drift included',
      { kind: 'differs', atLeast: 0.1 },
      [[0, {}, 100], [1, {}, 110], [2, {}, 120], [3, {}, 130], [4]],
      [0, 3],
    ],
  ])('keeps %s', (_, rule, glimpses, expected) => {
    expect(keptOf(policyOf([rule]), glimpses)).toEqual(expected);
  });

  it('keeps a frame once that fulfils several rules, and names them all', () => {
    const rules: CaptureRule[] = [
      { kind: 'interval', everyMs: 1000 },
      { kind: 'label-appears', label: 'cat', absentForMs: 0 },
    ];
    const policy = policyOf(rules);
    const { state, because } = observeFrame(policy, startPolicy(policy), observation([0, { cat: 1 }]));
    expect(because).toEqual(rules);
    expect([state.keptFrames, state.keptByRule]).toEqual([1, [1, 1]]);
  });

  it('remembers the picture that was kept last over a kept frame without one', () => {
    const policy = policyOf([
      { kind: 'differs', atLeast: 0.1 },
      { kind: 'interval', everyMs: 1000 },
    ]);
    expect(
      keptOf(policy, [
        [0, {}, 100],
        [1000, {}],
        [1001, {}, 100],
        [1002, {}, 200],
      ]),
    ).toEqual([0, 1000, 1002]);
  });

  it('looks at scores before the filter for the uncertain ones', () => {
    const policy = policyOf([{ kind: 'score-between', label: null, low: 0.4, high: 0.6 }]);
    const filtered = { ...observation([0]), scored: [{ label: 'a', score: 0.5 }] };
    expect(observeFrame(policy, startPolicy(policy), filtered).because).toHaveLength(1);
  });
});

describe('the budget', () => {
  const always: CaptureRule = { kind: 'interval', everyMs: 0 };

  it('stops at its frames, and says so', () => {
    const policy = policyOf([always], { maxFrames: 2 });
    expect(keptOf(policy, [[0], [1], [2]])).toEqual([0, 1]);
    let { state } = observeFrame(policy, startPolicy(policy), observation([0]));
    ({ state } = observeFrame(policy, state, observation([1])));
    expect(state.stopped).toEqual({ because: 'frames', message: 'Stopped: 2 frames were kept.' });
  });

  it('stops at its bytes', () => {
    const policy = policyOf([always], { maxBytes: 1_500_000 });
    let { state } = observeFrame(policy, startPolicy(policy), observation([0]));
    state = countBytes(policy, state, 1_000_000);
    expect(state.stopped).toBeNull();
    state = countBytes(policy, state, 500_000);
    expect(state.stopped?.message).toBe('Stopped: 1.5 MB were kept.');
    expect(observeFrame(policy, state, observation([9])).because).toEqual([]);
  });

  it('passes over what is too much in a minute, and goes on after it', () => {
    const policy = policyOf([always], { maxPerMinute: 2 });
    expect(keptOf(policy, [[0], [10_000], [20_000], [59_999], [60_000], [65_000], [70_000]])).toEqual([
      0, 10_000, 60_000, 70_000,
    ]);
  });

  it('stays stopped by a person with the first reason', () => {
    const stopped = stopPolicy(startPolicy(policyOf([always])));
    expect(stopPolicy(stopped)).toBe(stopped);
  });
});
