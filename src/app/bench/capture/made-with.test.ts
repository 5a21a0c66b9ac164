import { expect, it } from 'vitest';
import { MadeWithByPlan, type MadeWith } from './made-with.ts';

const made = (fileName: string): MadeWith =>
  ({ filter: {}, setup: { model: { sha256: '', fileName } } }) as unknown as MadeWith;

it('knows the newest of each of the last plans, and no plan of long ago', () => {
  const plans = new MadeWithByPlan();
  const nameOf = (plan: string | undefined) => plans.of(plan)?.setup.model?.fileName ?? null;
  plans.note('a', made('a.onnx'));
  plans.note('b', made('b.onnx'));
  plans.note('a', made('a.onnx, a threshold moved'));
  expect(['a', 'b', 'c', undefined].map(nameOf)).toEqual(['a.onnx, a threshold moved', 'b.onnx', null, null]);
  for (let later = 0; later < 7; later++) plans.note(`later ${later}`, made('later.onnx'));
  expect([nameOf('a'), nameOf('b')]).toEqual(['a.onnx, a threshold moved', null]);
});
