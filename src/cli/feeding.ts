import { basename } from 'node:path';
import { verdictInWords, changesInWords } from '../evaluation/compare/compare-words.ts';
import {
  feedingCost,
  type FeedingDifference,
  type FeedingWorth,
  type TruePicture,
} from '../fit/feeding/feeding-cost.ts';
import { machineFeedings } from '../fit/feeding/machine-feedings.ts';
import { recipeWords } from '../fit/feeding/recipe.ts';
import type { ExpectedPicture, FedModel } from '../fit/feeding/recipe-runs.ts';
import { searchRecipes, type FoundRecipes, type JudgedRecipe } from '../fit/feeding/search-recipes.ts';
import { apartInWords } from '../fit/feeding/told-apart.ts';
import { feedingTrial, type FeedingTrial } from '../fit/feeding-trial.ts';
import type { FitRequest } from '../fit/fit-request.ts';
import { decodedRows } from '../fit/interpretations/decoded-rows.ts';
import { feedingsToTry } from '../fit/solver/feedings-to-try.ts';
import { presentFeeding } from '../fit/solver/rank-feedings.ts';
import { plainService } from '../fit/solver/try-feedings.ts';
import { decodeStill } from '../platform/decode/still.ts';
import { readFrameFile } from '../platform/node/frame-file.ts';
import { openSession } from '../platform/node/open-session.ts';
import { parseLabels } from '../vision/decode/labels.ts';
import { errorMessage } from '../vision/error-message.ts';
import type { Frame } from '../vision/frame.ts';
import type { InferenceSession } from '../vision/inference/inference-session.ts';
import { tensorToFloat64 } from '../vision/inference/tensor-values.ts';
import { buildVisionService } from '../vision/vision-service.ts';
import type { Command } from './arguments.ts';
import { CliError } from './cli-error.ts';
import { read, readFilesBeside } from './fit.ts';
import { readTextFile } from './load-config.ts';
import type { FeedingArguments } from './parse-feeding.ts';
import { readTruth } from './read-truth.ts';
import type { Terminal } from './run-frames.ts';
import { UsageError } from './usage.ts';
import { categoryOf, ports, shareOf } from './try-answers.ts';

/** Frames that are searched on; all of them are measured. */
const mostSearched = 12;

/**
 * Runs `sightglass feeding`: searches for the recipe by which a model was fed in training, and measures what the machine's own feeding loses against it.
 * @param command parsed arguments
 * @param terminal receives one object
 * @returns exit code: 1 where the model knows what is expected by no recipe, otherwise 0
 * @throws CliError, UsageError, FitError, ModelError, InferenceError, DatasetError
 * @example
 * await feeding({ modelPath: 'missing.onnx' }, { print() {}, say() {} }); // throws: missing.onnx
 */
export async function feeding(
  command: Extract<Command, { readonly name: 'feeding' }>,
  { print, say }: Terminal,
): Promise<number> {
  const { modelPath, labelsPath, family, inputSize, options } = command;
  const source = new Uint8Array(await read(modelPath, 'model'));
  const request: FitRequest = {
    family,
    inputSize,
    options,
    labels: labelsPath === null ? null : parseLabels(await readTextFile(labelsPath, 'label file')),
    files: await readFilesBeside(modelPath, source),
  };
  const trial = feedingTrial(source, request);
  const pictures = await picturesOf(command, trial, say);
  const session = await openSession(trial.model);
  try {
    const model = fedModel(session, trial);
    const found = await search(model, trial, pictures.slice(0, mostSearched).map(inMemory), say);
    const [best] = found.alike;
    const worth =
      trial.kind === 'detections' && found.verdict !== 'unseen'
        ? await feedingCost({
            model,
            recipe: best!.recipe,
            feedings: machineFeedings(source, request, best!.recipe, pictures[0]!.frame),
            pictures: pictures.map(truthOf),
            labels: trial.labels,
            open: openSession,
            ports,
            onProgress: everyTenth('measured', say),
            signal: new AbortController().signal,
          })
        : null;
    print({ model: modelPath, pictures: pictures.length, ...described(found), feedings: worth?.map((one) => worthOf(one, pictures.length)) ?? null }); // prettier-ignore
    for (const sentence of sentences(found, worth, basename(modelPath), pictures.length)) say(sentence);
    return found.verdict === 'unseen' ? 1 : 0;
  } finally {
    await session.release();
  }
}

