import { readCocoResults, readCocoTruth } from '../evaluation/coco/read-coco.ts';
import { evaluateBoxes } from '../evaluation/report/summarize.ts';
import type { Command } from './arguments.ts';
import { CliError } from './cli-error.ts';
import { readTextFile } from './load-config.ts';
import type { Terminal } from './run-frames.ts';
import { missedFloors, missedInWords } from './score-floors.ts';

/**
 * Evaluates results against truth and prints one object. Exit code 1 when a figure lies below its floor.
 *
 * @throws CliError, CocoFileError
 */
export async function evaluate(
  { dataPath, detectionsPath, threshold, floors }: Extract<Command, { readonly name: 'evaluate' }>,
  { print, say }: Terminal,
): Promise<number> {
  const file = readCocoTruth(await readJson(dataPath, 'truth'));
  const { detections, strays } = readCocoResults(await readJson(detectionsPath, 'result file'), file);
  if (file.strays > 0)
    say(`${dataPath}: ${file.strays} annotations are of images or categories that it does not list.`);
  if (strays > 0) say(`${detectionsPath}: ${strays} results are of categories that the truth does not list.`);
  const thresholds = new Float64Array(file.space.labels.length).fill(threshold);
  const { summary } = evaluateBoxes(file.truth, detections, file.space, thresholds);
  const missed = missedFloors(floors, summary);
  print({ data: dataPath, ...summary, missed });
  for (const one of missed) say(missedInWords(one));
  return missed.length > 0 ? 1 : 0;
}

async function readJson(path: string, what: string): Promise<unknown> {
  const text = await readTextFile(path, what);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CliError('bad-json', `"${path}" is no valid JSON: ${(cause as Error).message}`, { cause });
  }
}
