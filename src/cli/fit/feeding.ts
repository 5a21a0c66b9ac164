import { basename } from 'node:path';
import { changesInWords, verdictInWords } from '../../evidence/evaluation/face/comparison.ts';
import { dependenceCure, dependenceDoubt, isKnown } from '../../evidence/datasets/face/independence.ts';
import type { FeedingDifference, FeedingWorth } from '../../models/fit/feeding/feeding-cost.ts';
import { movedMoreThanPx } from '../../models/fit/feeding/counted-boxes.ts';
import { widestDigits } from '../../models/fit/feeding/given-thing.ts';
import { fittedSubject, type FeedingSubject } from '../../models/fit/feeding/feeding-subject.ts';
import {
  measureFeeding,
  type MeasuredFeeding,
  type SequencedPicture,
} from '../../models/fit/feeding/measure-feeding.ts';
import { recipeWords } from '../../models/fit/feeding/recipe.ts';
import type { FoundRecipes, JudgedRecipe } from '../../models/fit/feeding/search-recipes.ts';
import { apartInWords } from '../../models/fit/feeding/told-apart.ts';
import type { FitRequest } from '../../models/fit/face/fitting.ts';
import { decodeStill } from '../../platform/decode/still.ts';
import { readFrameFile } from '../../platform/node/frame-file.ts';
import { sessionOpener } from '../../platform/node/open-session.ts';
import { parseLabels } from '../../machine/vision/face/results.ts';
import { errorMessage } from '../../machine/vision/face/errors.ts';
import type { Frame } from '../../machine/vision/face/frames.ts';
import { CliError } from '../record/cli-error.ts';
import { readFilesBeside } from './fit.ts';
import { readBytes, readTextFile } from '../shared/load-config.ts';
import type { FeedingArguments } from './fit-records.ts';
import { readTruth, recordedOf, type TrueBox } from '../evaluate/read-truth.ts';
import type { Terminal } from '../shared/run-frames.ts';
import { UsageError } from '../record/usage-error.ts';
import { categoryOf, ports, shareOf } from './try-answers.ts';

/**
 * Runs `sightglass feeding`: searches for the recipe by which a model was fed in training, and measures what the machine's own feeding loses against it.
 * @param command parsed arguments
 * @param terminal receives one object
 * @returns exit code: 1 where the model knows what is expected by no recipe, otherwise 0
 * @throws CliError, UsageError, FitError, ModelError, InferenceError, DatasetError
 * @example
 * await feeding({ modelPath: 'missing.onnx' }, { print() {}, say() {} }); // throws: missing.onnx
 */
export async function feeding(command: FeedingArguments, { print, say }: Terminal): Promise<number> {
  const { modelPath, labelsPath, family, inputSize, options } = command;
  const source = new Uint8Array(await readBytes(modelPath, 'model'));
  const request: FitRequest = {
    family,
    inputSize,
    options,
    labels: labelsPath === null ? null : parseLabels(await readTextFile(labelsPath, 'label file')),
    files: await readFilesBeside(modelPath, source),
  };
  const sessions = sessionOpener(command.runtime, say);
  const subject = fittedSubject(source, request);
  const pictures = await picturesOf(command, subject, say);
  const tell = { searched: everyTenth('searched', say), measured: everyTenth('measured', say) };
  const { found, worth, measuredOn, dependence } = await measureFeeding({
    subject,
    pictures,
    areIndependent: command.areIndependent,
    open: (model) => sessions.open(model),
    ports,
    onProgress: (phase, fraction) => tell[phase](fraction),
    signal: new AbortController().signal,
  });
  print({ model: modelPath, runtime: sessions.runtime, pictures: pictures.length, ...described(found), feedings: worth?.map((one) => worthOf(one, measuredOn.units)) ?? null, measuredOn, independence: { units: measuredOn.units, basis: dependence.basis, isKnown: isKnown(dependence) } }); // prettier-ignore
  for (const sentence of sentences(found, worth, basename(modelPath), measuredOn)) say(sentence);
  const doubt = worth ? dependenceDoubt(dependence) : '';
  if (doubt !== '') say(`${doubt} ${dependenceCure}`);
  return found.verdict === 'unseen' ? 1 : 0;
}

function everyTenth(what: string, say: Terminal['say']): (fraction: number) => void {
  let told = 0;
  return (fraction) => {
    if (fraction < told + 0.1) return;
    told = Math.floor(10 * fraction) / 10;
    say(`${Math.round(100 * told)} % ${what}`);
  };
}

