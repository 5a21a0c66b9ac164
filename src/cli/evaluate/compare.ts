import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import packageJson from '../../../package.json' with { type: 'json' };
import { changedSettings, withoutSecrets } from '../../machine/config/face/edits.ts';
import {
  changesInWords,
  compareReportText,
  compareRuns,
  type CompareSubject,
  comparisonJson,
  leftOutInWords,
  measureRuns,
  rateInWords,
  strangersInWords,
} from '../../evidence/evaluation/face/comparison.ts';
import { type BoxColumns, LabelNames } from '../../evidence/evaluation/face/sets.ts';
import type { CompareArguments } from './evaluate-records.ts';
import { CliError } from '../record/cli-error.ts';
import {
  independenceOf,
  pairsFacts,
  readSeen,
  runtimeFacts,
  sayUnits,
  seeTruth,
  serviceFacts,
  unitsFact,
  type EvaluatedSeen,
} from './evaluate.ts';
import { sha256OfFile } from '../shared/sha256.ts';
import { readTextFile } from '../shared/load-config.ts';
import type { Terminal } from '../shared/run-frames.ts';

/**
 * Compares two result files, or what two configurations make of the same frames, and prints one object. Exit code 1
 * when a frame failed on one side; what differs is no failure.
 *
 * @param command parsed arguments
 * @param terminal receives one object
 * @returns exit code: 1 where a frame failed, otherwise 0
 * @throws CliError, CocoFileError, DatasetError, MachineError, InferenceError
 * @example
 * const command = { dataPath: 'missing.json', paths: ['a.json', 'b.json'], split: null, movedMoreThanPx: 2, report: null };
 * await compare(command, { print() {}, say() {} }); // throws: a.json
 */
export async function compare(command: CompareArguments, terminal: Terminal): Promise<number> {
  const { dataPath, paths, movedMoreThanPx, report } = command;
  const { print, say } = terminal;
  const [first, second] = [await sideOf(command, paths[0], terminal), await sideOf(command, paths[1], terminal)];
  if (first.names.join('\n') !== second.names.join('\n')) {
    const failed = [...first.failed, ...second.failed].map(({ frame }) => frame);
    throw new CliError('other-frames', `The two sides have different frames; these failed: ${failed.join(', ')}.`);
  }
  const { space, second: renumbered } = withLabelsOf(first, second);
  const { units } = first;
  const pair = { space, first, second: renumbered, units, ignoreRule: first.ignoreRule };
  const comparison = compareRuns(measureRuns(pair), {
    firstThresholds: first.thresholds,
    secondThresholds: renumbered.thresholds,
    movedMoreThanPx,
  });
  const made = { pair, comparison, names: first.names, movedMoreThanPx };
  if (report !== null)
    await writeFile(
      report.path,
      compareReportText({ ...made, subject: await subjectOf(command, first) }, report.format),
    );
  const { first: a, second: b, changes, changed, figures, strangers, leftOut } = comparisonJson(made);
  print({
    data: dataPath,
    runtime: first.runtime,
    first: { path: paths[0], ...a },
    second: { path: paths[1], ...b },
    ...(first.labelPairs.length > 0 && { labelPairs: first.labelPairs }),
    independence: independenceOf(first),
    changes,
    changed,
    figures,
    ...(strangers && { strangers }),
    ...(leftOut && { leftOut }),
  });
  sayUnits(first, say);
  say(changesInWords(comparison.counts, movedMoreThanPx));
  const words = strangers ? strangersInWords(strangers, changes.relabelled) : rateInWords(comparison.figures);
  if (words) say(words);
  if (leftOut) say(leftOutInWords(leftOut));
  return first.failed.length + second.failed.length > 0 ? 1 : 0;
}

async function subjectOf(
  { dataPath, split, paths, service }: CompareArguments,
  seen: EvaluatedSeen,
): Promise<CompareSubject> {
  const [one, other] = paths;
  const sides: (readonly [string, string, string])[] = [
    [service ? 'Configuration' : 'Result file', one, other],
    ['SHA-256', await sha256OfFile(one), await sha256OfFile(other)],
  ];
  const readConfig = async (path: string): Promise<string> =>
    withoutSecrets(await readTextFile(path, 'configuration')).text;
  return {
    title: `${basename(one)} and ${basename(other)} compared`,
    facts: [
      ['Data', split === null ? dataPath : `${dataPath}, ${split}`],
      ...(service ? await serviceFacts(service) : []),
      ...runtimeFacts(seen),
      ...pairsFacts(seen.labelPairs),
      unitsFact(seen),
      ['Sightglass', packageJson.version],
    ],
    sides,
    settings: service ? changedSettings(await readConfig(one), await readConfig(other)) : null,
  };
}

function sideOf(command: CompareArguments, path: string, terminal: Terminal): Promise<EvaluatedSeen> {
  const { service, threshold } = command;
  if (service === null) return readSeen(command, { path, threshold }, terminal.say, true);
  return seeTruth(command, { ...service, kind: 'service', configPath: path }, terminal);
}

/** The second side with the first side's label numbers; labels that the first lacks come behind. */
function withLabelsOf({ space }: EvaluatedSeen, second: EvaluatedSeen) {
  const labelNames = new LabelNames();
  for (const label of space.labels) labelNames.add(label, false);
  const numbers = second.space.labels.map((label) => labelNames.add(label, false));
  const labels = labelNames.names;
  const renumbered = <Columns extends BoxColumns>(columns: Columns): Columns => ({
    ...columns,
    label: columns.label.map((label) => numbers[label]!),
  });
  const thresholds = new Float64Array(labels.length).fill(Infinity);
  for (const [label, number] of numbers.entries()) thresholds[number] = second.thresholds[label]!;
  const { truth, detections } = second;
  return {
    space: { ...space, labels },
    second: { truth: renumbered(truth), detections: renumbered(detections), thresholds },
  };
}
