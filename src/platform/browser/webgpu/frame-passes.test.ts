import { expect, it } from 'vitest';
import { patternFrame } from '../../../machine/vision/frame/pattern-frame.ts';
import type { EightBitFrame } from '../../../machine/vision/frame/frame.ts';
import { stepTrials } from '../../../machine/vision/transforms/pixel-step.ts';
import { framePasses } from './frame-passes.ts';

it.each(stepTrials())('has a shader with the entry point of $name', ({ step }) => {
  const source = patternFrame('rgba8', 67, 41) as EightBitFrame;
  const { passes } = framePasses({ source, steps: [step] });
  expect(passes.length).toBeGreaterThan(0);
  for (const { shader, entryPoint } of passes) expect(shader).toContain(`fn ${entryPoint}(`);
});
