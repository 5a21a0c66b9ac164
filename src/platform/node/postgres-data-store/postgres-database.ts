import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { arrayLiteral } from './array-literal.ts';
import { isConnectionLost, isUndoneByOthers, storeErrorOf } from './postgres-error.ts';

/** What a statement is given. Texts are without U+0000, which PostgreSQL does not keep: see `text-key.ts`. */
export type SqlValue = string | number | boolean | null | Uint8Array | readonly (string | number | null | Uint8Array)[];
export type Row = Readonly<Record<string, unknown>>;

/** Statements of one transaction, one after the other. */
export interface Statements {
  rows(sql: string, ...values: readonly SqlValue[]): Promise<readonly Row[]>;
  /** The first row; undefined: there is none. */
  row(sql: string, ...values: readonly SqlValue[]): Promise<Row | undefined>;
  /** Resolves to how many rows were written. */
  run(sql: string, ...values: readonly SqlValue[]): Promise<number>;
}

export interface PostgresLimits {
  /** of this host, at most; the server has 100 by default, for all hosts */
  readonly connections: number;
  /** how long a call waits for a connection, a new or a free one */
  readonly connectTimeoutMs: number;
  /** how long the server works on one statement */
  readonly statementTimeoutMs: number;
  /** how long a statement waits for rows that another call has locked */
  readonly lockTimeoutMs: number;
}

const usualLimits: PostgresLimits = {
  connections: 16,
  connectTimeoutMs: 10_000,
  statementTimeoutMs: 60_000,
  lockTimeoutMs: 10_000,
};

/** The server's time-out comes first; this one is for a server that is silent, behind a broken network. */
const silenceMs = 5000;
/** A host that hangs within a transaction must not lock rows for ever. */
const idleInTransactionMs = 60_000;
const mostAttempts = 8;
const firstPauseMs = 5;

// int8 as a number: counts, sizes and row numbers stay below 2^53. (The driver gives a text.)
const int8 = 20;
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    (oid as number) === int8 && format !== 'binary' ? Number : (pg.types.getTypeParser(oid, format) as never),
};

/** By which the server tells our sessions from others. */
export const applicationName = 'sightglass';

const snapshot = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';
const writing = 'BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE';

/** A pool of connections to one database. Any number of hosts may have the same one open. */
export class PostgresDatabase {
  /** server and database, as messages name them: without user and password */
  readonly place: string;
  readonly #pool: pg.Pool;
  #closing: Promise<void> | null = null;

  /** @param url as postgres://user:password@host:5432/database. Connects with the first call. */
  constructor(url: string, given: Partial<PostgresLimits> = {}) {
    const limits = { ...usualLimits, ...given };
    this.#pool = new pg.Pool({
      application_name: applicationName,
      connectionString: url,
      connectionTimeoutMillis: limits.connectTimeoutMs,
      idle_in_transaction_session_timeout: idleInTransactionMs,
      keepAlive: true,
      lock_timeout: limits.lockTimeoutMs,
      max: limits.connections,
      query_timeout: limits.statementTimeoutMs + silenceMs,
      statement_timeout: limits.statementTimeoutMs,
      types,
    });
    // an idle connection that ends leaves the pool by itself; the next call opens another
    this.#pool.on('error', () => undefined);
    this.place = placeOf(url);
  }

  /** Runs `work`, perhaps more than once, on one unchanging state. @throws StoreError */
  read<T>(work: (statements: Statements) => Promise<T>): Promise<T> {
    return this.#repeatedly(snapshot, work);
  }

  /**
   * Runs `work` in one transaction: all of it is durable when the promise resolves, none if it rejects. It may run more than
   * once, where another transaction undoes it. Each statement sees what was committed before it (READ COMMITTED), so what `work`
   * decides by must be locked (FOR UPDATE, FOR KEY SHARE) or written under a unique key.
   * @throws StoreError
   */
  write<T>(work: (statements: Statements) => Promise<T>): Promise<T> {
    return this.#repeatedly(writing, work);
  }

  /** One statement that reads: a transaction by itself. @throws StoreError */
  async rows(sql: string, ...values: readonly SqlValue[]): Promise<readonly Row[]> {
    try {
      return await this.#withClient((client) => statementsOf(client).rows(sql, ...values));
    } catch (error) {
      throw storeErrorOf(error, this.place);
    }
  }

  /** How many calls wait for a connection. */
  get waiting(): number {
    return this.#pool.waitingCount;
  }

  /** Finishes the calls under way. */
  close(): Promise<void> {
    return (this.#closing ??= this.#pool.end());
  }

  async #repeatedly<T>(begin: string, work: (statements: Statements) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      let hasBegun = false;
      try {
        return await this.#withClient(async (client) => {
          await client.query(begin);
          hasBegun = true;
          const result = await work(statementsOf(client));
          const { command } = await client.query('COMMIT');
          // a transaction whose failure `work` has caught is undone without an error
          if (command !== 'COMMIT') throw new Error(`The transaction was undone: ${command}.`);
          return result;
        });
      } catch (error) {
        // after a restart of the server, the pool still holds connections that have ended
        const isFresh = !hasBegun && isConnectionLost(error) && attempt < 2;
        if (attempt >= mostAttempts || !(isUndoneByOthers(error) || isFresh)) throw storeErrorOf(error, this.place);
      }
      await setTimeout(Math.random() * firstPauseMs * 2 ** attempt);
    }
  }

  async #withClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    const ignore = (): void => undefined; // the statement under way says it
    client.on('error', ignore);
    let isUsable = true;
    try {
      return await work(client);
    } catch (error) {
      isUsable =
        !isConnectionLost(error) &&
        (await client.query('ROLLBACK').then(
          () => true,
          () => false,
        ));
      throw error;
    } finally {
      client.off('error', ignore);
      client.release(!isUsable);
    }
  }
}

function statementsOf(client: pg.PoolClient): Statements {
  const query = (sql: string, values: readonly SqlValue[]) => client.query<Row>(sql, values.map(toDriver));
  return {
    rows: async (sql, ...values) => (await query(sql, values)).rows,
    row: async (sql, ...values) => (await query(sql, values)).rows[0],
    run: async (sql, ...values) => (await query(sql, values)).rowCount ?? 0,
  };
}

const toDriver = (value: SqlValue): unknown =>
  Array.isArray(value) ? arrayLiteral(value as Parameters<typeof arrayLiteral>[0]) : value;

function placeOf(url: string): string {
  const { hostname, port, pathname, searchParams } = new URL(url);
  const host = hostname || searchParams.get('host') || 'localhost';
  return `${host}${port && `:${port}`}${pathname}`;
}
