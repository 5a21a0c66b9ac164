import { $max, $min } from 'mingo/operators/accumulator';
import type { AnyObject, Options } from 'mingo/types';
import { isDocument, type QueryDocument, type QueryValue, type QueryStage } from '../query-document.ts';
import { pathReader } from './path-reader.ts';
import { isScalar, valueKey } from './value-key.ts';

/** A $group that processes documents as they come and does not keep them. */
export interface PlainGroup {
  add(document: QueryDocument): void;
  /** number of groups, and of values that they hold */
  readonly held: number;
  /** The documents that the stage returns. */
  finish(): QueryDocument[];
}

/** Reads a value of the document that is being added. */
type Read = () => QueryValue;

/** One accumulator over the documents of one group. */
interface Accumulation {
  /** Adds the document that is being added. */
  add(): void;
  result(): QueryValue;
}

/** What a group reads of documents: each path once of each document, however many parts of the group read it. */
class Fields {
  #document: QueryDocument = {};
  readonly #paths: string[] = [];
  readonly #readers: ((document: QueryDocument) => QueryValue)[] = [];
  readonly #values: QueryValue[] = [];

  load(document: QueryDocument): void {
    this.#document = document;
    for (let at = 0; at < this.#readers.length; at++) this.#values[at] = this.#readers[at]!(document);
  }

  readonly whole: Read = () => this.#document;

  at(path: string): Read {
    const values = this.#values;
    let at = this.#paths.indexOf(path);
    if (at < 0) {
      at = this.#paths.push(path) - 1;
      this.#readers.push(pathReader(path));
      values.push(undefined);
    }
    return () => values[at];
  }
}

/**
 * Runs a $group of simple parts with exactly mingo's results: constants, field paths, a document of them or the
 * whole document as `_id`, and $sum, $avg, $min, $max, $first, $last and $count of field paths. Null for any other
 * $group, which mingo runs: it keeps every document and interprets every expression for each, which takes several
 * times as long.
 */
export function plainGroup(stage: QueryStage): PlainGroup | null {
  const spec = stage.$group;
  if (!isDocument(spec) || !Object.hasOwn(spec, '_id')) return null;
  const fields = new Fields();
  const groupOf = groupFinder(spec._id, fields);
  const names = Object.keys(spec).filter((name) => name !== '_id');
  const starts = names.map((name) => accumulation(spec[name], fields));
  if (groupOf === null || starts.includes(null)) return null;
  return runGroup(fields, groupOf, names, starts as readonly StartAccumulation[]);
}

type StartAccumulation = (hold: (values: number) => void) => Accumulation;

interface Group {
  readonly id: QueryValue;
  readonly accumulations: readonly Accumulation[];
}
type FindGroup = (start: (id: QueryValue) => Group) => Group;

function runGroup(
  fields: Fields,
  find: FindGroup,
  names: readonly string[],
  starts: readonly StartAccumulation[],
): PlainGroup {
  const groups: Group[] = [];
  let values = 0;
  const hold = (more: number): void => void (values += more);
  const start = (id: QueryValue): Group => {
    const group = { id, accumulations: starts.map((one) => one(hold)) };
    groups.push(group);
    return group;
  };
  return {
    add(document) {
      fields.load(document);
      for (const accumulation of find(start).accumulations) accumulation.add();
    },
    get held() {
      return values + groups.length;
    },
    finish: () =>
      groups.map(({ id, accumulations }) => {
        const row: Record<string, QueryValue> = { _id: id };
        for (const [index, name] of names.entries()) row[name] = accumulations[index]!.result();
        return row;
      }),
  };
}

/** How documents are assigned to groups; null: only mingo can do it. */
function groupFinder(id: QueryValue, fields: Fields): FindGroup | null {
  const read = reader(id, fields);
  if (read !== null) return bySingle(read);
  if (!isDocument(id)) return null;
  const names = Object.keys(id);
  if (names.length === 0 || names[0]!.startsWith('$') || names.includes('__proto__')) return null;
  const reads = names.map((name) => reader(id[name], fields));
  return reads.includes(null) ? null : byDocument(names, reads as readonly Read[]);
}

function bySingle(read: Read): FindGroup {
  const byScalar = new Map<QueryValue, Group>();
  const byKey = new Map<string, Group>();
  return (start) => {
    const id = read() ?? null;
    const groups = (isScalar(id) ? byScalar : byKey) as Map<QueryValue, Group>;
    const key = isScalar(id) ? id : valueKey(id);
    let group = groups.get(key);
    // in mingo, too, the key of a Map is the _id: a Map makes 0 of -0
    if (group === undefined) groups.set(key, (group = start(Object.is(id, -0) ? 0 : id)));
    return group;
  };
}

function byDocument(names: readonly string[], reads: readonly Read[]): FindGroup {
  const byKey = new Map<string, Group>();
  return (start) => {
    let key = '';
    for (const read of reads) key += valueKey(read());
    let group = byKey.get(key);
    if (group === undefined) {
      const id = Object.fromEntries(names.map((name, index) => [name, reads[index]!()]));
      byKey.set(key, (group = start(id)));
    }
    return group;
  };
}

/**
 * Reads a constant, a field path or the whole document, or one of these with a fallback to null; null for any other
 * expression.
 */
function reader(expression: QueryValue, fields: Fields): Read | null {
  if (!isScalar(expression)) return readerOrNull(expression, fields);
  if (expression === '$$ROOT') return fields.whole;
  if (typeof expression !== 'string' || !expression.startsWith('$')) return () => expression;
  const path = fieldPath(expression);
  return path === null ? null : fields.at(path);
}

/** The same in compiled SQL: `{ $ifNull: [expression, null] }`. */
function readerOrNull(expression: QueryValue, fields: Fields): Read | null {
  if (!isDocument(expression) || Object.keys(expression).join() !== '$ifNull') return null;
  const values = expression.$ifNull;
  if (!Array.isArray(values) || values.length !== 2 || values[1] !== null) return null;
  const read = reader(values[0], fields);
  return read && (() => read() ?? null);
}

const fieldPath = (expression: QueryValue): string | null =>
  typeof expression === 'string' && /^\$[^$]/.test(expression) ? expression.slice(1) : null;

function accumulation(spec: QueryValue, fields: Fields): StartAccumulation | null {
  if (!isDocument(spec)) return null;
  const [name, ...others] = Object.keys(spec);
  if (name === undefined || others.length > 0) return null;
  const argument = spec[name];
  if (name === '$count') return () => counting(1);
  if (name === '$sum' && typeof argument === 'number' && Number.isFinite(argument)) return () => counting(argument);
  const path = fieldPath(argument);
  const startReading = path !== null && Object.hasOwn(readingAccumulators, name) && readingAccumulators[name];
  if (!startReading) return null;
  const read = fields.at(path);
  return (hold) => startReading(read, hold);
}

const readingAccumulators: Readonly<Record<string, (read: Read, hold: (values: number) => void) => Accumulation>> = {
  $sum: (read) => {
    let sum = 0;
    return {
      add() {
        const value = read();
        if (isNumber(value)) sum += value;
      },
      result: () => sum,
    };
  },
  $avg: (read) => {
    let sum = 0;
    let count = 0;
    return {
      add() {
        const value = read();
        if (!isNumber(value)) return;
        sum += value;
        count++;
      },
      result: () => (count === 0 ? null : sum / count),
    };
  },
  // Among equals, as 0 and -0 are, sorting finds the first as the least and the last as the greatest.
  $min: (read, hold) => extreme(read, hold, (value, least) => value < least, $min),
  $max: (read, hold) => extreme(read, hold, (value, greatest) => value >= greatest, $max),
  $first: (read) => {
    let first: QueryValue;
    let isEmpty = true;
    return {
      add() {
        if (isEmpty) first = read();
        isEmpty = false;
      },
      result: () => first ?? null,
    };
  },
  $last: (read) => {
    let last: QueryValue;
    return {
      add() {
        last = read();
      },
      result: () => last ?? null,
    };
  },
};

const isNumber = (value: QueryValue): value is number => typeof value === 'number' && !Number.isNaN(value);

function counting(by: number): Accumulation {
  let count = 0;
  return { add: () => void count++, result: () => count * by };
}

/** Compares numbers; other values are left to mingo. */
function extreme(
  read: Read,
  hold: (values: number) => void,
  isBetter: (value: number, best: number) => boolean,
  byMingo: (values: AnyObject[], expression: null, options: Options) => unknown,
): Accumulation {
  const values: QueryValue[] = [];
  return {
    add() {
      values.push(read() ?? null);
      hold(1);
    },
    result() {
      if (!values.every(isNumber)) return byMingo(values as AnyObject[], null, {} as Options) as QueryValue;
      return values.reduce((best, value) => (isBetter(value, best) ? value : best));
    },
  };
}
