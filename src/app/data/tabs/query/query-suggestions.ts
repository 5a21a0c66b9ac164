import { getLocation } from 'jsonc-parser';
import { offsetBelow } from '../../../../machine/config/face/json.ts';
import { allowedOperators, allowedStages } from '../../../../data-service/face/query-engine.ts';
import type { DocumentColumn } from '../../shared/documents/document-columns.ts';
import { maxMqlDepth, type Span } from './mql-text.ts';

export interface QuerySuggestion {
  /** shown in the list */
  readonly name: string;
  /** compared with the typed word */
  readonly match: string;
  readonly insert: string;
  readonly detail: string;
  /** whether it is a column of the stored rows; columns are listed before words of the language */
  readonly isColumn?: boolean;
}

export interface QuerySuggestions extends Span {
  readonly items: readonly QuerySuggestion[];
}

const keywords =
  'SELECT WITH FROM WHERE GROUP BY HAVING ORDER LIMIT OFFSET DISTINCT AS AND OR NOT IN BETWEEN LIKE IS NULL TRUE FALSE ASC DESC CASE WHEN THEN ELSE END';
const castTypes = 'INT64 FLOAT64 STRING BOOL TIMESTAMP DATE';
const timeParts = 'YEAR QUARTER MONTH WEEK ISOWEEK DAY HOUR MINUTE SECOND';
const functions: Readonly<Record<string, string>> = {
  COUNT: 'rows, or values that are there',
  SUM: 'of numbers',
  AVG: 'mean of numbers',
  MIN: 'smallest',
  MAX: 'largest',
  COALESCE: 'first that is not NULL',
  ROUND: 'ROUND(value, digits)',
  UPPER: 'in capitals',
  LOWER: 'in small letters',
  DATE_TRUNC: 'DATE_TRUNC(time, HOUR)',
  CAST: 'CAST(value AS FLOAT64)',
  SAFE_CAST: 'CAST, or NULL',
};

const sqlWords: readonly QuerySuggestion[] = [
  ...plain(keywords.split(' '), 'keyword'),
  ...plain(castTypes.split(' '), 'type'),
  ...plain(timeParts.split(' '), 'part of a time'),
  ...Object.entries(functions).map(([name, detail]) => ({ name, match: name, insert: `${name}(`, detail })),
  ...plain(['readings', 'sensorData.readings'], 'table'),
];

function plain(names: readonly string[], detail: string): QuerySuggestion[] {
  return names.map((name) => ({ name, match: name, insert: name, detail }));
}

/** Suggestions at the cursor in a SELECT: columns, keywords and functions. Null inside a string. */
export function sqlSuggestions(
  text: string,
  offset: number,
  columns: readonly DocumentColumn[],
): QuerySuggestions | null {
  const before = text.slice(0, offset);
  if (insideText(before)) return null;
  const word = /[\w.`]*$/.exec(before)![0];
  const items = columns.map(({ path, keys, types }) => ({
    name: path,
    match: path,
    insert: sqlPath({ keys }),
    detail: types.join(', '),
    isColumn: true,
  }));
  return { from: offset - word.length, to: offset, items: [...items, ...sqlWords] };
}

/** A column as SQL writes it. */
export const sqlPath = ({ keys }: Pick<DocumentColumn, 'keys'>): string =>
  keys.map((key) => (/^[A-Za-z_]\w*$/.test(key) ? key : `\`${key}\``)).join('.');

const insideText = (before: string): boolean => {
  const rest = before.replace(/'(?:[^'\\]|\\.|'')*'|--.*\n/g, '');
  return rest.includes("'") || /--.*$/.test(rest);
};

const stageShapes: Readonly<Record<string, string>> = {
  $match: '{}',
  $group: '{ "_id": null }',
  $project: '{}',
  $sort: '{ "time_requested": -1 }',
  $limit: '100',
  $skip: '0',
  $count: '"count"',
  $sample: '{ "size": 100 }',
  $unwind: '"$"',
  $addFields: '{}',
  $set: '{}',
  $unset: '""',
  $sortByCount: '"$"',
};

/** Suggestions at the cursor in a pipeline: stages, operators, and known fields, by name or as "$field". */
export function mqlSuggestions(
  text: string,
  offset: number,
  columns: readonly DocumentColumn[],
): QuerySuggestions | null {
  if (offsetBelow(text, maxMqlDepth) !== null) return null;
  const { path, isAtPropertyKey, previousNode } = getLocation(text, offset);
  const inside = previousNode && offset > previousNode.offset && offset <= previousNode.offset + previousNode.length;
  const written = /["$\w.-]*$/.exec(text.slice(0, offset))![0];
  const from = inside ? previousNode.offset : offset - written.length;
  const to = inside ? previousNode.offset + previousNode.length : offset;
  const span = { from, to };
  if (!isAtPropertyKey) {
    if (path.length === 1 && !written) return { ...span, items: [...allowedStages].map((stage) => wholeStage(stage)) };
    if (path.length < 2) return null;
    return { ...span, items: [...columns.map(reference), ...variables] };
  }
  const isStage = path.length === (typeof path[0] === 'number' ? 2 : 1);
  const key = (name: string, detail: string, value: string) => keySuggestion(name, detail, value, text.slice(to));
  if (isStage)
    return { ...span, items: [...allowedStages].map((name) => key(name, 'stage', stageShapes[name] ?? '{}')) };
  const operators = [...allowedOperators].map((name) => key(name, 'operator', ''));
  const fields = columns.map(({ path, types }) => ({ ...key(path, types.join(', '), ''), isColumn: true }));
  return { ...span, items: [...fields, ...operators] };
}

function keySuggestion(name: string, detail: string, value: string, rest: string): QuerySuggestion {
  const quoted = JSON.stringify(name);
  const insert = rest.trimStart().startsWith(':') ? quoted : `${quoted}: ${value}`;
  return { name, match: quoted, insert, detail };
}

const wholeStage = (name: string): QuerySuggestion => ({
  name,
  match: name,
  insert: `{ "${name}": ${stageShapes[name] ?? '{}'} }`,
  detail: 'stage',
});

const reference = ({ path, types }: DocumentColumn): QuerySuggestion => ({
  name: `$${path}`,
  match: `"$${path}"`,
  insert: JSON.stringify(`$${path}`),
  detail: types.join(', '),
  isColumn: true,
});

const variables: readonly QuerySuggestion[] = ['$$ROOT', '$$NOW', '$$REMOVE'].map((name) => ({
  name,
  match: `"${name}"`,
  insert: `"${name}"`,
  detail: 'variable',
}));
