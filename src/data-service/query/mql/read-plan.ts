import type { Interval, Micros, StructValue } from '../../ports/stored-captures.ts';
import { everythingOf, type Order, type TabularFilter } from '../../ports/capture-filter.ts';
import type { FieldHint } from '../../ports/tabular-store.ts';
import { isDocument, type QueryValue, type QueryStage } from '../query-document.ts';
import { countingStage, type FromCount } from './counting-stage.ts';
import { neededPaths } from './needed-paths.ts';
import { originGroup, type FromOrigins } from './origin-group.ts';
import { topSort, type TopSort } from './top-rows.ts';

/**
 * What a query has to read of the collection `readings`. A plan only leaves out rows and fields that cannot change
 * the answer: all remaining stages run over what was read, so a plan that reads too much is slow but never wrong.
 */
export interface ReadPlan {
  readonly filter: TabularFilter;
  readonly hints: readonly FieldHint[];
  readonly order: Order;
  /**
   * Rows that are enough, Infinity for all. Descending, reading goes on to the end of the last millisecond, and the
   * pipeline gets the rows in ascending order: then its own sort breaks ties as it would over all rows.
   */
  readonly limit: number;
  /** number of leading stages that reading already applies: every row that is read passes them unchanged */
  readonly answered: number;
  /** a sort of all rows of which only the first are used; null: none */
  readonly top: TopSort | null;
  /** the result of the last answered stage from the number of rows alone; null: rows are read */
  readonly fromCount: FromCount | null;
  /** the same from the number of rows of each origin; null: that is not enough, or `fromCount` is set */
  readonly fromOrigins: FromOrigins | null;
  /** dotted paths of the documents to make; null = all */
  readonly paths: readonly string[] | null;
}

/**
 * Plans the reading for a pipeline over an organization's rows of `interval` (of the time requested).
 * `countsOrigins`: whether the store tells how many rows there are of each origin.
 */
export function planReading(
  organizationId: string,
  interval: Interval,
  stages: readonly QueryStage[],
  countsOrigins = false,
): ReadPlan {
  const matches = leading(stages, '$match');
  const reader = new ConditionReader(organizationId, interval);
  for (const stage of matches) reader.read(stage.$match);
  const rest = stages.slice(matches.length);
  const { order, limit, top } = reader.exact ? planEnd(rest) : everything;
  const fromCount = reader.exact ? countingStage(rest[0]) : null;
  const filter = reader.filter();
  const byOrigins = countsOrigins && reader.exact && fromCount === null && filter.tags.length === 0;
  const fromOrigins = byOrigins ? originGroup(rest[0]) : null;
  const answered = reader.exact ? matches.length + (fromCount || fromOrigins ? 1 : 0) : 0;
  const paths = neededPaths(stages.slice(answered));
  return { filter, hints: reader.hints(), order, limit, top, answered, fromCount, fromOrigins, paths };
}

function leading(stages: readonly QueryStage[], name: string): readonly QueryStage[] {
  const end = stages.findIndex((stage) => !(name in stage));
  return end < 0 ? stages : stages.slice(0, end);
}

/** Stages that return one document for each, in order. */
const oneForOne = new Set(['$project', '$addFields', '$set', '$unset', '$replaceRoot', '$replaceWith']);

type PlanEnd = Pick<ReadPlan, 'order' | 'limit' | 'top'>;

const everything: PlanEnd = { order: 'ascending', limit: Infinity, top: null };

/** How many rows, and in which order, are used after the first $limit. */
function planEnd(stages: readonly QueryStage[]): PlanEnd {
  const sort = stages[0]?.$sort;
  if (sort === undefined) return { ...everything, limit: firstLimit(stages) };
  const limit = firstLimit(stages.slice(1));
  const direction = timeDirection(sort);
  if (direction === null) return { ...everything, top: topSort(stages[0], limit) };
  return limit === Infinity ? everything : { order: direction === -1 ? 'descending' : 'ascending', limit, top: null };
}

/** How many documents pass the first $limit, if the stages before it treat each document alone. */
function firstLimit(stages: readonly QueryStage[]): number {
  let skipped = 0;
  for (const stage of stages) {
    const [[name, value]] = Object.entries(stage) as [[string, QueryValue]];
    if (name === '$limit' && isCount(value)) return skipped + value;
    if (name === '$skip' && isCount(value)) skipped += value;
    else if (!oneForOne.has(name)) return Infinity;
  }
  return Infinity;
}

function timeDirection(sort: QueryValue): 1 | -1 | null {
  if (!isDocument(sort) || Object.keys(sort).length !== 1) return null;
  return sort.time_requested === 1 || sort.time_requested === -1 ? sort.time_requested : null;
}

