import type { QueryLanguage } from './query-draft.ts';

/** A query that is kept under a name. */
export interface CollectedQuery {
  readonly id: string;
  readonly name: string;
  readonly text: string;
  /** what it does, in one line: its stages, or how it begins */
  readonly summary: string;
}

/** Takes a change back. */
export type Undo = () => Promise<void>;

/** Keeps the queries of one language, each under a name of its own, in the order of their names. */
export interface QueryCollection {
  readonly language: QueryLanguage;
  /** null until they are read */
  readonly queries: readonly CollectedQuery[] | null;
  read(signal?: AbortSignal): Promise<void>;
  /** Keeps a text under a name: as a new query, or in place of what the name stood for. */
  save(name: string, text: string): Promise<Undo>;
  rename(query: CollectedQuery, name: string): Promise<Undo>;
  delete(query: CollectedQuery): Promise<Undo>;
}

export const inOrderOfNames = (queries: readonly CollectedQuery[]): CollectedQuery[] =>
  queries.toSorted((a, b) => a.name.localeCompare(b.name));
