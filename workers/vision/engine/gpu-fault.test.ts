import { expect, it } from 'vitest';
import { fixedSession, float32, imageInput } from '../../../tests/fixed-session.ts';
import { blankFont, boxes, cat } from '../../../tests/machine-fixture.ts';
import { visionServiceConfig } from '../../../tests/machine-configs.ts';
import { patternFrame } from '../../../src/machine/vision/frame/pattern-frame.ts';
import { infer, type PipelinePorts } from '../../../src/machine/vision/pipeline.ts';
import { referenceStretchKernel } from '../../../src/machine/vision/preprocess/preprocess.ts';
import { probe } from '../../../src/machine/vision/probe.ts';
import type { Tensor } from '../../../src/machine/vision/tensor/tensor.ts';
import { buildVisionService } from '../../../src/machine/vision/vision-service.ts';
import { gpuFault } from './gpu-fault.ts';

type Tensors = Readonly<Record<string, Tensor>>;

const ports: PipelinePorts = {
  stretchKernel: referenceStretchKernel,
  font: blankFont,
  turn: (task) => task(),
  nowMs: () => 0,
};
const seen = patternFrame('rgba8', 400, 200);
const input = imageInput([1, 3, 6, 8], 'float32');
const dog = { ...cat, category: 1, location: [0, 0, 1, 1], score: 0.4 };

/** The fault found in a GPU that gives `onGpu` where the CPU gives `onCpu`. */
async function faultOf(onCpu: Tensors, onGpu: Tensors): Promise<string> {
  const built = (says: Tensors) =>
    buildVisionService(visionServiceConfig({ defaultMinimumConfidence: 0.3 }), {
      session: fixedSession(input, says),
      labels: ['cat', 'dog'],
    });
  const service = built(onGpu);
  return gpuFault({
    seen,
    vision: { service, abilities: await probe(built(onCpu), ports) },
    onGpu: await infer(seen, service, ports),
    onCpu: fixedSession(input, onCpu),
    ports,
  });
}

const weak = { ...dog, score: 0.302, location: [0, 0, 0.5, 0.5] };

it.each([
  ['the same', boxes(cat, dog)],
  ['rounding', boxes({ ...cat, score: cat.score + 1e-4 }, dog)],
  ['another order', boxes(dog, cat)],
])('finds nothing where the GPU gives %s', async (_, onGpu) => {
  expect(await faultOf(boxes(cat, dog), onGpu)).toBe('');
});

it('finds nothing in a score that rounding puts on the other side of a threshold', async () => {
  const below = { ...weak, score: 0.296 };
  expect(await faultOf(boxes(cat, weak), boxes(below, cat))).toBe('');
  expect(await faultOf(boxes(below, cat), boxes(cat, weak))).toBe('');
});

it.each([
  ['no box', boxes({ ...cat, score: 0 }, { ...dog, score: 0 }), '0 on the GPU, 2 on the CPU, 2'],
  ['another score', boxes({ ...cat, score: cat.score - 0.05 }, dog), '2 on the GPU, 2 on the CPU, 1'],
  ['another label', boxes({ ...cat, category: 1 }, dog), '2 on the GPU, 2 on the CPU, 1'],
  ['a box that moved', boxes(cat, { ...dog, location: [0, 0, 0.9, 1] }), '2 on the GPU, 2 on the CPU, 1'],
])('says how many boxes differ where the GPU gives %s', async (_, onGpu, counts) => {
  const fault = await faultOf(boxes(cat, dog), onGpu);
  expect(fault).toBe(
    `The GPU gave other boxes than the CPU for the same frame: ${counts} of the CPU’s not on the GPU.`,
  );
});

it('finds a box that only the GPU gives', async () => {
  expect(await faultOf(boxes(cat, { ...dog, score: 0 }), boxes(cat, dog))).toMatch(/2 on the GPU, 1 on the CPU, 0 of/);
});

it('finds a value that is no number, where neither run keeps a box too', async () => {
  const [none, lost] = [boxes({ ...cat, score: 0.1 }), boxes({ ...cat, score: NaN })];
  expect(await faultOf(none, lost)).toBe('The GPU gave 1 of 1 values of “score” that are not numbers.');
  const placed = boxes(cat, { ...dog, location: [NaN, 0, 1, 1] });
  expect(await faultOf(boxes(cat, dog), placed)).toMatch(/1 of 8 values of “location”/);
});

it('compares all numbers of a model whose outputs nothing names', async () => {
  const head = (value: number): Tensors => ({ raw: float32([1, 2, 3], [1, 2, 3, 4, 5, value]) });
  expect(await faultOf(head(6), head(6.001))).toBe('');
  expect(await faultOf(head(6), head(7))).toBe('The GPU gave other numbers than the CPU for the same frame.');
});
