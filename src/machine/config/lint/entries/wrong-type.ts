import {
  conditionalCameraFields,
  filteredCameraFields,
  filterServiceFields,
  stepFields,
} from '../../parse/attribute-fields.ts';
import { mistypedCameraAttributes } from '../../parse/entry-types.ts';
import { isObject, valueAt } from '../../json/json-document.ts';
import type { JsonPath } from '../../json/json-path.ts';
import { parseAttributes, type AttributeError, type AttributeFields } from '../../parse/parse-attributes.ts';
import { refusesAll } from './config-shape.ts';
import type { Fix } from '../rule/finding.ts';
import { knownObjects } from './known-objects.ts';
import { removeFix, setFix, transformSteps, type LintContext, type Report, type Rule } from '../rule/rule.ts';

const decodedByModules: readonly AttributeFields[] = [
  filteredCameraFields,
  filterServiceFields,
  conditionalCameraFields,
];

/** A value of a type that the machine cannot convert: it refuses the whole configuration, or in a step's attributes the camera. */
export const wrongType: Rule = {
  code: 'wrong-type',
  *check(context) {
    for (const { attributesPath: path } of transformSteps(context)) {
      const value = valueAt(context.document, path);
      if (value === undefined || value === null || isObject(value)) continue;
      const message = `The attributes must be an object in braces.${refusesAll}`;
      yield { path, severity: 'error', message, fix: setFix(context, 'Start with an empty object', path, {}) };
    }
    for (const { path, object, fields } of knownObjects(context)) {
      const inStep = fields !== stepFields && path.includes('pipeline');
      // A module decodes its attributes by itself: only its camera is not built.
      const inModule = decodedByModules.includes(fields);
      for (const error of parseAttributes(object, fields).errors)
        yield reportOf(context, path, error, !inStep && !inModule);
    }
    for (const camera of context.entries)
      for (const error of mistypedCameraAttributes(camera)) yield reportOf(context, camera.attributesPath, error, true);
  },
};

function reportOf(context: LintContext, path: JsonPath, error: AttributeError, isRefusedWhole: boolean): Report {
  const at = [...path, ...error.path];
  const fix = fixOf(context, error, at);
  const message = `${error.message}.${isRefusedWhole ? refusesAll : ''}`;
  return { path: at, severity: 'error', message, ...(fix && { fix }) };
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
