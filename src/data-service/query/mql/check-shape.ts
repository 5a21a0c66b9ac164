import { isDocument, type QueryValue } from '../query-document.ts';
import { invalidQuery } from '../query-error.ts';

type Shape = readonly [takes: (spec: QueryValue) => boolean, what: string];

const isText = (value: QueryValue): boolean => typeof value === 'string' && value !== '';
const isTexts = (value: QueryValue): boolean => Array.isArray(value) && value.length > 0 && value.every(isText);
const isPath = (value: QueryValue): boolean => typeof value === 'string' && /^\$[^$]/.test(value);
const isExpression = (value: QueryValue): boolean => isDocument(value) || String(value).startsWith('$');
const isDirection = (value: QueryValue): boolean => value === 1 || value === -1;
const isCount = (value: QueryValue, least: number): boolean =>
  Number.isSafeInteger(value) && (value as number) >= least;
const isFilled = (value: QueryValue): boolean => isDocument(value) && Object.keys(value).length > 0;
const has = (value: QueryValue, field: string, takes: (inner: QueryValue) => boolean): boolean =>
  isDocument(value) && takes(value[field]);

const fields: Shape = [isDocument, 'a document of fields and their values'];

/**
 * The accepted arguments of stages and operators that would otherwise fail only at run time, fail silently, or do
 * nothing.
 */
const shapes: Readonly<Record<string, Shape>> = {
  $addFields: fields,
  $set: fields,
  $project: [isFilled, 'a document of at least one field'],
  $group: [(spec) => isDocument(spec) && '_id' in spec, 'a document with an _id, the key of its groups'],
  $sort: [
    (spec) => isFilled(spec) && Object.values(spec as object).every(isDirection),
    'a document of paths, each 1 (ascending) or -1 (descending)',
  ],
  $limit: [(spec) => isCount(spec, 1), 'a whole number of at least 1'],
  $skip: [(spec) => isCount(spec, 0), 'a whole number of at least 0'],
  $count: [(spec) => isText(spec) && !/^\$|\./.test(spec as string), 'the name of a field'],
  $unset: [(spec) => isText(spec) || isTexts(spec), 'a path, or a list of paths'],
  $unwind: [(spec) => isPath(spec) || has(spec, 'path', isPath), 'a path as "$tags", or a document with such a path'],
  $replaceRoot: [(spec) => has(spec, 'newRoot', isExpression), 'a document with a newRoot'],
  $replaceWith: [isExpression, 'an expression that gives a document'],
  $sortByCount: [isExpression, 'a path as "$tags", or an expression'],
  $bucketAuto: [
    (spec) => has(spec, 'groupBy', isExpression) && has(spec, 'buckets', (count) => isCount(count, 1)),
    'a document with groupBy and buckets, a whole number of at least 1',
  ],
  $densify: [
    (spec) => has(spec, 'field', isText) && has(spec, 'range', (range) => has(range, 'step', Number.isFinite)),
    'a document with a field and a range {step, bounds}',
  ],
  $fill: [(spec) => has(spec, 'output', isFilled), 'a document with an output'],
  $setWindowFields: [(spec) => has(spec, 'output', isFilled), 'a document with an output'],
  // operators of conditions and of expressions alike
  $in: [Array.isArray, 'a list'],
  $nin: [Array.isArray, 'a list'],
  $all: [Array.isArray, 'a list'],
};

/** Throws QueryError `invalid-query` for a stage or an operator with what it does not take, saying what it takes. */
export function checkShape(name: string, spec: QueryValue, where: string): void {
  if (!Object.hasOwn(shapes, name)) return;
  const [takes, what] = shapes[name]!;
  if (!takes(spec)) throw invalidQuery(`${where} takes ${what}, not ${described(spec)}.`);
}

const longestShown = 80;

function described(spec: QueryValue): string {
  const text = JSON.stringify(spec) ?? 'nothing';
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;
}
