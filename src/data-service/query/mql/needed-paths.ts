import { isDocument, type QueryDocument, type QueryValue, type QueryStage } from '../query-document.ts';

/**
 * The dotted paths of the source's documents that a pipeline can read; null: all. In doubt it returns null: leaving
 * out a field that is read would change the answer.
 */
export function neededPaths(stages: readonly QueryStage[]): readonly string[] | null {
  const paths = new Set<string>();
  for (const stage of stages) {
    const [[name, spec]] = Object.entries(stage) as [[string, QueryValue]];
    const end = collectStage(name, spec, paths);
    if (end === 'all') return null;
    if (end === 'last') return withoutChildren(paths);
  }
  return null;
}

/** The verdict after a stage: continue, all fields may be needed, or nothing of the source is left. */
type Verdict = 'on' | 'all' | 'last';

function collectStage(name: string, spec: QueryValue, paths: Set<string>): Verdict {
  switch (name) {
    case '$match':
      return collectMatch(spec, paths) ? 'on' : 'all';
    case '$limit':
    case '$skip':
    case '$sample':
      return 'on';
    case '$sort':
      if (!isDocument(spec)) return 'all';
      for (const path of Object.keys(spec)) paths.add(path);
      return 'on';
    case '$unset':
      return 'on';
    case '$addFields':
    case '$set':
      return collectExpression(spec, paths) ? 'on' : 'all';
    case '$count':
      return 'last';
    case '$facet':
      return collectFacet(spec, paths) ? 'last' : 'all';
    case '$group':
    case '$bucket':
    case '$bucketAuto':
    case '$sortByCount':
    case '$replaceRoot':
    case '$replaceWith':
      return collectExpression(spec, paths) ? 'last' : 'all';
    case '$project':
      return isDocument(spec) && collectProject(spec, paths) ? 'last' : 'all';
    default:
      return 'all';
  }
}

/** Compiled SQL groups without keys inside a $facet. */
function collectFacet(spec: QueryValue, paths: Set<string>): boolean {
  if (!isDocument(spec)) return false;
  return Object.values(spec).every((stages) => {
    const inner = Array.isArray(stages) ? neededPaths(stages as QueryStage[]) : null;
    for (const path of inner ?? []) paths.add(path);
    return inner !== null;
  });
}

/** False: the condition may read any field. */
function collectMatch(condition: QueryValue, paths: Set<string>): boolean {
  if (!isDocument(condition)) return false;
  return Object.entries(condition).every(([key, value]) => {
    if (key === '$expr') return collectExpression(value, paths);
    if (key === '$and' || key === '$or' || key === '$nor')
      return Array.isArray(value) && value.every((item: QueryValue) => collectMatch(item, paths));
    if (key.startsWith('$')) return false;
    paths.add(key);
    return true;
  });
}

/** An inclusion alone says which fields are left; `{a: 1, b: "$c.d"}` needs a and c.d. */
function collectProject(spec: QueryDocument, paths: Set<string>): boolean {
  return Object.entries(spec).every(([path, value]) => {
    if (path === '_id') return value === 0 || value === false;
    if (path.includes('$')) return false;
    if (value === 1 || value === true) {
      paths.add(path);
      return true;
    }
    if (value === 0 || value === false) return false;
    // a nested document may be an inclusion of its own: only expressions are understood here
    if (isDocument(value) && !Object.keys(value).every((key) => key.startsWith('$'))) return false;
    return isDocument(value) && ('$slice' in value || '$elemMatch' in value) ? false : collectExpression(value, paths);
  });
}

function collectExpression(value: QueryValue, paths: Set<string>): boolean {
  if (typeof value === 'string') {
    if (!value.startsWith('$')) return true;
    // $$NOW is harmless; $$ROOT and $$CURRENT are the whole document; any other variable was bound from an expression
    if (value.startsWith('$$')) return !/^\$\$(ROOT|CURRENT|DESCEND|KEEP|PRUNE)\b/.test(value);
    paths.add(value.slice(1));
    return true;
  }
  if (Array.isArray(value)) return value.every((item: QueryValue) => collectExpression(item, paths));
  if (!isDocument(value)) return true;
  return Object.entries(value).every(([key, inner]) => {
    if (key === '$literal') return true;
    // these name fields in other ways than by "$path"
    if (/^\$(getField|setField|unsetField|sortArray|top|bottom|topN|bottomN)$/.test(key)) return false;
    return collectExpression(inner, paths);
  });
}

function withoutChildren(paths: ReadonlySet<string>): readonly string[] {
  return [...paths].filter((path) => ![...paths].some((other) => path.startsWith(`${other}.`)));
}
