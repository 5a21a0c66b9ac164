import { compareDetections, type DetectionChanges } from '../evaluation/compare/compare-detections.ts';
import { compareFigures } from '../evaluation/compare/compare-figures.ts';
import type { DetectionSet } from '../evaluation/evaluation.ts';
import { evaluateBoxes } from '../evaluation/report/summarize.ts';
import type { Command } from './arguments.ts';
import { CliError } from './cli-error.ts';
import { readSeen, seeTruth, type EvaluatedSeen } from './evaluate.ts';
import type { Terminal } from './run-frames.ts';

type CompareCommand = Extract<Command, { readonly name: 'compare' }>;

/**
 * Compares two result files, or what two configurations make of the same frames, and prints one object. Exit code 1
 * when a frame failed on one side; what differs is no failure.
 *
 * @param command parsed arguments
 * @param terminal receives one object
 * @returns exit code: 1 where a frame failed, otherwise 0
 * @throws CliError, CocoFileError, DatasetError, MachineError, InferenceError
 * @example
 * const command = { dataPath: 'missing.json', paths: ['a.json', 'b.json'], split: null, movedMoreThanPx: 2 };
 * await compare(command, { print() {}, say() {} }); // throws: a.json
 */
export async function compare(command: CompareCommand, terminal: Terminal): Promise<number> {
  const { dataPath, paths, movedMoreThanPx } = command;
  const { print, say } = terminal;
  const [first, second] = [await sideOf(command, paths[0], terminal), await sideOf(command, paths[1], terminal)];
  if (first.names.join('\n') !== second.names.join('\n')) {
    const failed = [...first.failed, ...second.failed].map(({ frame }) => frame);
    throw new CliError('other-frames', `The two sides are of other frames; these failed: ${failed.join(', ')}.`);
  }
  const renumbered = withLabelsOf(first, second);
  const { labels } = first.space;
  const all = [...labels, ...second.space.labels.filter((label) => !labels.includes(label))];
  const space = { imageCount: first.space.imageCount, labels: all };
  const thresholds = [first.thresholds, renumbered.thresholds] as const;
  const changed = compareDetections(first.detections, renumbered.detections, {
    firstThresholds: thresholds[0],
    secondThresholds: thresholds[1],
    movedMoreThanPx,
  });
  const [a, b] = [
    evaluateBoxes(first.truth, first.detections, space, thresholds[0], first.ignoreRule),
    evaluateBoxes(first.truth, renumbered.detections, space, thresholds[1], first.ignoreRule),
  ];
  const units = {
    count: space.imageCount,
    ofImage: Uint32Array.from({ length: space.imageCount }, (_, image) => image),
  };
  const figures = compareFigures(
    { sweeps: a.sweeps, thresholds: thresholds[0] },
    { sweeps: b.sweeps, thresholds: thresholds[1] },
    units,
  ).map(({ label, ...figure }) => ({ label: label === null ? null : all[label]!, ...figure }));
  print({
    data: dataPath,
    first: { path: paths[0], ...a.summary },
    second: { path: paths[1], ...b.summary },
    changes: changed.counts,
    changed: changed.changes.map(({ kind, image, first: one, second: other, movedPx }) => ({
      kind,
      image: first.names[image],
      movedPx,
      first: boxOf(first.detections, one, all),
      second: boxOf(renumbered.detections, other, all),
    })),
    figures,
  });
  say(changesInWords(changed, movedMoreThanPx));
  return first.failed.length + second.failed.length > 0 ? 1 : 0;
}

function sideOf(command: CompareCommand, path: string, terminal: Terminal): Promise<EvaluatedSeen> {
  const { dataPath, service, threshold } = command;
  if (service === null) return readSeen(dataPath, { kind: 'results', path, threshold }, terminal.say);
  return seeTruth(command, { ...service, kind: 'service', configPath: path }, terminal);
}

/** The second side with the first side's label numbers; labels that the first lacks come behind. */
function withLabelsOf({ space: { labels } }: EvaluatedSeen, second: EvaluatedSeen) {
  const more = second.space.labels.filter((label) => !labels.includes(label));
  const all = [...labels, ...more];
  const numbers = second.space.labels.map((label) => all.indexOf(label));
  const thresholds = new Float64Array(all.length).fill(Infinity);
  for (const [label, number] of numbers.entries()) thresholds[number] = second.thresholds[label]!;
  const { detections } = second;
  return { thresholds, detections: { ...detections, label: detections.label.map((label) => numbers[label]!) } };
}

function boxOf({ box, label, score }: DetectionSet, row: number, labels: readonly string[]): object | null {
  if (row < 0) return null;
  return { label: labels[label[row]!], score: score[row], bbox: [...box.subarray(4 * row, 4 * row + 4)] };
}

function changesInWords({ counts }: DetectionChanges, movedMoreThanPx: number): string {
  const { vanished, appeared, relabelled, moved, same } = counts;
  return `${vanished} boxes vanish, ${appeared} appear, ${relabelled} change their label, ${moved} move by more than ${movedMoreThanPx} px; ${same} stay.`;
}
