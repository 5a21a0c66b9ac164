import { expect, it } from 'vitest';
import { nothingPresent } from '../../../../tests/present-setup.ts';
import { shownEvidence } from '../../../machine/config/evidence/evidence-words.ts';
import { evidenceOfMatch } from './evidence-of.ts';

it('says of thresholds that were matched to another run what they keep', () => {
  const source = { dataset: 'Yard', model: { name: 'int8.tflite', sha256: 'ab' }, setup: '', version: '1', atMs: 0 };
  const evidence = evidenceOfMatch({ cat: 0.37 }, source, { title: 'float.tflite · finder', images: 40 });
  const present = { ...nothingPresent(), visionName: 'finder' };
  const [cat] = shownEvidence([{ ...evidence, service: 'finder' }], () => 0.37, present);
  expect(cat).toEqual({
    label: 'cat',
    text: 'from 40 images of Yard, to keep what float.tflite · finder keeps',
    outdated: '',
  });
});
