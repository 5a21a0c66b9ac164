import { isObject, valueAt } from '../json-document.ts';
import type { JsonPath } from '../json-path.ts';
import { parseAttributes, type AttributeError } from '../parse-attributes.ts';
import type { Fix } from './finding.ts';
import { knownObjects } from './known-objects.ts';
import { removeFix, setFix, transformSteps, type LintContext, type Rule } from './rule.ts';

/** A value of a type that the machine cannot convert: it refuses the whole resource. */
export const wrongType: Rule = {
  code: 'wrong-type',
  *check(context) {
    for (const path of attributeBlocks(context)) {
      const value = valueAt(context.document, path);
      if (value === undefined || value === null || isObject(value)) continue;
      const message = 'The attributes must be an object in braces.';
      yield { path, severity: 'error', message, fix: setFix(context, 'Start with an empty object', path, {}) };
    }
    for (const { path, object, fields } of knownObjects(context)) {
      for (const error of parseAttributes(object, fields).errors) {
        const at = [...path, ...error.path];
        const fix = fixOf(context, error, at);
        yield { path: at, severity: 'error', message: `${error.message}.`, ...(fix && { fix }) };
      }
    }
  },
};

function attributeBlocks(context: LintContext): readonly JsonPath[] {
  const known = context.entries.filter(({ kind }) => kind === 'mlmodel-vision' || kind === 'transform-camera');
  return [
    ...known.map(({ attributesPath }) => attributesPath),
    ...transformSteps(context).map(({ attributesPath }) => attributesPath),
  ];
}

function fixOf(context: LintContext, { expected }: AttributeError, path: JsonPath): Fix | undefined {
  const value = valueAt(context.document, path);
  const converted = convert(value, expected ?? '');
  if (converted !== undefined) return setFix(context, `Write ${JSON.stringify(converted)}`, path, converted);
  return typeof path.at(-1) === 'number' ? undefined : removeFix(context, 'Remove it', path);
}

/** The same value in the expected type, undefined where that is not plain. */
function convert(value: unknown, expected: string): unknown {
  const item = expected.startsWith('[]') ? expected.slice(2) : undefined;
  if (item !== undefined && !Array.isArray(value)) {
    const fits = item === 'string' ? typeof value === 'string' : item === 'struct' ? isObject(value) : undefined;
    if (fits !== undefined) return fits ? [value] : undefined;
    return typeof value === 'number' ? [value] : undefined;
  }
  switch (expected) {
    case 'string':
      return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
    case 'bool':
      if (value === 1 || value === 'true') return true;
      return value === 0 || value === 'false' ? false : undefined;
    case 'int':
    case 'uint':
    case 'float64':
      if (typeof value === 'number') return Math.abs(value);
      if (typeof value !== 'string' || value.trim() === '') return undefined;
      return Number.isFinite(Number(value)) && !(expected === 'uint' && Number(value) < 0) ? Number(value) : undefined;
    default:
      return undefined;
  }
}
