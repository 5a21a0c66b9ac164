import { InferenceError } from '../../machine/vision/face/errors.ts';
import type { CutOut, Tensors } from './first-difference.ts';
import { feedsOf, isFeasible, type HuntGround } from './hunt-ground.ts';
import { judgeStep, type JudgedStep } from './judge-steps.ts';
import { partModel, type Part } from './part-model.ts';
import { otherValues, RunsSpent } from './run-sides.ts';

/** Runs the step as a model of its own once more, which is what a case holds; with what was seen where runs are spent. */
export async function confirmed(
  ground: HuntGround,
  judged: JudgedStep,
  values: Tensors,
  seen: Tensors,
): Promise<CutOut> {
  const { sides } = ground;
  const alone = await cutOutOf(ground, [judged.place], judged.step, values, seen).catch(nothingLeft);
  if (alone) return alone;
  const { feeds, otherFeeds } = feedsOf([judged.step], values, seen);
  return {
    nodes: judged.step.reference.map((place) => sides.reference.facts(place)),
    referenceModel: partModel(sides.reference, [judged.step], feeds),
    otherModel: partModel(sides.other, [judged.step], otherFeeds),
    feeds,
    earlierFeeds: ground.isLate ? otherValues(feeds) : null,
    outputs: judged.outputs,
    worst: Math.max(0, judged.worst),
  };
}

export function nothingLeft(error: unknown): null {
  if (error instanceof RunsSpent || error instanceof InferenceError) return null;
  throw error;
}

/** Runs a part as a model of its own on both sides; null where they agree there. @throws RunsSpent, InferenceError */
export async function cutOutOf(
  { sides, reference, other, runs, isLate }: HuntGround,
  places: readonly number[],
  part: Part,
  values: Tensors,
  seen: Tensors,
): Promise<CutOut | null> {
  if (!isFeasible({ inputs: part.inputs, outputs: [] }, values)) return null;
  const { feeds, otherFeeds } = feedsOf([part], values, seen);
  const referenceModel = partModel(sides.reference, [part], feeds);
  const otherModel = partModel(sides.other, [part], otherFeeds);
  const right = await runs.run(reference, referenceModel, feeds);
  const wrong = await runs.run(other, otherModel, otherFeeds, isLate ? otherValues(otherFeeds) : null);
  const judged = places.map((place) => judgeStep(sides, place, { ...values, ...feeds }, right, wrong));
  const beyond = judged.filter(({ isBeyond }) => isBeyond);
  if (beyond.length === 0) return null;
  const outputs = judged.flatMap((step) => step.outputs);
  return {
    nodes: [...new Set(places.flatMap((place) => sides.steps[place]!.reference))]
      .sort((a, b) => a - b)
      .map((place) => sides.reference.facts(place)),
    referenceModel,
    otherModel,
    feeds,
    earlierFeeds: isLate ? otherValues(feeds) : null,
    outputs,
    worst: outputs.indexOf(beyond[0]!.outputs[beyond[0]!.worst]!),
  };
}

/** Cuts a step out with one, two, four and eight generations of what comes before it, until it is wrong there too. */
export async function grown(ground: HuntGround, place: number, values: Tensors): Promise<CutOut | null> {
  const { steps } = ground.sides;
  const makerOf = new Map(steps.flatMap(({ outputs }, k) => outputs.map((name) => [name, k] as const)));
  for (const generations of [1, 2, 4, 8]) {
    const within = new Set([place]);
    let last = [place];
    for (let k = 0; k < generations; k++) {
      last = last.flatMap((at) => steps[at]!.inputs.map((name) => makerOf.get(name))).filter((at) => at !== undefined);
      for (const at of last) within.add(at);
    }
    const made = new Set([...within].flatMap((at) => steps[at]!.outputs));
    const inputs = [...new Set([...within].flatMap((at) => steps[at]!.inputs))].filter((name) => !made.has(name));
    const cutOut = await cutOutOf(ground, [place], { inputs, outputs: steps[place]!.outputs }, values, values);
    if (cutOut) {
      const nodes = [...within].sort((a, b) => a - b).flatMap((at) => steps[at]!.reference);
      return { ...cutOut, nodes: nodes.map((at) => ground.sides.reference.facts(at)) };
    }
  }
  return null;
}
