import type { Split } from '../evidence/datasets/item/dataset-item.ts';
import type { MachineCamera } from '../machine/config/machine-camera.ts';
import { parseMap, type AskedPairs } from './label-pairs.ts';
import type { NamedPaths } from './named-paths.ts';
import {
  certificateOptions,
  parseCertificateOptions,
  setElsewhere,
  type CertificateOptions,
} from './parse-certificate.ts';
import { parseOptions, required, type OptionValues } from './parse-options.ts';
import { parsePromises, type AskedPromise } from './recall-promises.ts';
import { parseFloors, type Floor } from './score-floors.ts';
import { UsageError } from './usage.ts';

export interface EvaluateArguments {
  /** COCO JSON, a data.yaml, a JSONL file, or a folder */
  readonly dataPath: string;
  /** null: all */
  readonly split: Split | null;
  readonly evaluated: EvaluatedResults | EvaluatedService;
  readonly floors: readonly Floor[];
  /** recall that is to be promised, each with the threshold that keeps the promise */
  readonly promises: readonly AskedPromise[];
  /** where the report goes; its ending says how it is written */
  readonly report: ReportFile | null;
  /** null: nothing is certified */
  readonly certificate: CertificateOptions | null;
  /** pictures without a recorded sequence, or camera and time, are taken to be independent, as the user says so */
  readonly areIndependent: boolean;
  /** labels of the data that the model calls by other names */
  readonly map: AskedPairs;
}

export interface ReportFile {
  readonly path: string;
  readonly format: 'html' | 'json' | 'csv';
}

/** A file in COCO's result format. */
export interface EvaluatedResults {
  readonly kind: 'results';
  readonly path: string;
  /** for every label */
  readonly threshold: number;
}

/** A vision service with its model, run here. */
export interface EvaluatedService {
  readonly kind: 'service';
  readonly configPath: string;
  readonly visionName: string;
  readonly modelPaths: NamedPaths;
  readonly labelPaths: NamedPaths;
  /** null = the frame as it is; '' = the service's own camera_name */
  readonly cameraName: string | null;
  readonly source: MachineCamera | null;
  readonly strict: boolean;
}

/** An option without a value: each frame of which nothing is recorded is of another scene or time. */
export const independentFrames = 'independent-frames';
/** What is in force where nothing else says a threshold. */
export const usualThreshold = 0.5;

const single = [
  'data',
  'split',
  'detections',
  'threshold',
  'fail-under',
  'promise',
  'broken-at-most',
  'report',
  'config',
  'vision',
  'camera',
  'source',
  ...certificateOptions,
];

/** @throws UsageError */
export function parseEvaluate(
  args: readonly string[],
  serviceOf: (command: string, values: OptionValues) => Omit<EvaluatedService, 'kind'>,
): EvaluateArguments {
  const { values, positionals } = parseOptions(
    args,
    single,
    ['model', 'labels', 'map'],
    ['strict', 'no-strict', setElsewhere, independentFrames],
  );
  if (positionals.length > 0)
    throw new UsageError(`evaluate takes options only, got "${positionals[0]}": give the frames by --data.`);
  return {
    dataPath: required('evaluate', 'data', values),
    split: splitOf(values.one('split')),
    evaluated: evaluatedOf(values, serviceOf),
    floors: parseFloors(values.one('fail-under')),
    promises: parsePromises(values.one('promise'), values.one('broken-at-most')),
    report: reportFile(values.one('report')),
    certificate: parseCertificateOptions(values),
    areIndependent: values.has(independentFrames),
    map: parseMap(values),
  };
}

function evaluatedOf(
  values: OptionValues,
  serviceOf: (command: string, values: OptionValues) => Omit<EvaluatedService, 'kind'>,
): EvaluatedResults | EvaluatedService {
  const path = values.one('detections');
  const threshold = values.one('threshold');
  if (path === null) {
    if (threshold !== null)
      throw new UsageError(
        '--threshold goes with --detections; a vision service has the thresholds of its configuration.',
      );
    return { kind: 'service', ...serviceOf('evaluate', values) };
  }
  const others = ['config', 'vision', 'model', 'labels', 'camera', 'source', 'split', 'map'].filter((name) =>
    values.has(name),
  );
  if (others.length > 0)
    throw new UsageError(`--detections holds the results already, so --${others[0]} says nothing; leave one out.`);
  return { kind: 'results', path, threshold: share('threshold', threshold ?? String(usualThreshold)) };
}

export function reportFile(path: string | null): ReportFile | null {
  if (path === null) return null;
  const ending = /\.(html|json|csv)$/i.exec(path)?.[1]?.toLowerCase();
  if (ending === 'html' || ending === 'json' || ending === 'csv') return { path, format: ending };
  throw new UsageError(`--report wants a file that ends in .html, .json or .csv, got "${path}".`);
}

export function splitOf(text: string | null): Split | null {
  if (text === null || text === 'train' || text === 'val' || text === 'test') return text;
  throw new UsageError(`--split wants train, val or test, got "${text}".`);
}

export function share(option: string, text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && value <= 1))
    throw new UsageError(`--${option} wants a number from 0 to 1, got "${text}".`);
  return value;
}
