import { expect, it } from 'vitest';
import { timeText } from '../../../kit/words/figures.ts';
import { admissionWords } from './admission-words.ts';

const admission = { decidedAtMs: 1.8e12, frameName: 'cat.jpg', widthPx: 640, heightPx: 480, runtime: '1.30' };

it('says what was decided, when, and on which frame and size', () => {
  const when = timeText(1.8e12);
  expect(admissionWords({ ...admission, fault: '' })).toBe(
    `Compared with the CPU on cat.jpg, 640 × 480 px, ${when}: the same but for rounding.`,
  );
  expect(admissionWords({ ...admission, fault: 'The GPU gave other boxes.' })).toBe(
    `Compared with the CPU on cat.jpg, 640 × 480 px, ${when}. The GPU gave other boxes.`,
  );
});
