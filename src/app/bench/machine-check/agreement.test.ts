import { describe, expect, it } from 'vitest';
import type { FrameResult } from '../../../../workers/vision/protocol.ts';
import { likelyReasons } from '../../../remote/live-machine/likely-reasons.ts';
import type { FrameAnswer } from '../../../remote/live-machine/live-machine.ts';
import type { ServiceFilterRule } from '../../../machine/vision/filter/thresholds.ts';
import type { SessionState } from '../session/session-state.svelte.ts';
import type { SourcesState } from '../sources/sources-state.svelte.ts';
import { Agreement, answerUnder } from './agreement.svelte.ts';

const raw = {
  count: 2,
  labels: ['cat', 'dog'],
  labelIndex: Uint32Array.of(0, 1),
  score: Float64Array.of(0.9, 0.4),
  box: Int32Array.of(0, 0, 5, 5, 1, 1, 6, 6),
  frameWidthPx: 8,
  frameHeightPx: 8,
  boxSpace: 'proportional' as const,
  droppedNaN: 0,
};
const cat = { label: 'cat', score: 0.9, xMin: 0, yMin: 0, xMax: 5, yMax: 5 };
const dog = { label: 'dog', score: 0.4, xMin: 1, yMin: 1, xMax: 6, yMax: 6 };
const ruleOf = (least: number): ServiceFilterRule => ({ defaultMinimumConfidence: least, labelConfidences: {} });

function agreement(said: FrameAnswer | null, least: number, { kind = 'machine', steps = false, isOther = false } = {}) {
  const current = { frame: { name: 'cam', index: 3, timestampMs: 0 }, detections: raw, classifications: null };
  return new Agreement({
    session: { current: current as unknown as FrameResult } as SessionState,
    sources: { kind, machine: { saidOf: () => said } } as unknown as SourcesState,
    rule: () => ruleOf(least),
    hasSteps: () => steps,
    service: () => ({ isOther, isColorDetector: false }),
  });
}

const reasonsOf = ({ comparison, reasonFacts }: Agreement) =>
  likelyReasons(comparison!, reasonFacts).map(({ reason }) => reason);

describe('what is said of the frame on the stage, here and there', () => {
  it('is compared under the thresholds in force', () => {
    const there = { detections: [cat], classifications: null };
    expect(agreement(there, 0.5).comparison).toMatchObject({ verdict: 'equal', rows: 1 });
    const lowered = agreement(there, 0.1);
    expect(lowered.comparison?.differences).toEqual([{ what: 'only-here', here: dog, there: null, isRounding: false }]);
    expect(reasonsOf(lowered)[0]).toMatch(/threshold/);
    expect([agreement(there, 0.5).theirBoxes, lowered.theirBoxes]).toEqual([[], [cat]]);
  });

  it('blames thresholds only where the model here says what the machine says', () => {
    const reasons = (...detections: (typeof cat)[]) =>
      reasonsOf(agreement({ detections, classifications: null }, 0.95));
    expect(reasons(cat)).toEqual(['thresholds-differ']);
    expect(reasons(cat, dog)).toEqual(['thresholds-differ']);
    expect(reasons({ ...cat, label: 'cow' })).toEqual(['cannot-tell']);
    const above = agreement({ detections: [], classifications: null }, 0.1);
    expect(reasonsOf(above)).toEqual(['cannot-tell']); // the machine may have a higher threshold, or another model
  });

  it('blames no threshold where the machine was asked another service', () => {
    const other = agreement({ detections: [cat], classifications: null }, 0.95, { isOther: true });
    expect(reasonsOf(other)).toEqual(['other-service']);
  });

  it.each([
    ['the machine was not asked', null, {}],
    ['the frame is of another source', { detections: [cat], classifications: null }, { kind: 'stills' }],
    ['steps run here alone', { detections: [cat], classifications: null }, { steps: true }],
  ])('is not compared where %s', (_, said, place) => {
    expect(agreement(said, 0.5, place).comparison).toBeNull();
  });

  it('takes all classes that pass, in label order, as the machine answers', () => {
    const classifications = { labels: ['a', 'b', 'c'], score: Float64Array.of(0.2, 0.7, 0.6) };
    expect(answerUnder({ detections: null, classifications }, ruleOf(0.5)).classifications).toEqual([
      { label: 'b', score: 0.7 },
      { label: 'c', score: 0.6 },
    ]);
  });
});
