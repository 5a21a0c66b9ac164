import { parseOptions, required } from './options.ts';
import { parseFloors, type Floor } from './score-floors.ts';
import { usage, UsageError } from './usage.ts';

export interface EvaluateArguments {
  /** COCO JSON, a data.yaml, a JSONL file, or a folder */
  readonly dataPath: string;
  /** COCO's result format */
  readonly detectionsPath: string;
  /** for every label */
  readonly threshold: number;
  readonly floors: readonly Floor[];
}

/** What is in force where nothing else says a threshold. */
const usualThreshold = 0.5;

/** @throws UsageError */
export function parseEvaluate(args: readonly string[]): EvaluateArguments {
  const { values, positionals } = parseOptions(args, ['data', 'detections', 'threshold', 'fail-under'], []);
  if (positionals.length > 0)
    throw new UsageError(
      `evaluate takes options only, got "${positionals[0]}": give the frames by --data.\n\n${usage}`,
    );
  return {
    dataPath: required('evaluate', 'data', values),
    detectionsPath: required('evaluate', 'detections', values),
    threshold: share('threshold', values.one('threshold') ?? String(usualThreshold)),
    floors: parseFloors(values.one('fail-under')),
  };
}

function share(option: string, text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && value <= 1))
    throw new UsageError(`--${option} wants a number from 0 to 1, got "${text}".`);
  return value;
}
