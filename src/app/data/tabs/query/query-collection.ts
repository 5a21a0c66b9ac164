import type { QueryLanguage } from './query-draft.ts';

/** A query that is saved under a name. */
export interface CollectedQuery {
  readonly id: string;
  readonly name: string;
  readonly text: string;
  /** one line about the query: its stages (MQL) or its first words (SQL) */
  readonly summary: string;
}

/** Reverts a change. */
export type Undo = () => Promise<void>;

/** The saved queries of one language, with unique names, sorted by name. */
export interface QueryCollection {
  readonly language: QueryLanguage;
  /** null until they are read */
  readonly queries: readonly CollectedQuery[] | null;
  read(signal?: AbortSignal): Promise<void>;
  /** Saves a text under a name; replaces the query that has this name already. */
  save(name: string, text: string): Promise<Undo>;
  rename(query: CollectedQuery, name: string): Promise<Undo>;
  delete(query: CollectedQuery): Promise<Undo>;
}

export const inOrderOfNames = (queries: readonly CollectedQuery[]): CollectedQuery[] =>
  queries.toSorted((a, b) => a.name.localeCompare(b.name));
