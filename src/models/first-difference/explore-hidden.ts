import { cutOutOf, nothingLeft } from './cut-out.ts';
import type { Tensors } from './first-difference.ts';
import { largestShare, pairsOf, type Found, type HuntGround } from './hunt-ground.ts';

/**
 * Finds the fewest tensors whose observation takes the difference away: half of them are looked at, then half of what still
 * hides it. What a runtime joins to one kernel are neighbours, so they stay together in the order of the nodes.
 * @param names tensors that hide it all together
 * @param values the reference's
 */
export async function exploreHidden(ground: HuntGround, names: readonly string[], values: Tensors): Promise<Found> {
  const { sides, runs, other, isLate } = ground;
  /** A run for each half, and two for the part that is cut out. */
  const reserve = 2 * (isLate ? 2 : 1) + 2;
  const hides = async (some: readonly string[]): Promise<boolean> => {
    const seen = await runs.run(other, sides.other.lookedAt(some), other.feeds, isLate ? other.earlierFeeds : null);
    return largestShare(pairsOf(sides, values, seen)) < ground.share / 100;
  };
  let left = names;
  while (left.length > 1 && runs.left >= reserve) {
    const middle = Math.ceil(left.length / 2);
    const halves = [left.slice(0, middle), left.slice(middle)];
    const hiding = (await hides(halves[0]!)) ? halves[0] : (await hides(halves[1]!)) ? halves[1] : null;
    if (!hiding) break;
    left = hiding;
  }

  const around = sides.steps.flatMap(({ inputs, outputs }, place) =>
    left.some((name) => inputs.includes(name) || outputs.includes(name)) ? [place] : [],
  );
  const made = new Set(around.flatMap((place) => sides.steps[place]!.outputs));
  const inputs = [...new Set(around.flatMap((place) => sides.steps[place]!.inputs))].filter((name) => !made.has(name));
  const inner = new Set(left);
  const outputs = [...made].filter((name) => !inner.has(name));
  const cutOut =
    outputs.length === 0
      ? null
      : await cutOutOf(ground, around, { inputs, outputs }, values, values).catch(nothingLeft);
  return {
    kind: 'hidden',
    nodes: around.flatMap((place) => sides.steps[place]!.reference.map((k) => sides.reference.facts(k))),
    cutOut,
  };
}
