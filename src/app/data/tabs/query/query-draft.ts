export type QueryLanguage = 'sql' | 'mql';

/** Where the rows of a query come from. */
export type DraftSource =
  { readonly kind: 'standard' } | { readonly kind: 'hot' } | { readonly kind: 'sink'; readonly pipelineId: string };

/** The state of the query editor. It survives a reload; a copied link carries the part of the open language. */
export interface QueryDraft {
  readonly language: QueryLanguage;
  readonly sql: string;
  readonly mql: string;
  /** source of the MQL query; SQL always reads the standard storage */
  readonly source: DraftSource;
  /** name of the saved query that runs before the MQL query; '' = none */
  readonly prefix: string;
}

export const firstDraft: QueryDraft = {
  language: 'sql',
  sql: 'SELECT component_name, COUNT(*) AS readings, MAX(time_requested) AS latest\nFROM readings\nGROUP BY component_name\nORDER BY readings DESC',
  mql: '[\n  { "$sort": { "time_requested": -1 } },\n  { "$limit": 100 }\n]',
  source: { kind: 'standard' },
  prefix: '',
};

/** Reads a stored draft from the value that `JSON.parse` returned. Missing or invalid fields get their defaults. */
export function readDraft(kept: unknown): QueryDraft {
  const { language, sql, mql, source, prefix } = (kept ?? {}) as Partial<Record<keyof QueryDraft, unknown>>;
  return {
    language: language === 'mql' ? 'mql' : 'sql',
    sql: typeof sql === 'string' ? sql : firstDraft.sql,
    mql: typeof mql === 'string' ? mql : firstDraft.mql,
    source: readSource(source),
    prefix: typeof prefix === 'string' ? prefix : '',
  };
}

function readSource(kept: unknown): DraftSource {
  const { kind, pipelineId } = (kept ?? {}) as { readonly kind?: unknown; readonly pipelineId?: unknown };
  if (kind === 'hot') return { kind };
  if (kind === 'sink' && typeof pipelineId === 'string' && pipelineId !== '') return { kind, pipelineId };
  return { kind: 'standard' };
}

/** The query part of a link that opens this draft: "?mql=…&source=sink&pipeline=…". */
export function linkOfDraft({ language, sql, mql, source, prefix }: QueryDraft): string {
  const query = new URLSearchParams({ [language]: language === 'sql' ? sql : mql });
  if (language === 'mql') {
    if (source.kind !== 'standard') query.set('source', source.kind);
    if (source.kind === 'sink') query.set('pipeline', source.pipelineId);
    if (prefix) query.set('prefix', prefix);
  }
  return `?${query}`;
}

/** The draft that a link opens: `before` with the link's fields replaced. Null if the link has no query. */
export function draftOfLink(rest: string, before: QueryDraft): QueryDraft | null {
  const query = new URLSearchParams(rest.replace(/^[^?]*/, ''));
  const sql = query.get('sql');
  const mql = query.get('mql');
  if (sql !== null) return { ...before, language: 'sql', sql };
  if (mql === null) return null;
  const source = readSource({ kind: query.get('source'), pipelineId: query.get('pipeline') });
  return { ...before, language: 'mql', mql, source, prefix: query.get('prefix') ?? '' };
}
