import type { Tensors } from './first-difference.ts';
import { feedsOf, isFeasible, type HuntGround } from './hunt-ground.ts';
import { judgeStep, type JudgedStep } from './judge-steps.ts';
import type { Stretch } from './narrow-steps.ts';
import { again, partModel } from './part-model.ts';
import { otherValues } from './run-sides.ts';

/** Feeds each step of a stretch the reference's values, on both sides, and compares its results. */
export async function tryAlone(
  ground: HuntGround,
  { agrees, differs }: Stretch,
  values: Tensors,
  seen: Tensors,
): Promise<JudgedStep[]> {
  const { sides, reference, other, runs, isLate } = ground;
  const places = sides.steps.slice(agrees, differs).map((_, k) => agrees + k);
  const feasible = places.filter((place) => isFeasible(sides.steps[place]!, values));
  const parts = feasible.map((place) => sides.steps[place]!);
  if (parts.length === 0) return [];
  const { feeds, otherFeeds } = feedsOf(parts, values, seen);
  const suffix = parts.length === 1 ? '' : again;
  const right = await runs.run(reference, partModel(sides.reference, parts, feeds), feeds);
  const theirs = partModel(sides.other, parts, otherFeeds);
  const wrong = await runs.run(other, theirs, otherFeeds, isLate ? otherValues(otherFeeds) : null);
  return feasible.map((place) => judgeStep(sides, place, feeds, unsuffixed(right, suffix), unsuffixed(wrong, suffix)));
}

function unsuffixed(tensors: Tensors, suffix: string): Tensors {
  return Object.fromEntries(
    Object.entries(tensors).map(([name, tensor]) => [suffix === '' ? name : name.slice(0, -suffix.length), tensor]),
  );
}

type Chosen =
  | { readonly kind: 'alone'; readonly judged: JudgedStep; readonly isWrongInside: boolean }
  | { readonly kind: 'inside'; readonly judged: JudgedStep };

/**
 * Chooses the first wrong step: one that fails on its own, unless an earlier one, whose inputs are right, is wrong in the model
 * alone. A step that fails on its own and is right in the model comes last: there another kernel runs.
 */
export function chooseStep(
  alone: readonly JudgedStep[],
  inside: readonly JudgedStep[],
  shareOf: (name: string) => number,
): Chosen | null {
  const wrongInside = new Set(inside.filter((judged) => judged.isBeyond).map(({ place }) => place));
  const failing = alone.filter((judged) => judged.isBeyond);
  const first = failing.find(({ place }) => wrongInside.has(place)) ?? null;
  const jump = inside.find(
    (judged) =>
      judged.isBeyond &&
      judged.outputs.some(
        ({ difference, bound }) => difference.largest > 16 * bound.absolute && difference.share > 1e-3,
      ) &&
      judged.step.inputs.every((name) => shareOf(name) <= 1e-6),
  );
  if (jump && (first === null || jump.place < first.place)) {
    const itself = failing.find(({ place }) => place === jump.place);
    return itself ? { kind: 'alone', judged: itself, isWrongInside: true } : { kind: 'inside', judged: jump };
  }
  if (first) return { kind: 'alone', judged: first, isWrongInside: true };
  return failing[0] ? { kind: 'alone', judged: failing[0], isWrongInside: false } : null;
}
