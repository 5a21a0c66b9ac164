import { expect, it } from 'vitest';
import { type BoxError, errorKinds } from '../../src/evidence/evaluation/face/sweep.ts';
import { randomSource } from '../../tests/random-frame.ts';
import { packErrors, unpackErrors } from './pack-errors.ts';

it('gives back each error in its place, of every kind and without a row', () => {
  const random = randomSource(4);
  const row = (): number => Math.floor(2_000_000 * random()) - (random() < 0.2 ? 2_000_000 : 0);
  const errors = Array.from({ length: 500 }, (_, at): BoxError => ({
    kind: errorKinds[at % errorKinds.length]!,
    detectionRow: Math.max(-1, row()),
    truthRow: Math.max(-1, row()),
  }));
  expect(unpackErrors(structuredClone(packErrors(errors)))).toEqual(errors);
  expect(unpackErrors(packErrors([]))).toEqual([]);
});
