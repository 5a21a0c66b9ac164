import { describe, expect, it } from 'vitest';
import { compareAnswers } from './compare-answers.ts';
import { likelyReasons, type ModelFacts, type ServiceFacts } from './likely-reasons.ts';
import type { FrameAnswer } from './live-machine.ts';

const cat = { label: 'cat', score: 0.9, xMin: 1, yMin: 2, xMax: 30, yMax: 40 };
const dog = { label: 'dog', score: 0.812, xMin: 5, yMin: 6, xMax: 70, yMax: 80 };
const faint = { label: 'cup', score: 0.437, xMin: 9, yMin: 9, xMax: 20, yMax: 20 };
const boxes = (...detections: NonNullable<FrameAnswer['detections']>): FrameAnswer => ({
  detections,
  classifications: null,
});
const tensor = (shape: readonly number[]) => ({ name: 'image', dtype: 'float32', shape, symbols: [] }) as const;
const there = (shape: readonly number[]) => ({
  name: 'm',
  type: '',
  outputs: [],
  inputs: [{ name: 'image', dataType: 'float32', shape, labelFiles: [] }],
});
const facts = (here: readonly number[], its: readonly number[]): ModelFacts => ({
  inputs: [tensor(here)],
  outputs: [],
  there: there(its),
});

const rule = { defaultMinimumConfidence: 0.9, labelConfidences: {} };

const reasons = (here: FrameAnswer, said: FrameAnswer, model: ModelFacts | null = null): string[] =>
  likelyReasons(compareAnswers(here, said), { model, rule }).map(({ reason }) => reason);

describe('why a machine says something else', () => {
  it.each([
    ['nothing differs', boxes(cat), boxes(cat), []],
    ['scores differ in their last digits', boxes(cat), boxes({ ...cat, score: 0.9000001 }), []],
    ['scores differ by more', boxes(cat), boxes({ ...cat, score: 0.85 }), ['other-provider']],
    [
      'it says numbers',
      boxes(cat, dog),
      boxes({ ...cat, label: '0' }, { ...dog, label: '1' }),
      ['labels-missing-there'],
    ],
    ['numbers stand here', boxes({ ...cat, label: '0' }), boxes(cat), ['labels-missing-here']],
    ['names are shifted', boxes(cat), boxes({ ...cat, label: 'dog' }), ['other-labels']],
    ['one side keeps more', boxes(cat, dog, faint), boxes(cat), ['thresholds-differ']],
    ['one row lies at the threshold', boxes(cat, dog), boxes(dog), ['at-a-threshold']],
    ['an edge is rounded', boxes(cat), boxes({ ...cat, xMax: 31 }), ['rounding']],
    ['the machine finds what passes here too', boxes(cat), boxes(cat, { ...dog, score: 0.94 }), ['other-rows']],
    ['both find other things', boxes(cat), boxes({ ...dog, score: 0.94 }), ['other-rows']],
    ['the machine finds what is below the threshold here', boxes(cat), boxes(cat, dog), ['thresholds-differ']],
    ['a row is missing beside a rounded one', boxes(cat, faint), boxes({ ...cat, xMax: 31 }), ['thresholds-differ']],
    ['only this side finds anything', boxes({ ...cat, score: 0.95 }), boxes(), ['cannot-tell']],
    ['only the machine finds anything, which is dropped here', boxes(), boxes(dog), ['cannot-tell']],
    ['boxes lie elsewhere', boxes(cat), boxes({ ...cat, xMin: 3 }), ['unknown']],
  ])('%s', (_, here, said, expected) => {
    expect(reasons(here, said)).toEqual(expected);
  });

  it('is another model where its tensors are others, and not where a size is open or unsaid', () => {
    const differ = [boxes(cat), boxes({ ...cat, xMin: 3 })] as const;
    expect(reasons(...differ, facts([1, 3, 416, 416], [1, 3, 320, 320]))).toContain('other-model');
    // Thresholds are not blamed besides: of another model any row may be missing.
    expect(reasons(boxes(cat), boxes(cat, dog), facts([1, 3, 416, 416], [1, 3, 320, 320]))).toEqual(['other-model']);
    expect(reasons(...differ, facts([1, 3, 416, 416], [1, 3, -1, -1]))).not.toContain('other-model');
    expect(reasons(...differ, facts([1, 3, 416, 416], []))).not.toContain('other-model');
    expect(reasons(boxes(cat), boxes(cat), facts([1], [2]))).toEqual([]);
  });

  it.each<[string, ServiceFacts, string[]]>([
    ['another service than was asked', { isOther: true, isColorDetector: true }, ['other-service']],
    ['a colour detector', { isOther: false, isColorDetector: true }, ['other-color']],
    ['one with a model', { isOther: false, isColorDetector: false }, ['thresholds-differ']],
  ])('blames no model and no threshold of %s', (_, service, expected) => {
    const said = (there: FrameAnswer) =>
      likelyReasons(compareAnswers(boxes(cat, faint), there), { model: null, rule, service });
    expect(said(boxes(cat)).map(({ reason }) => reason)).toEqual(expected);
    expect(said(boxes(cat, faint))).toEqual([]);
  });

  it('says each in words with what to do', () => {
    expect(
      likelyReasons(compareAnswers(boxes(cat), boxes({ ...cat, label: '0' })), { model: null, rule })[0]!.words,
    ).toMatch(/label_path/);
  });
});
