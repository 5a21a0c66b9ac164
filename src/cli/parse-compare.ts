import type { Split } from '../evidence/datasets/item/dataset-item.ts';
import { parseMap, type AskedPairs } from './label-pairs.ts';
import { parseOptions, required, type OptionValues } from './parse-options.ts';
import {
  independentFrames,
  reportFile,
  share,
  splitOf,
  usualThreshold,
  type EvaluatedService,
  type ReportFile,
} from './parse-evaluate.ts';
import { UsageError } from './usage.ts';

export interface CompareArguments {
  readonly dataPath: string;
  readonly split: Split | null;
  /** two result files, or two configurations */
  readonly paths: readonly [first: string, second: string];
  /** null: the paths are result files */
  readonly service: Omit<EvaluatedService, 'kind' | 'configPath'> | null;
  /** of result files, for every label */
  readonly threshold: number;
  readonly movedMoreThanPx: number;
  /** where the report goes; its ending says how it is written */
  readonly report: ReportFile | null;
  /** as for `evaluate` */
  readonly areIndependent: boolean;
  readonly map: AskedPairs;
}

const usualDistancePx = 2;

/** @throws UsageError */
export function parseCompare(
  args: readonly string[],
  serviceOf: (command: string, values: OptionValues) => Omit<EvaluatedService, 'kind'>,
): CompareArguments {
  const single = ['data', 'split', 'threshold', 'moved', 'report', 'vision', 'camera', 'source'];
  const { values, positionals } = parseOptions(
    args,
    single,
    ['model', 'labels', 'map'],
    ['strict', 'no-strict', independentFrames],
  );
  const [first, second, ...more] = positionals;
  if (first === undefined || second === undefined || more.length > 0) {
    throw new UsageError(`compare wants two result files or two configurations, got ${positionals.length} paths.`);
  }
  const moved = Number(values.one('moved') ?? usualDistancePx);
  if (!(moved >= 0)) throw new UsageError(`--moved wants a distance in pixels, got "${values.one('moved')}".`);
  const isRun = values.has('vision') || values.has('model');
  if (!isRun && values.has('split'))
    throw new UsageError('--split does not apply to result files, whose images their truth lists; leave it out.');
  if (!isRun && values.has('map'))
    throw new UsageError('--map does not apply to result files, whose labels are those of their truth; leave it out.');
  // The configuration is each of the paths in turn.
  const named: OptionValues = { ...values, one: (option) => (option === 'config' ? first : values.one(option)) };
  return {
    dataPath: required('compare', 'data', values),
    split: splitOf(values.one('split')),
    paths: [first, second],
    service: isRun ? serviceOf('compare', named) : null,
    threshold: share('threshold', values.one('threshold') ?? String(usualThreshold)),
    movedMoreThanPx: moved,
    report: reportFile(values.one('report')),
    areIndependent: values.has(independentFrames),
    map: parseMap(values),
  };
}
