import { colorDetectorFields } from '../../parse/attribute-fields.ts';
import { parseAttributes } from '../../parse/parse-attributes.ts';
import { colorDefaults, type ColorRefusal, colorRule } from '../../../vision/face/colors.ts';
import { attributeOf, colorDetectors, removeFix, setFix, type LintContext, type Rule } from '../rule/rule.ts';
import type { JsonPath } from '../../json/json-path.ts';
import type { Fix } from '../rule/finding.ts';

/** A colour detector that the machine does not build: a colour without hue, or one that fails its own cut-offs. */
export const colorRefused: Rule = {
  code: 'color-refused',
  *check(context) {
    for (const detector of colorDetectors(context)) {
      const { value, errors } = parseAttributes(detector.attributes, colorDetectorFields);
      if (errors.length > 0) continue; // see wrong-type
      const refusal = colorRule(value);
      if (!('code' in refusal)) continue;
      const path = attributeOf(detector, refusal.key)?.path ?? [...detector.attributesPath, refusal.key];
      const fix = fixOf(context, refusal, path, value.detect_color);
      yield {
        path,
        severity: 'error',
        message: `${refusal.message}. The machine does not build the service.`,
        ...(fix && { fix }),
      };
    }
  },
};

function fixOf(context: LintContext, { key, code }: ColorRefusal, path: JsonPath, color: string): Fix | undefined {
  if (code === 'bad-hue-tolerance') return setFix(context, 'Write 0.1', path, 0.1);
  if (code === 'bad-cutoff') {
    const usual = key === 'value_cutoff_pct' ? colorDefaults.valueCutoff : colorDefaults.saturationCutoff;
    return removeFix(context, `Use the default ${usual}`, path);
  }
  const whole = code === 'bad-color' ? wholeColor(color) : undefined;
  return whole === undefined ? undefined : setFix(context, `Write ${whole}`, path, whole);
}

/** The colour that is plainly meant by a short form, or without its sign. */
function wholeColor(text: string): string | undefined {
  const digits = /^#?([\da-f]{3}|[\da-f]{6})$/i.exec(text.trim())?.[1];
  if (digits === undefined) return undefined;
  return `#${digits.length === 6 ? digits : [...digits].map((digit) => digit + digit).join('')}`;
}
