import { expect, it } from 'vitest';
import type { JudgedStep } from './judge-steps.ts';
import { chooseStep } from './try-alone.ts';

/** A step that differs by 100 times its bound, or not at all. */
const judged = (place: number, isBeyond: boolean): JudgedStep =>
  ({
    place,
    isBeyond,
    step: { inputs: [`in${place}`], outputs: [] },
    outputs: [{ difference: { largest: isBeyond ? 1 : 0, share: isBeyond ? 1 : 0 }, bound: { absolute: 0.01 } }],
  }) as unknown as JudgedStep;
const right = () => 0;

it('takes the first step that fails alone and in the model', () => {
  const alone = [judged(1, true), judged(2, true), judged(3, true)];
  expect(chooseStep(alone, [judged(1, false), judged(2, true), judged(3, true)], () => 1)).toMatchObject({
    kind: 'alone',
    judged: { place: 2 },
    isWrongInside: true,
  });
});

it('takes one that is wrong in the model alone where what it reads is right, and not where it passes a difference on', () => {
  const inside = [judged(1, true), judged(2, true)];
  expect(chooseStep([judged(2, true)], inside, right)).toMatchObject({ kind: 'inside', judged: { place: 1 } });
  expect(chooseStep([], inside, () => 1)).toBeNull();
  expect(chooseStep([judged(2, true)], inside, () => 1)).toMatchObject({ kind: 'alone', judged: { place: 2 } });
});

it('takes one that fails alone and is right in the model last, and none where all are right', () => {
  const alone = [judged(1, true), judged(2, false)];
  expect(chooseStep(alone, [judged(1, false)], right)).toMatchObject({ judged: { place: 1 }, isWrongInside: false });
  expect(chooseStep([judged(1, false)], [judged(1, false)], right)).toBeNull();
});
