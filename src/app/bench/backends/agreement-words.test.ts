import { expect, it } from 'vitest';
import type { ComparedPicture } from '../../../../workers/backends/client.ts';
import { agreementWords } from './agreement-words.ts';

const same: ComparedPicture = {
  name: 'a.png',
  kept: { reference: 2, other: 2 },
  lost: 0,
  added: 0,
  relabelled: 0,
  largestScore: 0.0004,
  largestShiftPx: 0,
  outputs: 1e-6,
  agrees: true,
};
const words = (pictures: readonly ComparedPicture[], other = '') =>
  agreementWords({ pictures, unreadable: { reference: '', other }, medianMs: { reference: 1, other: 1 } });

it.each<[string, ComparedPicture[], string[]]>([
  ['that agree', [same, same], ['Both say the same of 2 frames at the tuned thresholds, but for rounding.', 'Scores are up to 0.000 apart.']], // prettier-ignore
  [
    'that differ',
    [same, { ...same, agrees: false, lost: 2, added: 1, relabelled: 1, largestScore: 0.25 }],
    [
      'They differ on 1 of 2 frames at the tuned thresholds.',
      'Of what passes: 2 kept by the first alone, 1 by the second alone, 1 with another label.',
      'Scores are up to 0.250 apart.',
    ],
  ],
  ['without boxes', [{ ...same, kept: null, agrees: false }], ['They differ on 1 of 1 frame by the model’s outputs.']],
  [
    'of which some are without boxes',
    [same, { ...same, kept: null }],
    ['Both say the same of 2 frames by the model’s outputs, but for rounding.'],
  ],
])('says of frames %s how far both agree', (_, pictures, expected) => {
  expect(words(pictures)).toEqual(expected);
});

it('says why boxes were not compared', () => {
  expect(words([{ ...same, kept: null }], 'It has one output.')).toContain(
    'Boxes were not compared: It has one output.',
  );
});
