import type { Micros } from './stored-captures.ts';

export interface SavedQuery {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  /** each one BSON document: a stage */
  readonly stages: readonly Uint8Array[];
  readonly timeCreated: Micros;
  readonly timeUpdated: Micros;
}

/** Queries kept under a name, unique in an organization. Methods are atomic and durable. */
export interface SavedQueryStore {
  /** `already-exists` for a taken name. */
  create(query: SavedQuery): Promise<void>;
  get(id: string): Promise<SavedQuery | null>;
  getByName(organizationId: string, name: string): Promise<SavedQuery | null>;
  /** Newest first, at most `limit`. */
  list(organizationId: string, limit: number): Promise<readonly SavedQuery[]>;
  /** `not-found`, or `already-exists` for a taken name. */
  update(id: string, changes: Pick<SavedQuery, 'name' | 'stages' | 'timeUpdated'>): Promise<void>;
  /** `not-found`. */
  delete(id: string): Promise<void>;
}
