import type { InferencePorts } from '../../../machine/vision/face/runs.ts';
import type { Miss } from './expected.ts';
import { roughPlacings, withOther, type Colours, type Factor } from './list-recipes.ts';
import type { FeedingRecipe } from './recipe.ts';
import { RecipeRuns, type ExpectedPicture, type FedModel } from './recipe-runs.ts';

export interface RecipeSearch {
  readonly model: FedModel;
  /** one or more, in the order in which they are tried */
  readonly pictures: readonly ExpectedPicture[];
  /** colours and values that are tried, as of `feedingsToTry` */
  readonly colours: readonly Colours[];
  /** the model places pictures by itself, so that nothing but colours and values is searched; default: it does not */
  readonly isPlaced?: boolean;
  readonly ports: InferencePorts;
  readonly onProgress: (fraction: number) => void;
  readonly signal: AbortSignal;
}

/** A recipe, with what all pictures say of it. */
export interface JudgedRecipe {
  readonly recipe: FeedingRecipe;
  /** the mean over what is expected, in natural logarithms; 0: all numbers are reproduced */
  readonly miss: number;
  /** how sure the model is of what is expected, 0..1 */
  readonly sureness: number;
  /** every number of every picture; null: no scores are known to reproduce */
  readonly reproduces: boolean | null;
}

export interface FoundRecipes {
  /** those that pictures do not tell apart, the best first; among equals those that were tried first */
  readonly alike: readonly JudgedRecipe[];
  /** the best of those that are told apart from them; null: none was tried */
  readonly next: JudgedRecipe | null;
  /** reproduced: all expected numbers; near: the best recipe comes near them; unseen: by none is the model sure of them */
  readonly verdict: 'reproduced' | 'near' | 'unseen';
  /** how often the model ran */
  readonly runs: number;
}

/** By so much, in natural logarithms, a recipe must miss more than the best on one thing; chance leads grow with the square root of their number. */
const lead = 1;
/** How sure the model must be of what is expected, fed by the best recipe. */
const sure = 0.5;
/** Recipes that go on from one stage to the next. */
const kept = 3;
/** How many recipes are looked at for others that are alike, and how many are then put together of their parts. */
const [mostLooked, mostTogether] = [16, 400];

const allFactors: readonly Factor[] = ['colours', 'placing', 'resampler'];

/**
 * Searches for the recipe by which a model gives what is expected of it: first colours, values and the kind of placing, then the placing, then the
 * resampler, then each again from the best ones on; of many recipes only the better ones see all pictures. Two recipes are not told apart where both give
 * every expected number within its last digit, or, where none does, where the one misses n things by no more than √n logarithms more than the other.
 * @param search the model, pictures, and what is expected
 * @returns the best recipe, and those that are not told apart from it
 * @throws InferenceError; the signal's reason when it aborts
 * @example
 * await searchRecipes({ pictures: [] }); // throws: one picture
 */
export async function searchRecipes(search: RecipeSearch): Promise<FoundRecipes> {
  if (search.pictures.length === 0) throw new RangeError('A search wants one picture or more.');
  return new Searching(search).found();
}

class Searching {
  readonly #search: RecipeSearch;
  readonly #runs: RecipeRuns;
  readonly #judged = new Map<string, JudgedRecipe>();
  readonly #factors: readonly Factor[];
  readonly #hasScores: boolean;
  #stage = 0;

  constructor(search: RecipeSearch) {
    this.#search = search;
    this.#hasScores = search.pictures.every(({ expected }) => expected.every(({ score }) => score !== null));
    this.#factors = search.isPlaced ? ['colours'] : allFactors;
    this.#runs = new RecipeRuns(search.model, search.pictures, search.ports);
  }

