import { isStepType } from '../../parse/transform-steps.ts';
import { isObject, valueAt } from '../../json/json-document.ts';
import { foldKey } from '../../parse/parse-attributes.ts';
import { didYouMean, suggestion } from '../rule/did-you-mean.ts';
import { knownObjects } from './known-objects.ts';
import { isAngleLike } from '../cameras/rotate-angle-key.ts';
import { removeFix, renameFix, type LintContext, type Rule } from '../rule/rule.ts';
import type { JsonPath } from '../../json/json-path.ts';

/** A key that the machine ignores in silence. */
export const unknownKey: Rule = {
  code: 'unknown-key',
  *check(context) {
    for (const { path, object, fields } of knownObjects(context)) {
      const known = Object.keys(fields);
      const written = Object.keys(object).map(foldKey);
      for (const key of Object.keys(object)) {
        if (known.includes(foldKey(key))) continue;
        if ('angle_degs' in fields && isAngleLike(key)) continue;
        const near = didYouMean(
          key,
          known.filter((candidate) => !written.includes(candidate)),
        );
        yield {
          path: [...path, key],
          onKey: true,
          severity: 'warning',
          message: `The machine ignores "${key}".${suggestion(near)}${hint(context, path, key)}`,
          fix: near
            ? renameFix(context, `Rename to ${near}`, [...path, key], near)
            : removeFix(context, `Remove "${key}"`, [...path, key]),
        };
      }
    }
  },
};

/** A step written without its inner `attributes` object is a common slip. */
function hint({ document }: LintContext, path: JsonPath, key: string): string {
  const step = valueAt(document, path);
  if (!isObject(step) || typeof step['type'] !== 'string' || !isStepType(step['type'])) return '';
  return /_(px|degs|name|threshold|labels|box)$/.test(key) ? ' What a step does stands inside its "attributes".' : '';
}
