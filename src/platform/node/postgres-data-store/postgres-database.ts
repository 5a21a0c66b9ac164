import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { arrayLiteral } from './array-literal.ts';
import { copyRows, type CopiedValue } from './copied-rows.ts';
import { passedOn } from './passed-on.ts';
import { PostgresConnections } from './postgres-connections.ts';
import {
  isConnectionLost,
  isSilent,
  isUndoneByOthers,
  stateLost,
  storeErrorOf,
  unconfirmedWrite,
} from './postgres-error.ts';
import { serverAddresses } from './server-addresses.ts';

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
  /** Adds rows to a table, whose values are in the order of `columns`. */
  copy(table: string, columns: readonly string[], rows: Iterable<readonly CopiedValue[]>): Promise<void>;
}

export interface PostgresLimits {
  /** most connections of this host; the server has 100 by default, for all hosts */
  readonly connections: number;
  /** how long a call waits for a connection, a new or a free one */
  readonly connectTimeoutMs: number;
  /** how long the server works on one statement */
  readonly statementTimeoutMs: number;
  /** how long a statement waits for rows that another call has locked */
  readonly lockTimeoutMs: number;
  /** how long the host waits for an answer after the server's own limit: the network may be broken, or a commit wait for a standby */
  readonly silenceMs: number;
}

const usualLimits: PostgresLimits = {
  connections: 16,
  connectTimeoutMs: 10_000,
  statementTimeoutMs: 60_000,
  lockTimeoutMs: 10_000,
  silenceMs: 5000,
};

/** A host that hangs within a transaction must not lock rows for ever. */
const idleInTransactionMs = 60_000;
const mostAttempts = 8;
/** Any warning at COMMIT (SQLSTATE 01...) is taken to say that the commit did not wait for the standby: the server gives no other. */
const warningClass = '01';
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

/** How far a call has come, for the case that it fails. */
interface Progress {
  /** whether it had a connection */
  isConnected: boolean;
  /** whether it may be durable, though nobody said so */
  isDecided: boolean;
}

/** Connections to one database. Any number of hosts may have the same one open. */
export class PostgresDatabase {
  /** servers and database, as messages to keepers name them: without user and password */
  readonly place: string;
  readonly #connections: PostgresConnections;
  #closing: Promise<void> | null = null;