async function picturesOf(
  { from }: FeedingArguments,
  { kind, labels }: FeedingSubject,
  say: Terminal['say'],
): Promise<readonly SequencedPicture[]> {
  if (from.kind === 'data' && kind === 'classifications')
    throw new UsageError('--data has boxes, and the model is a classifier: give its pictures by --frame and --answer.');
  if (from.kind === 'data') return labelledPictures(from, labels, say);
  return Promise.all(
    from.pictures.map(async ({ path, things }): Promise<SequencedPicture> => {
      if (kind === 'classifications' && things.length > 1)
        throw new UsageError(
          `The model is a classifier: give one answer a picture, got ${things.length} for "${path}".`,
        );
      const frame = await readFrameFile(path);
      const expected = things.map((thing) => ({
        category: categoryOf(thing, labels),
        box: shareOf(thing.boxPx, frame),
        score: thing.score,
      }));
      const { boxPx, score } = widestDigits(things);
      return {
        name: path,
        sequence: '',
        frame,
        expected,
        digits: { box: [boxPx / frame.widthPx, boxPx / frame.heightPx], score },
      };
    }),
  );
}

async function labelledPictures(
  { dataPath, split }: Extract<FeedingArguments['from'], { kind: 'data' }>,
  labels: readonly string[] | null,
  say: Terminal['say'],
): Promise<readonly SequencedPicture[]> {
  const pictures: SequencedPicture[] = [];
  for (const one of (await readTruth(dataPath, split, say)).frames) {
    const { name, bytes, boxes } = one;
    if (boxes.every(isLeftOut)) continue;
    const encoded = await bytes();
    const frame = decodedOr(encoded, (why) => say(`"${name}" is left out: ${why}`));
    if (!frame) continue;
    const shared = ({ label, box: [x, y, width, height] }: TrueBox) => ({
      category: categoryOf({ label }, labels),
      box: shareOf([x, y, x + width, y + height], frame),
      score: null,
    });
    pictures.push({
      name,
      sequence: recordedOf(one),
      // Thousands of pictures fit in memory only as they are stored.
      get frame() {
        return decodeStill(encoded)!;
      },
      expected: boxes.filter((box) => !isLeftOut(box)).map(shared),
      ignored: boxes.filter(isLeftOut).map(shared),
      digits: { box: [1, 1], score: 1 },
    });
  }
  if (pictures.length === 0)
    throw new CliError('no-frames', `"${dataPath}" has no frames with boxes that can be read.`);
  return pictures;
}

/** A crowd is no object, and what its dataset leaves out does not count. */
const isLeftOut = ({ isCrowd = false, isIgnored = false }: TrueBox): boolean => isCrowd || isIgnored;

/** null: `tell` was told why */
function decodedOr(encoded: Uint8Array, tell: (why: string) => void): Frame | null {
  try {
    const frame = decodeStill(encoded);
    if (!frame) tell('it is neither PNG nor JPEG, and only a browser reads others.');
    return frame;
  } catch (error) {
    tell(errorMessage(error));
    return null;
  }
}

function described({ alike, next, verdict, runs }: FoundRecipes): object {
  const one = ({ recipe, miss, sureness }: JudgedRecipe) => ({ words: recipeWords(recipe), ...recipe, miss, sureness });
  const [best, ...others] = alike;
  return { verdict, runs, recipe: one(best!), cannotTellApart: others.map(one), next: next && one(next) };
}

function worthOf({ feeding: { kind, title, step, fit }, loss, gain }: FeedingWorth, units: number): object {
  const told = ({ averagePrecision, counts }: FeedingDifference) => ({
    AP50: averagePrecision,
    verdict: verdictInWords(averagePrecision, units),
    boxes: counts,
  });
  return {
    kind,
    title,
    step,
    options: fit?.fitted.options ?? null,
    againstRecipe: told(loss),
    againstMachine: gain && told(gain),
  };
}

function sentences(
  found: FoundRecipes,
  worth: readonly FeedingWorth[] | null,
  model: string,
  { units, isApart }: MeasuredFeeding['measuredOn'],
): readonly string[] {
  const [best] = found.alike;
  if (found.verdict === 'unseen')
    return [`${model} is not sure of what is expected, fed by any recipe. Is the picture one that it was shown, and are the labels its own?`]; // prettier-ignore
  const reached = found.verdict === 'reproduced' ? 'gives every expected number' : 'comes nearest to what is expected';
  return [
    `${model} was fed so: ${recipeWords(best!.recipe)}. It ${reached}.`,
    ...apartInWords(found),
    ...(worth && !isApart ? ['The search used these pictures too, so the recipe fits them a little better than others.'] : []), // prettier-ignore
    ...(worth ?? []).map(({ feeding: { title }, loss, gain }) => {
      const against = gain
        ? (['against the machine’s own feeding', gain] as const)
        : (['against the recipe', loss] as const);
      const { averagePrecision, counts } = against[1];
      const { difference } = averagePrecision;
      const number = (value: number) => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`;
      const interval = difference
        ? `AP50 ${number(difference.value)} (${number(difference.low)} to ${number(difference.high)})`
        : 'AP50';
      return `${title}: ${interval} ${against[0]}, ${verdictInWords(averagePrecision, units)}. ${changesInWords(counts, movedMoreThanPx)}`;
    }),
  ];
}
