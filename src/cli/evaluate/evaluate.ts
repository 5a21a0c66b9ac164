import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import packageJson from '../../../package.json' with { type: 'json' };
import { cocoRemarks, readCocoResults, readCocoTruth } from '../../evidence/evaluation/face/matches.ts';
import {
  makeReport,
  type ReportSubject,
  reportText,
  unknownTruth,
  unknownTruthText,
} from '../../evidence/evaluation/face/report.ts';
import { withoutSecrets } from '../../machine/config/face/edits.ts';
import { evaluateBoxes } from '../../evidence/evaluation/face/sweep.ts';
import type { Split } from '../../evidence/datasets/face/items.ts';
import { dependenceCure, dependenceDoubt, isKnown, unitsText } from '../../evidence/datasets/face/independence.ts';
import { type LabelPair, pairsText } from '../../evidence/datasets/face/labels.ts';
import { openKeyFile } from '../../platform/node/key-file.ts';
import { requireDetector, type RunnableService } from '../../machine/vision/face/filters.ts';
import type { EvaluateArguments } from './evaluate-records.ts';
import { certify, evaluatedBoxes } from './certify.ts';
import { CliError } from '../record/cli-error.ts';
import { evaluateClasses } from './evaluate-classes.ts';
import { byModelNames, type AskedPairs } from './label-pairs.ts';
import { loadMachine, type LoadedMachine } from '../shared/load-machine.ts';
import { readTextFile } from '../shared/load-config.ts';
import type { EvaluatedResults, EvaluatedService } from './evaluate-records.ts';
import { readJsonFile } from '../shared/read-json-file.ts';
import { picturesOfFile } from './pictures-of-file.ts';
import { readTruth } from './read-truth.ts';
import { answerPromises } from './recall-promises.ts';
import type { Terminal } from '../shared/run-frames.ts';
import { missedFloors, missedInWords } from './score-floors.ts';
import {
  sayFailed,
  seeFrames,
  unitsOfSet,
  type NamedFrames,
  type SeeingMachine,
  type SeenFrames,
} from './see-frames.ts';
import { sha256OfFile } from '../shared/sha256.ts';

/**
 * Runs `sightglass evaluate`: evaluates a vision service, or its results, against truth.
 * @param command parsed arguments
 * @param terminal receives one object
 * @returns exit code: 1 where a figure lies below its floor, a frame failed or a claim is not carried, otherwise 0
 * @throws CliError, CocoFileError, DatasetError, MachineError, InferenceError
 * @example
 * const command = { dataPath: 'missing.json', evaluated: { kind: 'results', path: 'results.json' }, floors: [], promises: [], certificate: null };
 * await evaluate(command, { print() {}, say() {} }); // throws: missing.json
 */
export async function evaluate(command: EvaluateArguments, terminal: Terminal): Promise<number> {
  const { dataPath, evaluated, floors, promises, report, certificate } = command;
  const { print, say } = terminal;
  // A key that cannot be used is told before the frames are run.
  const keyPath = certificate?.keyPath ?? null;
  const key = keyPath === null ? null : await openKeyFile(keyPath);
  const opened = evaluated.kind === 'service' ? await openService(evaluated, say) : null;
  if (opened && !opened.probed.abilities.detector.able && opened.probed.abilities.classifier.able) {
    if (certificate)
      throw new CliError(
        'no-boxes',
        `Vision service "${opened.visionName}" only classifies; boxes are what is certified.`,
      );
    if (promises.length > 0)
      throw new CliError(
        'no-boxes',
        `Vision service "${opened.visionName}" only classifies; the recall of boxes is what is promised.`,
      );
    const truth = await openTruth(command, opened, say);
    const subject = withFacts(await subjectOf(command), [
      ...runtimeFacts(opened),
      ...pairsFacts(truth.frames.labelPairs),
    ]);
    return evaluateClasses(command, subject, truth, terminal);
  }
  if (opened?.probed.service.color) refuseScoreless(opened.visionName, command);
  const seen =
    evaluated.kind === 'results'
      ? await readSeen(command, evaluated, say, report !== null || promises.length > 0)
      : await seeDetections(command, opened!, terminal);
  const { truth, detections, space, thresholds, ignoreRule } = seen;
  const figures = evaluateBoxes(truth, detections, space, thresholds, ignoreRule);
  const { summary } = figures;
  const independence = independenceOf(seen);
  if (report !== null) {
    const facts = [...runtimeFacts(seen), ...pairsFacts(seen.labelPairs), unitsFact(seen)];
    const told = withFacts(await subjectOf(command), facts);
    const subject = { ...told, labelPairs: seen.labelPairs };
    const made = makeReport(subject, seen, figures, thresholds, { kind: 'best-f1' }, seen.units);
    await writeFile(report.path, reportText(made, report.format));
  }
  const certified =
    opened && certificate
      ? await certify(certificate, { dataPath, opened, seen, sweeps: figures.sweeps, key }, terminal)
      : null;
  const missed = missedFloors(floors, summary);
  const service = opened?.probed.service;
  const known = service?.color ? [service.color.rule.label] : (service?.labels ?? null);
  const unknown = unknownTruth(figures.sweeps, seen.space.labels, known);
  if (unknown) say(unknownTruthText(unknown));
  const promised = answerPromises(promises, evaluatedBoxes(seen, figures.sweeps), say);
  print({
    data: dataPath,
    runtime: seen.runtime,
    ...summary,
    ...(seen.labelPairs.length > 0 && { labelPairs: seen.labelPairs }),
    independence,
    cutAway: seen.cutAway,
    unknownTruth: unknown,
    failed: seen.failed,
    missed,
    ...(promised.length > 0 && { promises: promised }),
    ...(certified && { certificate: certified }),
  });
  if (report !== null || certificate || promises.length > 0) sayUnits(seen, say);
  for (const one of missed) say(missedInWords(one));
  sayFailed(seen.failed, 'are in no figure', say);
  return missed.length > 0 || seen.failed.length > 0 || certified?.path === null ? 1 : 0;
}

