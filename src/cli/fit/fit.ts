import { readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import {
  fitFormat,
  fitModel,
  type FitRequest,
  fittedFileNames,
  fittedFiles,
  type FittedModel,
  judgeFitted,
} from '../../models/fit/face/fitting.ts';
import { moduleFor } from '../../models/fit/modules/known-modules.ts';
import { reasonsAgainst, verdictOf } from '../../models/fit/modules/module-finding.ts';
import { readModel } from '../../models/onnx/face/model-files.ts';
import { readFrameFile } from '../../platform/node/frame-file.ts';
import { sessionOpener } from '../../platform/node/open-session.ts';
import type { SessionOpener } from '../../platform/ports/inference-runtime.ts';
import { parseLabels } from '../../machine/vision/face/results.ts';
import type { FitArguments } from './fit-records.ts';
import { CliError, reportOf } from '../record/cli-error.ts';
import { readBytes, readTextFile } from '../shared/load-config.ts';
import { sha256 } from '../shared/sha256.ts';
import type { Terminal } from '../shared/run-frames.ts';
import { tryAnswers, type AnswersTrial } from './try-answers.ts';
import { UsageError } from '../record/usage-error.ts';
import { samplePaths, tryFitted, type FittedTrial } from './try-fitted.ts';

/**
 * Runs `sightglass fit`: writes a model that the machine takes as it is, its label file and a configuration for both, tries it
 * on frames, and prints what was done.
 * @param command parsed arguments
 * @param terminal receives one object
 * @returns exit code: 0; 1: the machine does not load what was written, or what it says of the frames cannot be right
 * @throws CliError; FitError, ModelError where the model cannot be fitted
 * @example
 * await fit({ modelPath: 'missing.onnx', outPath: 'fitted.onnx' }, { print() {}, say() {} }); // throws: missing.onnx
 */
export async function fit(
  { modelPath, outPath, labelsPath, triedOn, answers, family, inputSize, options, runtime }: FitArguments,
  terminal: Terminal,
): Promise<number> {
  const source = new Uint8Array(await readBytes(modelPath, 'model'));
  const format = fitFormat(source);
  if (!outPath.endsWith(`.${format}`))
    throw new UsageError(
      `The model is a ${format} file, and stays one: --out wants a file that ends in ".${format}", got "${outPath}".`,
    );
  const names = fittedFileNames(basename(outPath, `.${format}`), format);
  const inOutFolder = (name: string) => join(dirname(outPath), name);
  const given: FitRequest = {
    family,
    inputSize,
    // What a person gives to try the model on comes from the camera that it will run on.
    frameSize: format === 'tflite' && triedOn[0] !== undefined ? await readFrameFile(triedOn[0]) : null,
    options,
    labels: labelsPath === null ? null : parseLabels(await readTextFile(labelsPath, 'label file')),
    files: await readFilesBeside(modelPath, source),
    sourceSha256: sha256(source),
    modelFile: names.model,
    labelFile: names.labels,
  };
  const labelled = triedOn.flatMap((path, at) => (answers[at] ? [{ path, answer: answers[at] }] : []));
  const sessions = sessionOpener(runtime, terminal.say);
  const { feedings, request } = await decideFeeding(source, given, labelled, sessions);
  const areSamples = triedOn.length === 0;
  const frames = { paths: areSamples ? await samplePaths() : triedOn, areSamples };
  let fitted = fitModel(source, request);
  let tried = await tryFitted(source, request, fitted, frames, sessions);
  const [better] = tried.tryInstead;
  const isChosenByFrames = better !== undefined && !(better.key in options);
  if (isChosenByFrames) {
    terminal.say(
      `With ${better.key}=${String(fitted.options[better.key])}: ${tried.seen.join(' ')} Took ${better.key}=${better.value}.`,
    );
    const withBetter = { ...request, options: { ...request.options, [better.key]: better.value } };
    fitted = fitModel(source, withBetter);
    tried = await tryFitted(source, withBetter, fitted, frames, sessions);
  }
  for (const { name, bytes } of fittedFiles(fitted, names)) await write(inOutFolder(name), bytes);
  const findings = judgeFitted(fitted);
  const verdict = verdictOf(findings);
  terminal.print({
    model: modelPath,
    out: outPath,
    labels: fitted.labels && inOutFolder(names.labels),
    machine: inOutFolder(names.machine),
    ...described(fitted),
    feedings,
    chosenByFrames: isChosenByFrames ? `${better.key}=${better.value}` : null,
    modules: [{ module: moduleFor(fitted.format), verdict, findings }],
    tried,
    runtime: sessions.runtime,
  });
  const doubts = [...reasonsAgainst(findings).map(({ message }) => message), ...doubtsOf(tried)];
  for (const doubt of doubts) terminal.say(doubt);
  if (feedings) terminal.say(feedings.said);
  if (fitted.feedingGuess) terminal.say(`How it is fed is a guess. ${fitted.feedingGuess}`);
  if (fitted.stretching) terminal.say(fitted.stretching);
  return doubts.length > 0 ? 1 : 0;
}

/** Labelled pictures decide nothing of a model whose one way of feeding is known. */
async function decideFeeding(
  source: Uint8Array<ArrayBuffer>,
  request: FitRequest,
  labelled: Parameters<typeof tryAnswers>[2],
  sessions: SessionOpener,
): Promise<{ readonly feedings: AnswersTrial | null; readonly request: FitRequest }> {
  if (labelled.length === 0) return { feedings: null, request };
  const { feedingGuess, optionSpecs, preprocessing } = fitModel(source, request);
  const isByOptions = optionSpecs.some(({ key }) => key === 'values');
  if (feedingGuess === null && !isByOptions)
    throw new UsageError(
      `--answer is not needed: the file tells that the model is fed ${preprocessing.colour.toUpperCase()}, and with what values.`,
    );
  const { trial: feedings, request: decided } = await tryAnswers(source, request, labelled, sessions);
  return { feedings, request: decided };
}

/** Why a model is not known to work, and what to try; [] where the frames speak for it, or say nothing against it. */
function doubtsOf({ verdict, showsNothing, seen, boxes, frames, tryInstead }: FittedTrial): string[] {
  if (showsNothing) return [`${seen.join(' ')} Give a picture of what it finds, with --frame FILE.`];
  const count = frames.length === 1 ? 'the frame' : `${frames.length} frames`;
  const isBlind = boxes === 0 && frames.length > 0;
  if (verdict !== 'refused' && !isBlind) return [];
  const others = tryInstead.map(
    ({ key, value, boxes: found, bestScore }) =>
      `Try --option ${key}=${value}: ${found === 0 ? '' : `${found} boxes, `}best score ${bestScore.toFixed(2)}.`,
  );
  return [
    isBlind
      ? `The fitted model found no box on ${count}. Give a picture of what it should find, with --frame FILE.`
      : `What the fitted model says of ${count} cannot be right. ${seen.join(' ')}`,
    ...others,
  ];
}

function described({
  family,
  evidence,
  otherFamilies,
  added,
  options,
  inputSize,
  feedingGuess,
  stretching,
}: FittedModel): object {
  return {
    family: family.id,
    evidence,
    otherFamilies: otherFamilies.map(({ id }) => id),
    added,
    options,
    feedingGuess,
    stretching,
    inputSize: `${inputSize.widthPx}x${inputSize.heightPx}`,
  };
}

/** The weights of a model that keeps them in other files; those that are not there are named by who wants them. */
export async function readFilesBeside(modelPath: string, source: Uint8Array): Promise<Record<string, Uint8Array>> {
  const files: Record<string, Uint8Array> = {};
  if (fitFormat(source) !== 'onnx') return files;
  for (const name of readModel(source, basename(modelPath)).externalFiles) {
    const bytes = await readFile(join(dirname(modelPath), name)).catch(() => null);
    if (bytes) files[name] = bytes;
  }
  return files;
}

async function write(path: string, content: Uint8Array): Promise<void> {
  try {
    await writeFile(path, content);
  } catch (cause) {
    const { code, message } = reportOf(cause);
    const why = code === 'not-found' ? `There is no folder "${dirname(path)}".` : message;
    throw new CliError('not-writable', `"${path}" cannot be written. ${why}`, { cause });
  }
}
