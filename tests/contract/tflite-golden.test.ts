import { existsSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { openSession } from '../../src/platform/node/open-session.ts';
import type { InferenceSession } from '../../src/machine/vision/inference/inference-session.ts';
import type { Tensor } from '../../src/machine/vision/tensor/tensor.ts';
import golden from '../tflite-golden/answers.json' with { type: 'json' };
import { withoutOutputShapes } from '../tflite-models.ts';
import { digest, goldenInput, goldenModel } from '../tflite-golden/golden-cases.ts';

const hasPhotographs = existsSync(new URL('../../../shared/data/', import.meta.url));

/** Allowed differences: float32 rounding, or one quantization step. */
const tolerances: Readonly<Record<string, number>> = {
  'float-net': 1e-5,
  'mobilenet_v2_1.0_224_quant': 1,
  // Quantized inside with a float32 output: a score has 256 steps.
  ssd_mobilenet_v1_coco_quant: 1 / 256,
};

const sessions = new Map<string, Promise<InferenceSession>>();
const sessionOf = (model: string) => {
  if (!sessions.has(model)) sessions.set(model, goldenModel(model).then(openSession));
  return sessions.get(model)!;
};
afterAll(async () => {
  for (const session of sessions.values()) await (await session).release();
});

type Answer = (typeof golden.answers)[number];

async function expectAnswer({ model, frame, input, outputs }: Answer): Promise<void> {
  const fed = await goldenInput(await goldenModel(model), frame);
  expect(digest(fed), 'the tensor that is fed has changed since: see scripts/golden').toBe(input);
  const session = await sessionOf(model);
  const results = await session.run({ [session.inputs[0]!.name]: fed });
  expect(Object.entries(results).map(([name, { dtype, shape }]) => ({ name, dtype, shape }))).toEqual(
    outputs.map(({ name, dtype, shape }) => ({ name, dtype, shape })),
  );
  for (const { name, values } of outputs)
    expect(largestDifference(results[name]!, values), name).toBeLessThanOrEqual(tolerances[model]!);
}

const [onPattern, ...onPhotographs] = golden.answers as [Answer, ...Answer[]];

describe(`LiteRT answers as ${golden.runtime} did`, () => {
  it(`${onPattern.model} on the pattern`, () => expectAnswer(onPattern));

  it('which was asked of both models and a float one, over 20 photographs', () => {
    const counts = Object.keys(tolerances).map((name) => onPhotographs.filter(({ model }) => model === name).length);
    expect(counts).toEqual([20, 20, 20]);
  });

  describe.skipIf(!hasPhotographs)('on photographs (skipped without ../shared/data)', () => {
    it.each(onPhotographs)('$model on $frame', expectAnswer);

    it('a detector whose file says no size of what it finds answers as with them', async () => {
      const model = 'ssd_mobilenet_v1_coco_quant';
      const [sized, open] = [await sessionOf(model), await openSession(withoutOutputShapes(await goldenModel(model)))];
      expect(open.outputs).toEqual(sized.outputs);
      const [{ frame }] = onPhotographs.filter((answer) => answer.model === model) as [Answer];
      const feeds = { [open.inputs[0]!.name]: await goldenInput(await goldenModel(model), frame) };
      expect(await open.run(feeds)).toEqual(await sized.run(feeds));
      await open.release();
    });
  });
});

/** The largest difference to the expected values: all of them, or only the nonzero ones by index. */
function largestDifference({ data }: Tensor, values: readonly (number | readonly number[])[]): number {
  const expected = new Float64Array(data.length);
  values.forEach((value, i) => {
    if (typeof value === 'number') expected[i] = value;
    else expected[value[0]!] = value[1]!;
  });
  return Math.max(...expected.map((value, i) => Math.abs(value - Number(data[i]))));
}
