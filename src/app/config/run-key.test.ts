import { describe, expect, it } from 'vitest';
import { setBgr, setDefaultConfidence, setLabelConfidence } from '../../config/edit-config.ts';
import { addStep } from '../../config/edit-pipeline.ts';
import { parseMachineConfig } from '../../config/parse-machine-config.ts';
import { sampleConfigText } from '../../config/sample-config.ts';
import { runKey } from './run-key.ts';

const keyOf = (text: string): string => runKey(parseMachineConfig(text).config);
const withStep = (step: unknown): string =>
  addStep({ text: sampleConfigText, disabled: [] }, 'tuned-camera', 0, step).text;

describe('runKey', () => {
  it.each<[string, string, string, boolean]>([
    ['the default', sampleConfigText, setDefaultConfidence(sampleConfigText, 'face-detector', 0.9), true],
    ['a label', sampleConfigText, setLabelConfidence(sampleConfigText, 'face-detector', 'face', 0.9), true],
    ['the channel order', sampleConfigText, setBgr(sampleConfigText, 'face-detector', true), false],
    ['a step', sampleConfigText, withStep({ type: 'rotate' }), false],
  ])('%s', (_, before, after, same) => {
    expect(keyOf(before) === keyOf(after)).toBe(same);
  });

  it('counts thresholds where a step draws what they keep', () => {
    const drawn = withStep({ type: 'detections', attributes: { detector_name: 'face-detector' } });
    expect(keyOf(setDefaultConfidence(drawn, 'face-detector', 0.9))).not.toBe(keyOf(drawn));
  });
});