/** Before frames are run. @throws CliError where what is asked for needs thresholds, or a model */
function refuseScoreless(visionName: string, { promises, certificate }: EvaluateArguments): void {
  const name = `"${visionName}" is a colour detector`;
  if (promises.length > 0)
    throw new CliError('no-scores', `${name}, whose scores are all 1: no threshold could keep a promise.`);
  if (certificate)
    throw new CliError('no-model', `${name}: a certificate names the bytes of a model, and it has none.`);
}

/** A vision service that is ready to run. */
export interface OpenedService extends SeeingMachine, Pick<LoadedMachine, 'config' | 'loaded' | 'runtime'> {
  readonly probed: RunnableService;
}

export async function openService(service: EvaluatedService, say: (text: string) => void): Promise<OpenedService> {
  const { machine, config, loaded, runtime, cameraName } = await loadMachine(service, say);
  const { visionName } = service;
  const probed = await machine.service(visionName);
  return { machine, config, loaded, runtime, visionName, cameraName, probed };
}

/** The data, the part of it that is read, and the word of the user on it. */
interface DataOptions {
  readonly dataPath: string;
  readonly split: Split | null;
  readonly areIndependent: boolean;
  /** which of its labels the model calls by other names */
  readonly map: AskedPairs;
}

async function openTruth(
  { dataPath, split, map }: Pick<DataOptions, 'dataPath' | 'split' | 'map'>,
  opened: OpenedService,
  say: (text: string) => void,
): Promise<OpenedService & { readonly frames: NamedFrames }> {
  const frames = await readTruth(dataPath, split, say);
  if (frames.frames.length === 0) throw new CliError('no-frames', `"${dataPath}" has no frames to evaluate.`);
  const { service } = opened.probed;
  const modelLabels = service.color ? [service.color.rule.label] : service.labels;
  return { ...opened, frames: await byModelNames(frames, map, { dataPath, modelLabels }, say) };
}

async function seeDetections(data: DataOptions, opened: OpenedService, terminal: Terminal): Promise<EvaluatedSeen> {
  requireDetector(opened.probed);
  const { frames, ...seeing } = await openTruth(data, opened, terminal.say);
  const { areIndependent } = data;
  return {
    ...(await seeFrames(frames, seeing, { say: terminal.say, areIndependent })),
    ignoreRule: 'field',
    runtime: seeing.runtime,
  };
}

async function subjectOf({ dataPath, split, evaluated }: EvaluateArguments): Promise<ReportSubject> {
  const facts: (readonly [string, string])[] = [['Data', split === null ? dataPath : `${dataPath}, ${split}`]];
  let configText: string | null = null;
  if (evaluated.kind === 'results')
    facts.push(['Result file', evaluated.path], ['SHA-256', await sha256OfFile(evaluated.path)]);
  else {
    configText = withoutSecrets(await readTextFile(evaluated.configPath, 'configuration')).text;
    facts.push(...(await serviceFacts(evaluated)));
  }
  facts.push(['Sightglass', packageJson.version]);
  return {
    title: `Evaluation of ${evaluated.kind === 'results' ? evaluated.path : evaluated.visionName}`,
    facts,
    configText,
  };
}