  /**
   * @param url as postgres://user:password@host:5432/database; of several servers, as postgres://one,other/database, the primary is
   * found. Connects with the first call.
   */
  constructor(url: string, given: Partial<PostgresLimits> = {}) {
    const limits = { ...usualLimits, ...given };
    const addresses = serverAddresses(url);
    if ('wrong' in addresses) throw new Error(`The address of the database cannot be used: ${addresses.wrong}.`);
    this.place = addresses.place;
    this.#connections = new PostgresConnections(addresses, {
      application_name: applicationName,
      connectionTimeoutMillis: limits.connectTimeoutMs,
      idle_in_transaction_session_timeout: idleInTransactionMs,
      keepAlive: true,
      lock_timeout: limits.lockTimeoutMs,
      max: limits.connections,
      query_timeout: limits.statementTimeoutMs + limits.silenceMs,
      statement_timeout: limits.statementTimeoutMs,
      types,
    });
  }

  /** Runs `work`, perhaps more than once, on one unchanging state. @throws StoreError */
  read<T>(work: (statements: Statements) => Promise<T>): Promise<T> {
    return this.#repeatedly(async (client) => {
      await client.query(snapshot);
      const result = await work(statementsOf(client));
      await commit(client);
      return result;
    });
  }

  /**
   * Runs `work` in one transaction: all of it is durable when the promise resolves, also on the standby that the server waits for;
   * none if it rejects, except by `unavailable`. It may run more than once, where another transaction undoes it, or the connection
   * is lost before its commit was asked for. Each statement sees what was committed before it (READ COMMITTED), so what `work`
   * decides by must be locked (FOR UPDATE, FOR KEY SHARE) or written under a unique key.
   * @throws StoreError
   */
  write<T>(work: (statements: Statements) => Promise<T>): Promise<T> {
    return this.#repeatedly(async (client, progress) => {
      await client.query(writing);
      const result = await work(statementsOf(client));
      progress.isDecided = true;
      await commit(client);
      return result;
    });
  }

  /** Reads as `read` does, where `work` gives what it finds one by one: it is at the next while one is being used. @throws StoreError */
  readAll<T>(work: (statements: Statements) => AsyncIterable<T>): AsyncGenerator<T> {
    return passedOn<T>(async (pass) => {
      let passed = 0;
      await this.read(async (statements) => {
        if (passed > 0) throw stateLost(this.place);
        for await (const value of work(statements)) {
          passed++;
          await pass(value);
        }
      });
    });
  }

  /** One statement that reads: a transaction by itself. @throws StoreError */
  rows(sql: string, ...values: readonly SqlValue[]): Promise<readonly Row[]> {
    return this.#repeatedly((client) => statementsOf(client).rows(sql, ...values));
  }

  /** How many calls wait for a connection. */
  get waiting(): number {
    return this.#connections.waiting;
  }

  /** Finishes the calls under way. */
  close(): Promise<void> {
    return (this.#closing ??= this.#connections.close());
  }

  async #repeatedly<T>(ask: (client: pg.PoolClient, progress: Progress) => Promise<T>): Promise<T> {
    for (let [attempt, losses] = [1, 0]; ; attempt++) {
      const progress: Progress = { isConnected: false, isDecided: false };
      try {
        return await this.#withClient(ask, progress);
      } catch (error) {
        // after a restart of the server, or where a balancer has cut what was idle, another connection may do
        const isCut = progress.isConnected && !progress.isDecided && isConnectionLost(error) && !isSilent(error);
        const mayDo = isUndoneByOthers(error) || (isCut && losses++ === 0);
        if (attempt >= mostAttempts || !mayDo) throw storeErrorOf(error, this.place);
      }
      await setTimeout(Math.random() * firstPauseMs * 2 ** attempt);
    }
  }

  async #withClient<T>(ask: (client: pg.PoolClient, progress: Progress) => Promise<T>, progress: Progress): Promise<T> {
    const client = await this.#connections.connect();
    progress.isConnected = true;
    const ignore = (): void => undefined; // the statement under way says it
    client.on('error', ignore);
    let isUsable = true;
    try {
      return await ask(client, progress);
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
      if (isUsable) client.release();
      else this.#connections.lose(client);
    }
  }
}

async function commit(client: pg.PoolClient): Promise<void> {
  const warnings: string[] = [];
  const onNotice = ({ code, message }: { code?: string | undefined; message?: string | undefined }): void => {
    if (code?.startsWith(warningClass)) warnings.push(message ?? '');
  };
  client.on('notice', onNotice);
  try {
    const { command } = await client.query('COMMIT');
    // a transaction whose failure `work` has caught is undone without an error
    if (command !== 'COMMIT') throw new Error(`The transaction was undone: ${command}.`);
  } finally {
    client.off('notice', onNotice);
  }
  if (warnings.length > 0) throw unconfirmedWrite(warnings.join(' '));
}

function statementsOf(client: pg.PoolClient): Statements {
  const query = (sql: string, values: readonly SqlValue[]) => client.query<Row>(sql, values.map(toDriver));
  return {
    rows: async (sql, ...values) => (await query(sql, values)).rows,
    row: async (sql, ...values) => (await query(sql, values)).rows[0],
    run: async (sql, ...values) => (await query(sql, values)).rowCount ?? 0,
    copy: (table, columns, rows) => copyRows(client, table, columns, rows),
  };
}

const toDriver = (value: SqlValue): unknown =>
  Array.isArray(value) ? arrayLiteral(value as Parameters<typeof arrayLiteral>[0]) : value;