const isCount = (value: QueryValue): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

const textFields = {
  part_id: 'partId',
  robot_id: 'robotId',
  component_type: 'componentType',
  component_name: 'componentName',
  method_name: 'methodName',
} as const;

/** Collects from $match the conditions that the storage can test itself. */
class ConditionReader {
  /** whether the filter matches exactly the rows that the conditions match */
  exact = true;
  readonly #organizationId: string;
  #start: Micros | null;
  #end: Micros | null;
  #locationIds: readonly string[] = [];
  #tags: readonly string[] = [];
  readonly #texts: Partial<Record<(typeof textFields)[keyof typeof textFields], string>> = {};
  readonly #hints: FieldHint[] = [];

  constructor(organizationId: string, interval: Interval) {
    this.#organizationId = organizationId;
    this.#start = interval.start;
    this.#end = interval.end;
  }

  read(condition: QueryValue): void {
    if (!isDocument(condition)) return this.#inexact();
    for (const [key, value] of Object.entries(condition)) {
      if (key === '$and' && Array.isArray(value)) for (const item of value as readonly QueryValue[]) this.read(item);
      else if (key.startsWith('$')) this.#inexact();
      else if (isDocument(value) && Object.keys(value).some((name) => name.startsWith('$')))
        for (const [operator, operand] of Object.entries(value)) this.#readOne(key, operator, operand);
      else this.#readOne(key, '$eq', value);
    }
  }

  filter(): TabularFilter {
    return {
      ...everythingOf(this.#organizationId),
      ...this.#texts,
      locationIds: this.#locationIds,
      interval: { start: this.#start, end: this.#end },
      tags: this.#tags,
      includeInternal: false,
      additionalParameters: null,
    };
  }

  hints(): readonly FieldHint[] {
    return this.#hints;
  }

  #readOne(path: string, operator: string, operand: QueryValue): void {
    if (path === 'organization_id' && operator === '$eq' && operand === this.#organizationId) return;
    if (path === 'time_requested' && operand instanceof Date && this.#readTime(operator, operand)) return;
    if (
      Object.hasOwn(textFields, path) &&
      operator === '$eq' &&
      this.#readText(path as keyof typeof textFields, operand)
    )
      return;
    const texts = operator === '$in' ? operand : operator === '$eq' ? [operand] : undefined;
    if (path === 'location_id' && this.#locationIds.length === 0 && isTexts(texts)) this.#locationIds = texts;
    else if (path === 'tags' && this.#tags.length === 0 && isTexts(texts)) this.#tags = texts;
    else {
      this.#inexact();
      this.#hint(path, operator, operand);
    }
  }

  #readText(path: keyof typeof textFields, operand: QueryValue): boolean {
    const field = textFields[path];
    // the empty text constrains nothing in a filter
    if (typeof operand !== 'string' || operand === '' || (this.#texts[field] ?? operand) !== operand) return false;
    this.#texts[field] = operand;
    return true;
  }

  /** A document's time is its row's, cut to the millisecond: every bound lies on a whole one. */
  #readTime(operator: string, time: Date): boolean {
    const at = time.getTime() * 1000;
    if (!Number.isSafeInteger(at)) return false;
    const next = at + 1000;
    switch (operator) {
      case '$gte':
        return this.#narrow(at, null);
      case '$gt':
        return this.#narrow(next, null);
      case '$lt':
        return this.#narrow(null, at);
      case '$lte':
        return this.#narrow(null, next);
      case '$eq':
        return this.#narrow(at, next);
      default:
        return false;
    }
  }

  #narrow(start: Micros | null, end: Micros | null): true {
    if (start !== null) this.#start = this.#start === null ? start : Math.max(this.#start, start);
    if (end !== null) this.#end = this.#end === null ? end : Math.min(this.#end, end);
    return true;
  }

  #hint(path: string, operator: string, operand: QueryValue): void {
    if (typeof operand !== 'string' && typeof operand !== 'boolean' && !Number.isFinite(operand)) return;
    const value = operand as StructValue;
    const open = { path, from: null, to: null };
    if (operator === '$eq')
      this.#hints.push({ path, from: { value, inclusive: true }, to: { value, inclusive: true } });
    if (operator === '$gt') this.#hints.push({ ...open, from: { value, inclusive: false } });
    if (operator === '$gte') this.#hints.push({ ...open, from: { value, inclusive: true } });
    if (operator === '$lt') this.#hints.push({ ...open, to: { value, inclusive: false } });
    if (operator === '$lte') this.#hints.push({ ...open, to: { value, inclusive: true } });
  }

  #inexact(): void {
    this.exact = false;
  }
}

function isTexts(value: QueryValue): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string' && item !== '');
}