/** The service, its camera and its model files, as a report names them. */
export async function serviceFacts({
  visionName,
  cameraName,
  modelPaths: { byName, unnamed },
}: Pick<EvaluatedService, 'visionName' | 'cameraName' | 'modelPaths'>): Promise<(readonly [string, string])[]> {
  const paths = [...Object.values(byName), ...(unnamed === null ? [] : [unnamed])];
  return [
    ['Vision service', visionName],
    ['Camera', cameraName ?? 'none'],
    ...(await Promise.all(
      paths.map(async (path) => ['Model', `${basename(path)}, SHA-256 ${await sha256OfFile(path)}`] as const),
    )),
  ];
}

/** COCO's own rule for COCO's files; where a camera cuts truth away, what is ignored counts as ignored. */
export interface EvaluatedSeen extends SeenFrames {
  readonly ignoreRule: 'crowd' | 'field';
  /** what ran the models; null: none were run */
  readonly runtime: string | null;
}

/** Reads results of a file. Their pictures are looked at only where intervals are asked for, which stand on them. */
export async function readSeen(
  { dataPath, areIndependent }: Pick<DataOptions, 'dataPath' | 'areIndependent'>,
  { path, threshold }: Pick<EvaluatedResults, 'path' | 'threshold'>,
  say: (text: string) => void,
  hasIntervals: boolean,
): Promise<EvaluatedSeen> {
  const value = await readJsonFile(dataPath, 'truth');
  const file = readCocoTruth(value);
  const { detections, strays } = readCocoResults(await readJsonFile(path, 'result file'), file);
  if (file.images.length === 0) throw new CliError('no-frames', `"${dataPath}" has no frames to evaluate.`);
  for (const remark of cocoRemarks(file)) say(`${dataPath}: ${remark}`);
  if (strays > 0) say(`${path}: ${strays} results are of categories that the truth does not list.`);
  const looks = hasIntervals && !areIndependent;
  const pictures = await picturesOfFile({ path: dataPath, value, images: file.images }, { looks, say });
  return {
    space: file.space,
    truth: file.truth,
    detections,
    thresholds: new Float64Array(file.space.labels.length).fill(threshold),
    names: file.images.map(({ id, fileName }) => fileName || String(id)),
    ...unitsOfSet(pictures, areIndependent),
    failed: [],
    labelPairs: [],
    imagesSha256: null,
    cutAway: 0,
    ignoreRule: 'crowd',
    runtime: null,
  };
}

/** Runs a vision service that finds boxes over the truth's frames. */
export async function seeTruth(
  data: DataOptions,
  service: EvaluatedService,
  terminal: Terminal,
): Promise<EvaluatedSeen> {
  return seeDetections(data, await openService(service, terminal.say), terminal);
}

/** On how many independent units the intervals stand, and how that is known. */
export const independenceOf = ({ units: { count }, dependence: { basis } }: SeenFrames): object => ({
  units: count,
  basis,
  isKnown: isKnown({ basis }),
});

/** The same as a fact of a report. */
export const unitsFact = ({ units, dependence, names }: SeenFrames): readonly [string, string] => [
  'Independent units',
  unitsText(dependence, names.length, units.count),
];

/** Says it, and what to do where it is not known. */
export function sayUnits(seen: SeenFrames, say: (text: string) => void): void {
  const doubt = dependenceDoubt(seen.dependence);
  say(`Intervals are based on ${unitsFact(seen)[1]}.`);
  if (doubt !== '') say(`${doubt} ${dependenceCure}`);
}

/** What ran the models, as a fact of a report. */
export const runtimeFacts = ({ runtime }: Pick<EvaluatedSeen, 'runtime'>): readonly (readonly [string, string])[] =>
  runtime === null ? [] : [['Runtime', runtime]];

/** Which labels of the data count by other names, as facts of a report. */
export const pairsFacts = (pairs: readonly LabelPair[]): readonly (readonly [string, string])[] =>
  pairs.length > 0 ? [['Labels by the model’s names', pairsText(pairs)]] : [];

const withFacts = (subject: ReportSubject, facts: ReportSubject['facts']): ReportSubject => ({
  ...subject,
  facts: [...subject.facts, ...facts],
});
