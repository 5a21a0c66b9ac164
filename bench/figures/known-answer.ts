import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { feedingTrial } from '../../src/models/fit/feeding-trial.ts';
import { classNamed } from '../../src/models/fit/solver/known-answer.ts';
import { feedingWords, rankFeedings } from '../../src/models/fit/solver/rank-feedings.ts';
import { tryFeedings, type TriedPicture } from '../../src/models/fit/solver/try-feedings.ts';
import { openSession } from '../../src/platform/node/open-session.ts';
import { readFrameFile } from '../../src/platform/node/frame-file.ts';
import type { Figure, Measurement } from '../figure.ts';
import { labelledModels, labelsOf, photographsFor, type LabelledModel } from '../known-answer/labelled-models.ts';
import { trialPorts } from '../solver/solver-trial.ts';

/** Enough to form many pairs and threes; each is run in 10 ways and 3 views. */
const photographsOfEach = 8;
const counts = [1, 2, 3] as const;

/** Counts over all choices of so many photographs: how many decided and how, and how many ways of feeding were left. */
interface Outcome {
  readonly model: string;
  readonly pictures: number;
  readonly right: number;
  readonly wrong: number;
  readonly undecided: number;
  /** how often the values were decided, whether or not the order of colours was */
  readonly rightValues: number;
  readonly wrongValues: number;
  /** how often the right way was among those left, of the choices in which the model saw the answers */
  readonly kept: number;
  readonly left: number;
  readonly ways: number;
}

export const figure: Figure = {
  title: 'whether labelled pictures decide how a model is fed, told nothing else of it',
  limitMinutes: 60,
  async measure(tools) {
    const data = new URL('../shared/data/', `file://${tools.root}`);
    if (!existsSync(data)) {
      tools.note('skipped: the models and photographs of ../shared/data are not here');
      return [];
    }
    const halves: Outcome[][] = [];
    for (const models of labelledModels) {
      const outcomes: Outcome[] = [];
      for (const model of models) {
        tools.at(model.name);
        const tried = await triedOn(model, data);
        outcomes.push(...counts.map((count) => outcomeOf(model, tried, count)));
        for (const outcome of outcomes.slice(-counts.length)) tools.note(lineOf(outcome));
      }
      halves.push(outcomes);
    }
    return [
      ...sharesOf('models that the lead was chosen on', halves[0]!),
      ...sharesOf('the others', halves[1]!).map((one) =>
        one.name.startsWith('decides and is wrong') ? { ...one, atMost: 2 } : one,
      ),
    ];
  },
};

async function triedOn(model: LabelledModel, data: URL): Promise<readonly TriedPicture[]> {
  const source = new Uint8Array(await readFile(new URL(`models/${model.file}`, data)));
  const { kind, labels, ...trial } = feedingTrial(source, { labels: await labelsOf(model.labels, data) });
  const session = await openSession(trial.model);
  // The feeding, as if nothing were known of it.
  const present = { bgr: false, meanValue: [0.5, 0.5, 0.5], stdDev: [0.5, 0.5, 0.5], fit: trial.isPadded ? 'letterbox' : 'stretch' } as const; // prettier-ignore
  const tried: TriedPicture[] = [];
  for (const { file, answer } of (await photographsFor(model, data)).slice(0, photographsOfEach)) {
    const category = classNamed(answer, labels);
    if (category === null) throw new Error(`${model.name} has no class "${answer}".`);
    const frame = await readFrameFile(new URL(`images/${file}`, data).pathname);
    tried.push(
      await tryFeedings({
        session,
        kind,
        present,
        isFedByOptions: false,
        frame,
        answer: { category, box: null },
        ports: trialPorts(),
        onProgress: () => undefined,
        signal: new AbortController().signal,
      }),
    );
  }
  await session.release();
  return tried;
}

function outcomeOf({ name, fed }: LabelledModel, tried: readonly TriedPicture[], pictures: number): Outcome {
  const { inputs } = tried[0]!;
  const counted = { right: 0, wrong: 0, undecided: 0, rightValues: 0, wrongValues: 0, kept: 0, left: 0, seen: 0 };
  const chosen = choicesOf(tried, pictures);
  for (const some of chosen) {
    const { ranked, verdict } = rankFeedings(inputs, some.map((one) => one.tried)); // prettier-ignore
    const isRight = ({ input }: (typeof ranked)[number]) => feedingWords(input).startsWith(fed);
    const near = ranked.filter(({ isNear }) => isNear);
    counted[verdict !== 'decided' ? 'undecided' : isRight(ranked[0]!) ? 'right' : 'wrong']++;
    if (verdict === 'unseen') continue;
    counted.seen++;
    counted.left += near.length;
    if (near.some(isRight)) counted.kept++;
    const [first, ...others] = near.map(({ input }) => valuesOf(feedingWords(input)));
    // Bytes have no range.
    if (valuesOf(fed) === '' || others.some((values) => values !== first)) continue;
    counted[first === valuesOf(fed) ? 'rightValues' : 'wrongValues']++;
  }
  const share = (count: number, of = chosen.length) => (100 * count) / Math.max(1, of);
  return {
    model: name,
    pictures,
    right: share(counted.right),
    wrong: share(counted.wrong),
    undecided: share(counted.undecided),
    rightValues: share(counted.rightValues),
    wrongValues: share(counted.wrongValues),
    kept: share(counted.kept, counted.seen),
    left: counted.left / Math.max(1, counted.seen),
    ways: inputs.length,
  };
}

/** "values from 0 to 1" of "BGR, values from 0 to 1" */
function valuesOf(words: string): string {
  return words.split(', ')[1] ?? '';
}

/** All choices of so many. */
function choicesOf<T>(of: readonly T[], count: number): readonly (readonly T[])[] {
  if (count === 0) return [[]];
  return of.flatMap((one, at) => choicesOf(of.slice(at + 1), count - 1).map((others) => [one, ...others]));
}

function lineOf(outcome: Outcome): string {
  const { model, pictures, right, wrong, undecided, rightValues, wrongValues, kept, left, ways } = outcome;
  const percent = (share: number) => `${Math.round(share)} %`;
  return `${model}, ${pictures} of its pictures: right ${percent(right)}, wrong ${percent(wrong)}, undecided ${percent(undecided)}; values right ${percent(rightValues)}, wrong ${percent(wrongValues)}; left ${left.toFixed(1)} of ${ways} ways, the right one among them in ${percent(kept)}`;
}

/** Each model counts alike. */
function sharesOf(what: string, outcomes: readonly Outcome[]): Measurement[] {
  return counts.flatMap((count) => {
    const of = outcomes.filter(({ pictures }) => pictures === count);
    const mean = (key: 'right' | 'wrong') => of.reduce((sum, one) => sum + one[key], 0) / of.length;
    const pictures = `${count} picture${count === 1 ? '' : 's'}`;
    return [
      { name: `decides and is right, ${pictures}: ${what}`, value: mean('right'), unit: '%' },
      { name: `decides and is wrong, ${pictures}: ${what}`, value: mean('wrong'), unit: '%' },
    ];
  });
}
