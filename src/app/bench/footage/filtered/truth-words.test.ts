import { expect, it } from 'vitest';
import { nearWords, truthWords } from './truth-words.ts';

const line = (key: string, frames: number, kept: number) => ({ key, frames, kept });

it.each([
  [
    { frames: 24, lines: [line('face', 12, 11), line('*', 16, 14)], kept: 16, keptWithNothing: 3 },
    '24 corrected frames: keeps 11 of 12 (92 %) with face, 14 of 16 (88 %) with any label. 3 of 16 (19 %) kept have nothing that the camera waits for.',
  ],
  [
    { frames: 1, lines: [line('face', 1, 0), line('dog', 0, 0)], kept: 0, keptWithNothing: 0 },
    '1 corrected frame: keeps 0 of 1 (0 %) with face; none has dog.',
  ],
  [{ frames: 2, lines: [line('dog', 0, 0)], kept: 0, keptWithNothing: 0 }, '2 corrected frames: none has dog.'],
  [{ frames: 2, lines: [], kept: 1, keptWithNothing: 0 }, '2 corrected frames: keeps 1 (50 %).'],
])('says what is kept of what is there', (truth, words) => expect(truthWords(truth)).toBe(words));

it('says what counts as kept', () =>
  expect(nearWords(500)).toBe('A frame counts as kept where an image within 500 ms is.'));
