import { setEdits } from '../../json/edit-json.ts';
import { float32SafeThreshold } from '../../parse/float32-threshold.ts';
import { confidenceValues, type ConfidenceValue } from './confidence-values.ts';
import { labelLists } from '../labels/label-list.ts';
import { attributeOf, setFix, type LintContext, type Report, type Rule } from '../rule/rule.ts';

/**
 * Thresholds just above their own float32: a model's score of 0.7 is 0.699999988 and does not reach 0.7. One finding for all of
 * them, as a list of eighty labels easily has eighty.
 */
export const confidenceFloat32: Rule = {
  code: 'confidence-float32',
  *check(context) {
    const [first, ...others] = roundedThresholds(context);
    if (!first) return;
    const { path, value } = first;
    const score = Math.fround(value).toPrecision(9);
    const safe = float32SafeThreshold(value);
    const why = `A float32 score of ${value} is ${score}, below ${value}, and is dropped; ${safe} keeps it.`;
    const fix = setFix(context, `Write ${safe}`, path, safe);
    if (others.length === 0) yield { path, severity: 'info', message: why, fix };
    else yield reportOfAll(context, [first, ...others], why);
  },
};

function roundedThresholds(context: LintContext): readonly ConfidenceValue[] {
  const lists = labelLists(context);
  const ignored = lists.map(({ service }) => attributeOf(service, 'default_minimum_confidence')?.path.join());
  return confidenceValues(context).filter(
    ({ path, value }) => value > 0 && value <= 1 && Math.fround(value) < value && !ignored.includes(path.join()),
  );
}

function reportOfAll(context: LintContext, all: readonly ConfidenceValue[], why: string): Report {
  const [{ path }] = all as [ConfidenceValue];
  const list = labelLists(context).find(
    (one) => one.path.length < path.length && one.path.every((part, at) => part === path[at]),
  );
  return {
    path: list?.path ?? path,
    onKey: list !== undefined,
    severity: 'info',
    message: `${why} ${all.length} thresholds are like this.`,
    fix: {
      title: `Write all ${all.length} as float32 has them`,
      edits: all.flatMap(({ path: at, value }) => setEdits(context.text, at, float32SafeThreshold(value))),
    },
  };
}
