import type { Interval } from './capture.ts';

/** Where a query reads. */
export type QuerySource =
  | { readonly kind: 'readings'; readonly interval: Interval }
  | { readonly kind: 'pipeline-sink'; readonly pipelineId: string };

/** A checked query: only allowed stages and operators are left, and `$match` of the organization is not yet in front. */
export interface Query {
  readonly organizationId: string;
  readonly source: QuerySource;
  /** each one BSON document: a stage */
  readonly stages: readonly Uint8Array[];
}

/** On whose behalf a query runs: places are shared among these. */
export interface QueryAsker {
  readonly organizationId: string;
  /** null: a user of the database, or a pipeline */
  readonly keyId: string | null;
  /** nobody waits for its answer */
  readonly isPipeline: boolean;
}

export interface QueryLimits {
  /** from its turn on; it waits as long for that at most */
  readonly deadlineMs: number;
  readonly maxRows: number;
  readonly maxMemoryBytes: number;
}

export type QueryErrorCode = 'invalid-query' | 'deadline-exceeded' | 'resource-exhausted';

/** Why a query did not come to an end; any other error is a defect. */
export class QueryError extends Error {
  override readonly name = 'QueryError';
  readonly code: QueryErrorCode;

  constructor(code: QueryErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/**
 * Runs queries where they can do no harm: in a worker that can be ended, so that the host stays live whatever the query.
 */
export interface QueryRunner {
  /** The result, each row one BSON document. Rejects with a QueryError, or with the signal's reason. */
  run(query: Query, asker: QueryAsker, limits: QueryLimits, signal: AbortSignal): Promise<readonly Uint8Array[]>;
}
