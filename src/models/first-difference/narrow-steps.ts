/** A part of a network that is compared as one, with the tensors that it reads and makes. Constants are no tensors of it. */
export interface OrderedStep {
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
}

/**
 * Where the first wrong step is looked for. All that crosses the cut before step `agrees` is the same on both sides, and
 * something that crosses the cut before step `differs` is not: so one of the steps between them is wrong.
 */
export interface Stretch {
  readonly agrees: number;
  readonly differs: number;
}

/** By tensor, the first and the last cut that it crosses. */
export type Lifetimes = ReadonlyMap<string, { readonly from: number; readonly to: number }>;

/**
 * Finds which cuts each tensor crosses: from behind the step that makes it to before the last that reads it, and to the end
 * where it leaves the model.
 * @param steps in topological order
 * @param results names that leave the model
 */
export function lifetimesOf(steps: readonly OrderedStep[], results: ReadonlySet<string>): Lifetimes {
  const lastRead = new Map(steps.flatMap(({ inputs }, place) => inputs.map((name) => [name, place] as const)));
  return new Map(
    steps.flatMap(({ outputs }, place) =>
      outputs.map((name) => {
        const to = results.has(name) ? steps.length : (lastRead.get(name) ?? place);
        return [name, { from: place + 1, to }] as const;
      }),
    ),
  );
}

/**
 * Names what crosses the cut before a step. Whatever follows depends on these tensors alone: a difference that vanishes at one
 * of them (behind a Relu, an ArgMax) stays visible at another if it matters at all, which no single path promises.
 * @param place 0..number of steps; behind the last lies what the model gives
 */
export function crossing(lifetimes: Lifetimes, place: number): string[] {
  return [...lifetimes].filter(([, { from, to }]) => from <= place && place <= to).map(([name]) => name);
}

/** Two looks of this many cuts tell 4,096 steps apart. */
const mostCuts = 64;

/** Tensors that one run shows. */
export interface Look {
  /** cuts that are judged, in order */
  readonly cuts: readonly number[];
  readonly names: readonly string[];
  /** whether it shows the result of each step of the stretch, so that no further look is needed */
  readonly isWhole: boolean;
}

/**
 * Chooses what is looked at next: each step's results where they fit into memory, else as many evenly spread cuts as fit,
 * and the middle one where not even that fits. Looking at many cuts at once is what makes few runs enough.
 * @param bytesOf size of a tensor
 * @param mostBytes of all tensors of one run
 */
export function chooseLook(
  steps: readonly OrderedStep[],
  { agrees, differs }: Stretch,
  lifetimes: Lifetimes,
  bytesOf: (name: string) => number,
  mostBytes: number,
): Look {
  const bytes = (names: Iterable<string>) => [...names].reduce((sum, name) => sum + bytesOf(name), 0);
  const inStretch = steps.slice(agrees, differs);
  const all = new Set(inStretch.flatMap(({ inputs, outputs }) => [...inputs, ...outputs]));
  const between = Array.from({ length: differs - agrees - 1 }, (_, k) => agrees + 1 + k);
  if (bytes(all) <= mostBytes || between.length === 0) return { cuts: between, names: [...all], isWhole: true };
  for (let parts = Math.min(mostCuts, between.length); ; parts = Math.floor(parts / 2)) {
    const cuts = spread(agrees, differs, Math.max(1, parts));
    const names = new Set(cuts.flatMap((place) => crossing(lifetimes, place)));
    if (parts <= 1 || bytes(names) <= mostBytes) return { cuts, names: [...names], isWhole: false };
  }
}

/** `count` places strictly between two others. */
function spread(from: number, to: number, count: number): number[] {
  const places = Array.from({ length: count }, (_, k) => from + Math.round(((k + 1) * (to - from)) / (count + 1)));
  return [...new Set(places)].filter((place) => place > from && place < to);
}

/**
 * Narrows a stretch to the part before the first cut that differs. That cut, not a later one, is taken: a difference may
 * vanish and come back, and the first wrong step is before its first sight.
 * @param differsAt what was seen at some cuts inside the stretch; others count as not looked at
 */
export function narrowed({ agrees, differs }: Stretch, differsAt: ReadonlyMap<number, boolean>): Stretch {
  let last = agrees;
  for (const place of [...differsAt.keys()].sort((a, b) => a - b)) {
    if (place <= agrees || place >= differs) continue;
    if (differsAt.get(place)!) return { agrees: last, differs: place };
    last = place;
  }
  return { agrees: last, differs };
}
