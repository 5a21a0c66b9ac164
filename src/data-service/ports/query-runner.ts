import type { Interval } from './stored-captures.ts';

/** What a query reads. */
export type QuerySource =
  | { readonly kind: 'readings'; readonly interval: Interval }
  | { readonly kind: 'pipeline-sink'; readonly pipelineId: string };

/**
 * A checked query: it contains only allowed stages and operators; the `$match` of the organization is added later.
 */
export interface Query {
  readonly organizationId: string;
  readonly source: QuerySource;
  /** each one BSON document: a stage */
  readonly stages: readonly Uint8Array[];
}

/** For whom a query runs: running queries are shared fairly among these. */
export interface QueryAsker {
  readonly organizationId: string;
  /** null: a user of the database endpoint, or a pipeline */
  readonly keyId: string | null;
  /** no person waits for the answer */
  readonly isPipeline: boolean;
}

export interface QueryLimits {
  /** time limit in ms from the query's turn on; it waits at most as long for its turn */
  readonly deadlineMs: number;
  readonly maxRows: number;
  readonly maxMemoryBytes: number;
}

export type QueryErrorCode = 'invalid-query' | 'deadline-exceeded' | 'resource-exhausted';

/** Why a query was ended; any other error is a defect. */
export class QueryError extends Error {
  override readonly name = 'QueryError';
  readonly code: QueryErrorCode;

  constructor(code: QueryErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Runs queries in a worker that can be terminated, so that no query can block the host. */
export interface QueryRunner {
  /** Resolves to the result, each row one BSON document. Rejects with a QueryError, or with the signal's reason. */
  run(query: Query, asker: QueryAsker, limits: QueryLimits, signal: AbortSignal): Promise<readonly Uint8Array[]>;
  /**
   * Yields the result in parts, each of BSON documents one behind the other. A part is computed when it is asked for. The limits hold for
   * each part, but the deadline for the time that all parts together take to compute. Throws as `run` rejects. Ending the iteration ends
   * the query.
   */
  stream(query: Query, asker: QueryAsker, limits: QueryLimits, signal: AbortSignal): AsyncGenerator<Uint8Array, void>;
}
