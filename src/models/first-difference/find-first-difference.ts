import { InferenceError } from '../../machine/vision/face/errors.ts';
import { alignSides, type AlignedSides } from './align-sides.ts';
import { confirmed, grown, nothingLeft } from './cut-out.ts';
import { exploreHidden } from './explore-hidden.ts';
import type { ComparedSide, FirstDifference, HuntLimits, NodeFacts, TensorPair, Tensors } from './first-difference.ts';
import { exact, largestShare, nodeOf, pairsOf, type Found, type HuntGround } from './hunt-ground.ts';
import { judgeStep, pairOf, type JudgedStep } from './judge-steps.ts';
import { chooseLook, crossing, lifetimesOf, narrowed, type Stretch } from './narrow-steps.ts';
import { asDtype, RunsSpent, SideRuns } from './run-sides.ts';
import { shapesModel, shapesOf } from './shapes-model.ts';
import { differenceOf } from './tensor-difference.ts';
import { chooseStep, tryAlone } from './try-alone.ts';
import { saysOf } from './words.ts';

/** Outputs that differ by less of their largest value are the same for a hunt: no box moves by it. */
const sameShare = 1e-6;
/** Up to such a difference a run after another frame is tried, which may differ by more. */
const roundedShare = 1e-4;
/** A difference that a look takes to a hundredth of itself was hidden by it. */
const hiddenTimes = 100;
/** Only of differences of so much of the largest value: those of joined kernels that round differently may come and go. */
const hiddenShare = 1e-4;

/**
 * Finds the first part of a network that gives something else on another side, beyond what its kind may round.
 *
 * Intermediate results are looked at in both models, as many a run as fit into memory, at cuts through the whole network
 * (`narrow-steps.ts`), until all results of the stretch that is left fit. Then each of its nodes is tried on its own, all in
 * one run of a model in which every node is fed the reference's values: so what earlier nodes rounded accuses no later one,
 * and a difference that vanishes on its way misleads nobody. A part that is wrong in the model and right alone is cut out with
 * more and more of its neighbours until it shows.
 * @param reference whose values are taken for right
 * @param limits runs, memory
 * @returns what was found, and of two files how much of them could be compared
 * @throws InferenceError if a side cannot run its model as it is, and the reason of `limits.signal`
 * @example
 * import { channelMeansClassifier } from '../../../tests/models.ts';
 * const side = { name: 'nothing', model: channelMeansClassifier(), feeds: {}, earlierFeeds: null, open: () => Promise.reject(new Error('no runtime')) };
 * await findFirstDifference(side, side); // throws: no runtime
 */
export async function findFirstDifference(
  reference: ComparedSide,
  other: ComparedSide,
  limits: HuntLimits = {},
): Promise<FirstDifference> {
  const sides = alignSides(reference.model, other.model);
  const { correspondence } = sides;
  const runs = new SideRuns(limits);
  let outputs: readonly TensorPair[] = [];
  const told = (found: Found): FirstDifference => {
    const whole = { ...found, runs: runs.runs, correspondence, outputs } as FirstDifference;
    return { ...whole, says: saysOf(whole, reference.name, other.name) };
  };

  const right = await runs.run(reference, reference.model, reference.feeds);
  let wrong = await runs.run(other, other.model, other.feeds);
  outputs = pairsOf(sides, right, wrong);
  const fed = unlikeFeed(sides, reference.feeds, other.feeds);
  if (fed) return told({ kind: 'fed-differently', input: fed });
  let isLate = false;
  if (largestShare(outputs) <= roundedShare && other.earlierFeeds !== null) {
    wrong = await runs.run(other, other.model, other.feeds, other.earlierFeeds);
    const late = pairsOf(sides, right, wrong);
    isLate = largestShare(late) > Math.max(sameShare, 4 * largestShare(outputs));
    if (isLate) outputs = late;
  }
  if (largestShare(outputs) <= sameShare && limits.evenIfSame !== true) return told({ kind: 'same', tried: 0 });
  if (sides.steps.length === 0) return told({ kind: 'no-correspondence' });

  try {
    const names = sides.steps.flatMap((step) => step.outputs);
    const shapes = shapesOf(await runs.run(reference, shapesModel(sides.reference, names), reference.feeds));
    const ground: HuntGround = {
      sides,
      reference,
      other,
      runs,
      lifetimes: lifetimesOf(sides.steps, sides.results),
      mostBytes: (limits.mostBytes ?? 256 * 2 ** 20) / 2,
      isLate,
      share: largestShare(outputs),
      bytesOf: (name) => 4 * (shapes.get(name) ?? []).reduce((count, size) => count * size, 1),
    };
    return told(await hunt(ground));
  } catch (error) {
    if (error instanceof RunsSpent) return told({ kind: 'not-found', nodes: [], refused: '' });
    if (error instanceof InferenceError) return told({ kind: 'not-found', nodes: [], refused: error.message });
    throw error;
  }
}