function fedModel(session: InferenceSession, { kind }: FeedingTrial): FedModel {
  const { input } = buildVisionService(plainService, { session, labels: null });
  const classes = (outputs: ReadonlyMap<string, Parameters<typeof tensorToFloat64>[0]>) => {
    const tensor = outputs.get('probability');
    return tensor ? tensorToFloat64(tensor) : null;
  };
  return kind === 'detections'
    ? { session, input, reader: { kind, read: decodedRows } }
    : { session, input, reader: { kind, read: classes } };
}

function search(
  model: FedModel,
  trial: FeedingTrial,
  pictures: readonly ExpectedPicture[],
  say: Terminal['say'],
): Promise<FoundRecipes> {
  const colours = feedingsToTry(presentFeeding(trial), model.input.dtype, trial.isFedByOptions);
  const onProgress = everyTenth('searched', say);
  return searchRecipes({ model, pictures, colours, ports, onProgress, signal: new AbortController().signal });
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
  { kind, labels }: FeedingTrial,
  say: Terminal['say'],
): Promise<readonly ExpectedPicture[]> {
  if (from.kind === 'data' && kind === 'classifications')
    throw new UsageError('--data has boxes, and the model is a classifier: give its pictures by --frame and --answer.');
  if (from.kind === 'data') return labelledPictures(from, labels, say);
  return Promise.all(
    from.pictures.map(async ({ path, things }): Promise<ExpectedPicture> => {
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
      const boxPx = Math.max(...things.map(({ within }) => within.boxPx));
      const score = Math.max(...things.map(({ within }) => within.score));
      return { frame, expected, digits: { box: [boxPx / frame.widthPx, boxPx / frame.heightPx], score } };
    }),
  );
}

async function labelledPictures(
  { dataPath, split }: Extract<FeedingArguments['from'], { kind: 'data' }>,
  labels: readonly string[] | null,
  say: Terminal['say'],
): Promise<readonly ExpectedPicture[]> {
  const pictures: ExpectedPicture[] = [];
  for (const { name, bytes, boxes } of (await readTruth(dataPath, split, say)).frames) {
    if (boxes.length === 0) continue;
    const encoded = await bytes();
    const frame = decodedOr(encoded, (why) => say(`"${name}" is left out: ${why}`));
    if (!frame) continue;
    const expected = boxes.map(({ label, box: [x, y, width, height] }) => ({
      category: categoryOf({ label }, labels),
      box: shareOf([x, y, x + width, y + height], frame),
      score: null,
    }));
    pictures.push({
      // Thousands of pictures fit in memory only as they are stored.
      get frame() {
        return decodeStill(encoded)!;
      },
      expected,
      digits: { box: [1, 1], score: 1 },
    });
  }
  if (pictures.length === 0)
    throw new CliError('no-frames', `"${dataPath}" has no frames with boxes that can be read.`);
  return pictures;
}

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

/** A search looks at each picture hundreds of times. */
const inMemory = ({ frame, expected, digits }: ExpectedPicture): ExpectedPicture => ({ frame, expected, digits });

const truthOf = (picture: ExpectedPicture): TruePicture => ({
  get frame() {
    return picture.frame;
  },
  things: picture.expected,
});

function described({ alike, next, verdict, runs }: FoundRecipes): object {
  const one = ({ recipe, miss, sureness }: JudgedRecipe) => ({ words: recipeWords(recipe), ...recipe, miss, sureness });
  const [best, ...others] = alike;
  return { verdict, runs, recipe: one(best!), cannotTellApart: others.map(one), next: next && one(next) };
}

function worthOf({ feeding: { kind, title, step, fitted }, loss, gain }: FeedingWorth, pictures: number): object {
  const told = ({ averagePrecision, counts }: FeedingDifference) => ({
    AP50: averagePrecision,
    verdict: verdictInWords(averagePrecision, pictures),
    boxes: counts,
  });
  return { kind, title, step, options: fitted.options, againstRecipe: told(loss), againstMachine: gain && told(gain) };
}

function sentences(
  found: FoundRecipes,
  worth: readonly FeedingWorth[] | null,
  model: string,
  pictures: number,
): readonly string[] {
  const [best] = found.alike;
  if (found.verdict === 'unseen')
    return [`${model} is not sure of what is expected, fed by any recipe. Is the picture one that it was shown, and are the labels its own?`]; // prettier-ignore
  const reached = found.verdict === 'reproduced' ? 'gives every expected number' : 'comes nearest to what is expected';
  return [
    `${model} was fed so: ${recipeWords(best!.recipe)}. It ${reached}.`,
    ...apartInWords(found),
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
      return `${title}: ${interval} ${against[0]}, ${verdictInWords(averagePrecision, pictures)}. ${changesInWords(counts, 2)}`;
    }),
  ];
}