  async found(): Promise<FoundRecipes> {
    const { colours, isPlaced } = this.#search;
    const rough = colours.flatMap(({ bgr, meanValue, stdDev }) =>
      roughPlacings
        .slice(0, isPlaced ? 1 : undefined)
        .map((placing): FeedingRecipe => ({ resampler: 'opencv linear', placing, bgr, meanValue, stdDev })),
    );
    const ranked = await this.#best(rough, rough.length);
    let best: readonly JudgedRecipe[] = ranked.slice(0, kept);
    for (const factor of ['placing', 'resampler'] as const) {
      if (best[0]?.reproduces || isPlaced) break;
      best = await this.#best(best.flatMap(({ recipe }) => withOther(recipe, factor, colours)), kept); // prettier-ignore
    }
    for (const { recipe } of best.slice(0, this.#hasScores ? 2 : 1))
      if (!this.#alike()[0]?.reproduces) await this.#descend(recipe);
    // The best rough recipe may lead nowhere: then each way of colours and values gets its turn.
    for (const { recipe } of distinct(ranked, (one) => coloursKey(one.recipe)))
      if (this.#verdict() === 'unseen') await this.#descend(recipe);
    await this.#findAlike();
    this.#search.onProgress(1);
    return this.#result();
  }

  /** Goes on with the best of all recipes that differ in one factor, until none is better. */
  async #descend(from: FeedingRecipe): Promise<void> {
    for (let recipe = from, miss = Infinity; ;) {
      const neighbours = this.#factors.flatMap((factor) => withOther(recipe, factor, this.#search.colours));
      const [best] = await this.#best([recipe, ...neighbours], 1);
      if (!best || best.miss >= miss || best.reproduces) return;
      ({ recipe, miss } = best);
    }
  }

  /** Looks at what differs in one factor from a recipe that is alike, and so on; then at what such differences make together. */
  async #findAlike(): Promise<void> {
    const looked = new Set<string>();
    // Without scores many recipes are alike: the neighbours of the best one show which of its parts may be others.
    while (looked.size < (this.#hasScores ? mostLooked : 1)) {
      const next = this.#alike().find(({ recipe }) => !looked.has(keyOf(recipe)));
      if (!next) return;
      looked.add(keyOf(next.recipe));
      await this.#best(this.#factors.flatMap((factor) => withOther(next.recipe, factor, this.#search.colours)), kept); // prettier-ignore
    }
    if (!this.#hasScores) return;
    const alike = this.#alike().map(({ recipe }) => recipe);
    const together = distinct(alike, ({ resampler }) => resampler).flatMap(({ resampler }) =>
      distinct(alike, ({ placing }) => JSON.stringify(placing)).flatMap(({ placing }) =>
        distinct(alike, coloursKey).map((recipe) => ({ ...recipe, resampler, placing })),
      ),
    );
    await this.#best(together.slice(0, mostTogether), kept);
  }

  /** Judges recipes by one picture, the better third of them by two, and so on; those that are left are judged by all. */
  async #best(recipes: readonly FeedingRecipe[], most: number): Promise<readonly JudgedRecipe[]> {
    const { pictures } = this.#search;
    let left = [...new Map(recipes.map((recipe) => [keyOf(recipe), recipe])).values()];
    const part = 1 - 1 / ++this.#stage;
    for (let count = 1; ; count = Math.min(2 * count, pictures.length)) {
      const judged: JudgedRecipe[] = [];
      for (const [at, recipe] of left.entries()) {
        const known = this.#judged.get(keyOf(recipe));
        judged.push(known ?? (await this.#judge(recipe, count)));
        this.#search.onProgress(part + (at / left.length) * (1 / (this.#stage + 1) - 1 / (this.#stage + 2)));
      }
      judged.sort(byMiss);
      if (count === pictures.length) {
        for (const one of judged) this.#judged.set(keyOf(one.recipe), one);
        return judged.slice(0, most);
      }
      left = judged.slice(0, Math.max(most, Math.ceil(judged.length / 3))).map(({ recipe }) => recipe);
    }
  }

  async #judge(recipe: FeedingRecipe, count: number): Promise<JudgedRecipe> {
    const misses: Miss[] = [];
    for (let picture = 0; picture < count; picture++) {
      this.#search.signal.throwIfAborted();
      misses.push(await this.#runs.miss(recipe, picture));
    }
    const things = misses.flatMap((miss) => miss.things);
    const isUnknown = misses.some(({ reproduces }) => reproduces === null);
    return {
      recipe,
      miss: mean(things),
      sureness: mean(misses.map(({ sureness }) => sureness)),
      reproduces: isUnknown ? null : misses.every(({ reproduces }) => reproduces),
    };
  }

  #alike(): readonly JudgedRecipe[] {
    const judged = [...this.#judged.values()].sort(byMiss);
    const [best] = judged;
    if (!best) return [];
    if (best.reproduces) return judged.filter(({ reproduces }) => reproduces);
    const things = this.#search.pictures.reduce((sum, { expected }) => sum + expected.length, 0);
    return judged.filter(({ miss }) => miss - best.miss <= lead / Math.sqrt(things));
  }

  #verdict(): FoundRecipes['verdict'] {
    const [best] = this.#alike();
    return best!.reproduces ? 'reproduced' : best!.sureness >= sure ? 'near' : 'unseen';
  }

  #result(): FoundRecipes {
    const alike = this.#alike();
    const next = [...this.#judged.values()].sort(byMiss).find((one) => !alike.includes(one)) ?? null;
    return { alike, next, verdict: this.#verdict(), runs: this.#runs.count };
  }
}

/** Sorts recipes that reproduce before all others, then by what they miss. */
function byMiss(a: JudgedRecipe, b: JudgedRecipe): number {
  return Number(b.reproduces ?? false) - Number(a.reproduces ?? false) || a.miss - b.miss;
}

const coloursKey = ({ bgr, meanValue, stdDev }: FeedingRecipe) => JSON.stringify([bgr, meanValue, stdDev]);

/** The first of each kind. */
function distinct<T>(of: readonly T[], kind: (one: T) => string): readonly T[] {
  return of.filter((one, at) => of.findIndex((other) => kind(other) === kind(one)) === at);
}

function keyOf(recipe: FeedingRecipe): string {
  return JSON.stringify([recipe.resampler, recipe.placing, recipe.bgr, recipe.meanValue, recipe.stdDev]);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