async function hunt(ground: HuntGround): Promise<Found> {
  const { sides, reference, other, runs, lifetimes, mostBytes, isLate } = ground;
  const { steps } = sides;
  let stretch: Stretch = { agrees: 0, differs: steps.length };
  let tolerated = sides.isQuantised ? 0.1 : 3e-5;
  let tried = 0;
  let grows: { node: NodeFacts; times: number } | null = null;
  try {
    for (;;) {
      const look = chooseLook(steps, stretch, lifetimes, ground.bytesOf, mostBytes);
      const right = await runs.run(
        reference,
        sides.reference.lookedAt(look.names.filter(isMade(sides))),
        reference.feeds,
      );
      const seen = await runs.run(
        other,
        sides.other.lookedAt(look.names.filter(isMade(sides))),
        other.feeds,
        isLate ? other.earlierFeeds : null,
      );
      const shown = largestShare(pairsOf(sides, right, seen));
      if (ground.share > hiddenShare && shown < ground.share / hiddenTimes) {
        return await exploreHidden(ground, look.names.filter(isMade(sides)), { ...reference.feeds, ...right });
      }
      const shareOf = (name: string): number =>
        right[name] && seen[name] ? differenceOf(right[name], seen[name]).share : 0;
      const differsAt = (place: number) => crossing(lifetimes, place).some((name) => shareOf(name) > tolerated);
      if (!look.isWhole) {
        stretch = narrowed(stretch, new Map(look.cuts.map((place) => [place, differsAt(place)])));
        continue;
      }

      const values: Tensors = { ...reference.feeds, ...right };
      const alone = await tryAlone(ground, stretch, values, seen);
      tried += alone.length;
      const inside = steps
        .slice(stretch.agrees, stretch.differs)
        .map((_, k) => judgeStep(sides, stretch.agrees + k, values, right, seen));
      const found = chooseStep(alone, inside, shareOf);
      if (found?.kind === 'alone') {
        const { judged, isWrongInside } = found;
        const cutOut = await confirmed(ground, judged, values, seen);
        return { kind: 'node', cutOut, isWrongInside, needsEarlier: isLate };
      }
      if (found?.kind === 'inside') {
        const { judged } = found;
        const node = nodeOf(sides, judged);
        const cutOut = await grown(ground, judged.place, values).catch(nothingLeft);
        return { kind: 'together', node, inside: judged.outputs[judged.worst]!, cutOut };
      }
      grows = steepest(grows, inside, shareOf, sides);
      if (stretch.differs === steps.length)
        return { kind: ground.share > sameShare ? 'adds-up' : 'same', tried, grows };
      // All in this stretch is within its rounding: what differs behind it has to differ by more than that adds up to.
      tolerated = Math.max(tolerated, 4 * Math.max(...crossing(lifetimes, stretch.differs).map(shareOf)));
      stretch = { agrees: stretch.differs, differs: steps.length };
    }
  } catch (error) {
    if (!(error instanceof RunsSpent || error instanceof InferenceError)) throw error;
    const nodes = steps
      .slice(stretch.agrees, stretch.differs)
      .map((step) => sides.reference.facts(step.reference.at(-1)!));
    return { kind: 'not-found', nodes, refused: error instanceof InferenceError ? error.message : '' };
  }
}

function steepest(
  before: { node: NodeFacts; times: number } | null,
  inside: readonly JudgedStep[],
  shareOf: (name: string) => number,
  sides: AlignedSides,
): { node: NodeFacts; times: number } | null {
  let most = before;
  for (const judged of inside) {
    const into = Math.max(...judged.step.inputs.map(shareOf));
    const out = Math.max(...judged.step.outputs.map(shareOf));
    if (into > 0 && Number.isFinite(out) && out / into > (most?.times ?? 1))
      most = { node: nodeOf(sides, judged), times: out / into };
  }
  return most;
}

function isMade({ reference }: AlignedSides): (name: string) => boolean {
  return (name) => reference.makerOf.has(name);
}

/** An input of both that was fed other numbers, as where a fitted file takes pixels as they are. */
function unlikeFeed({ reference, other }: AlignedSides, feeds: Tensors, otherFeeds: Tensors): TensorPair | null {
  for (const name of reference.fed) {
    const [a, b] = [feeds[name], otherFeeds[name]];
    if (!other.fed.has(name) || !a || !b) continue;
    const pair = pairOf(name, name, a, asDtype(b, a.dtype), exact);
    if (pair.difference.share > (a.dtype === b.dtype ? 0 : 2 ** -10)) return pair;
  }
  return null;
}
