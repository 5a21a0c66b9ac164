import type { Split } from '../evidence/datasets/item/dataset-item.ts';
import { independentFrames, share, splitOf, usualThreshold, type EvaluatedService } from './parse-evaluate.ts';
import { parseOptions, required, type OptionValues } from './parse-options.ts';
import { UsageError } from './usage.ts';

/** One side of the comparison, as it is named. */
export interface SideOptions {
  readonly path: string;
  /** null: all */
  readonly split: Split | null;
  /** results in COCO's format, of the pictures that `path` lists; null: its labels are compared */
  readonly resultsPath: string | null;
  /** of the results, for every label */
  readonly threshold: number;
}

export interface DriftArguments {
  /** frames as `evaluate` reads them, or a reference that was kept */
  readonly reference: SideOptions;
  /** frames as `evaluate` reads them, or a folder of pictures */
  readonly later: SideOptions;
  /** what it answers is compared on both sides; null: labels or results are */
  readonly service: EvaluatedService | null;
  /** false discovery rate, above 0 and below 1 */
  readonly level: number;
  /** where the reference's features are kept; null: nowhere */
  readonly keepPath: string | null;
  /** frames without a recorded sequence, or camera and time, are taken to be independent, as the user says so */
  readonly areIndependent: boolean;
}

const usualLevel = '0.05';
const ofService = ['config', 'vision', 'camera', 'source'];
const ofResults = ['reference-detections', 'detections', 'threshold'];

/** @throws UsageError */
export function parseDrift(
  args: readonly string[],
  serviceOf: (command: string, values: OptionValues) => Omit<EvaluatedService, 'kind'>,
): DriftArguments {
  const single = ['reference', 'later', 'split', 'level', 'keep', ...ofService, ...ofResults];
  const { values, positionals } = parseOptions(
    args,
    single,
    ['model', 'labels'],
    ['strict', 'no-strict', independentFrames],
  );
  if (positionals.length > 0)
    throw new UsageError(
      `drift takes options only, got "${positionals[0]}": give the frames by --reference and --later.`,
    );
  const level = share('level', values.one('level') ?? usualLevel);
  if (level === 0 || level === 1) throw new UsageError(`--level wants a number between 0 and 1, got "${level}".`);
  const isRun = [...ofService, 'model', 'labels'].some((name) => values.has(name));
  const results = ofResults.find((name) => values.has(name));
  if (isRun && results !== undefined)
    throw new UsageError(`--${results} is of results that are there already, so no service is run; leave one out.`);
  if (values.has('reference-detections') && values.has('split'))
    throw new UsageError('--split does not apply to results, whose images their truth lists; leave one out.');
  const threshold = share('threshold', values.one('threshold') ?? String(usualThreshold));
  return {
    reference: {
      path: required('drift', 'reference', values),
      split: splitOf(values.one('split')),
      resultsPath: values.one('reference-detections'),
      threshold,
    },
    later: { path: required('drift', 'later', values), split: null, resultsPath: values.one('detections'), threshold },
    service: isRun ? { kind: 'service', ...serviceOf('drift', values) } : null,
    level,
    keepPath: values.one('keep'),
    areIndependent: values.has(independentFrames),
  };
}
