import { open, type FileHandle } from 'node:fs/promises';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { newerSchema } from '../../../data-service/face/stores.ts';
import { Checkpoints } from './checkpoints.ts';
import { entryMigrations, migrations } from './schema.ts';
import { isBusy, storeErrorOf } from './sqlite-error.ts';

/** How long SQLite itself waits for another process: short, since the whole process waits with it. */
const busyTimeoutMs = 50;
/** How long a call goes on asking before it is `unavailable`. */
const lockDeadlineMs = 10_000;
const lockRetryMs = 10;
const largestGroup = 256;
/** So many pages in the write-ahead log are copied into the database: SQLite's own default. */
const checkpointPages = 1000;

export type Row = Record<string, unknown>;

interface Job {
  /** when it was asked for, by `performance.now()` */
  readonly askedMs: number;
  run(): void;
  settle(error: unknown): void;
}

/**
 * One connection. SQLite is synchronous, so work given to `read` or `write` runs to its end in one transaction without
 * awaiting. Writes that wait for each other share one commit, since that is what waits for the disk; each keeps its
 * own savepoint, so one that fails takes no other along.
 */
export class SqliteDatabase {
  readonly #path: string;
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #arrayStatements = new Map<string, StatementSync>();
  #waiting: Job[] = [];
  #writing: Promise<void> | null = null;
  #log: FileHandle | null = null;
  #checkpoints: Checkpoints | null = null;
  /** called when a transaction was undone: what was remembered from within it is void */
  onUndone: () => void = () => {};

  private constructor(path: string, readOnly = false) {
    this.#path = path;
    this.#database = connect(path, readOnly);
  }

  /** Opens or makes the database and brings its schema up to date. @throws StoreError */
  static async open(path: string): Promise<SqliteDatabase> {
    const database = await untilUnlocked(path, () => new SqliteDatabase(path));
    try {
      await untilUnlocked(path, () => database.#migrate());
      database.#checkpointElsewhere();
    } catch (error) {
      database.#database.close();
      throw error;
    }
    return database;
  }

  /** A connection that cannot write to a database that is up to date. @throws StoreError */
  static openForReading(path: string): Promise<SqliteDatabase> {
    return untilUnlocked(path, () => new SqliteDatabase(path, true));
  }

  /** Runs `work` on one unchanging state. */
  read<T>(work: () => T): Promise<T> {
    return untilUnlocked(this.#path, () => {
      this.#database.exec('BEGIN');
      try {
        return work();
      } finally {
        this.#endRead();
      }
    });
  }

  /**
   * What `work` yields, all of it on one unchanging state: of this connection nothing else may be asked until the end.
   * @throws StoreError
   */
  *readAll<T>(work: () => Iterable<T>): Generator<T> {
    try {
      this.#database.exec('BEGIN');
      yield* work();
    } catch (error) {
      throw storeErrorOf(error, this.#path);
    } finally {
      this.#endRead();
    }
  }

  /** A connection of its own to the same database, which cannot write. @throws StoreError */
  openReader(): Promise<SqliteDatabase> {
    return SqliteDatabase.openForReading(this.#path);
  }

  /** Reads as `read` does, where `work` awaits: nothing else may be asked of this connection until the end. */
  async readOver<T>(work: () => Promise<T>): Promise<T> {
    try {
      this.#database.exec('BEGIN');
      return await work();
    } catch (error) {
      throw storeErrorOf(error, this.#path);
    } finally {
      this.#endRead();
    }
  }

  /** Runs `work` alone among all processes: all of it is durable when the promise resolves, none if it rejects. */
  write<T>(work: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      let result: T;
      this.#waiting.push({
        askedMs: performance.now(),
        run: () => (result = work()),
        settle: (error) => (error === null ? resolve(result) : reject(storeErrorOf(error, this.#path) as Error)),
      });
      this.#writing ??= this.#writeAll();
    });
  }

  /**
   * Reads as much as it takes on one unchanging state, on a connection of its own that cannot write, leaving this process time for
   * others between the steps that `work` yields.
   */
  async readSlowly<T>(work: (reader: SqliteDatabase) => Generator<void, T>): Promise<T> {
    const reader = await untilUnlocked(this.#path, () => new SqliteDatabase(this.#path, true));
    try {
      reader.#database.exec('BEGIN');
      const steps = work(reader);
      for (;;) {
        const step = steps.next();
        if (step.done) return step.value;
        await setImmediate();
      }
    } catch (error) {
      throw storeErrorOf(error, this.#path);
    } finally {
      reader.#database.close();
    }
  }

  all(sql: string, ...values: readonly SQLInputValue[]): Row[] {
    return this.#statement(sql).all(...values) as Row[];
  }

  /** Like `all`, row by row: what is not asked for is not read. */
  rows(sql: string, ...values: readonly SQLInputValue[]): IterableIterator<Row> {
    return this.#statement(sql).iterate(...values) as IterableIterator<Row>;
  }

  /** Like `all`, each row an array of its columns: in half the time. */
  allArrays(sql: string, ...values: readonly SQLInputValue[]): unknown[][] {
    let statement = this.#arrayStatements.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      statement.setReturnArrays(true);
      this.#arrayStatements.set(sql, statement);
    }
    return statement.all(...values) as unknown as unknown[][];
  }

  get(sql: string, ...values: readonly SQLInputValue[]): Row | undefined {
    return this.#statement(sql).get(...values) as Row | undefined;
  }

  /** Returns how many rows changed and the rowid of the last insert. */
  run(sql: string, ...values: readonly SQLInputValue[]): { readonly changes: number; readonly row: number } {
    const { changes, lastInsertRowid } = this.#statement(sql).run(...values);
    return { changes: Number(changes), row: Number(lastInsertRowid) };
  }

  get waitingWrites(): number {
    return this.#waiting.length;
  }

  /** The size of the pages that hold something; the others are written again before the file grows. */
  usedBytes(): number {
    const pragma = (name: string): number => Object.values(this.get(`PRAGMA ${name}`)!)[0] as number;
    return (pragma('page_count') - pragma('freelist_count')) * pragma('page_size');
  }

  /** Finishes the writes under way. */
  async close(): Promise<void> {
    await this.#writing;
    await this.#log?.close();
    await this.#checkpoints?.close();
    this.#database.close();
  }

  #statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) this.#statements.set(sql, (statement = this.#database.prepare(sql)));
    return statement;
  }

  async #writeAll(): Promise<void> {
    await setImmediate(); // lets the writes of this turn gather
    while (this.#waiting.length > 0) {
      const jobs = this.#waiting.splice(0, largestGroup);
      try {
        const failures = await untilUnlocked(this.#path, () => this.#commit(jobs), jobs.at(-1)!.askedMs);
        await this.#syncLog();
        for (const job of jobs) job.settle(failures.get(job) ?? null);
        await this.#checkpoint();
      } catch (error) {
        for (const job of jobs) job.settle(error);
      }
    }
    this.#writing = null;
  }

  /**
   * Puts what was committed on the disk. SQLite would wait for that itself (synchronous = FULL), and the whole process
   * with it; so it only sees to the order of its own writes (NORMAL), and writers wait here.
   */
  async #syncLog(): Promise<void> {
    // there since the first commit, for as long as a connection is open; SQLite holds no lock on this file
    this.#log ??= await open(`${this.#path}-wal`, 'r+');
    await this.#log.datasync();
  }

  /** SQLite would copy its log into the database within a commit, and wait for the disk, and the whole process with it. */
  #checkpointElsewhere(): void {
    const { version } = this.get('SELECT sqlite_version() AS version') as { version: string };
    const [major = 0, minor = 0] = version.split('.').map(Number);
    if (major < 3 || (major === 3 && minor < 51)) return; // without NOOP it cannot be told when
    this.#database.exec('PRAGMA wal_autocheckpoint = 0');
    this.#checkpoints = new Checkpoints(this.#path);
  }

  /** Writes wait for it, so that it comes to the end of a log that would grow for ever; reads go on. */
  async #checkpoint(): Promise<void> {
    if (this.#checkpoints === null) return;
    const { log, checkpointed } = this.get('PRAGMA wal_checkpoint(NOOP)') as { log: number; checkpointed: number };
    if (log - checkpointed >= checkpointPages) await this.#checkpoints.run();
  }

  /** Returns what failed by itself; throws where nothing of the group was kept. */
  #commit(jobs: readonly Job[]): Map<Job, unknown> {
    const failures = new Map<Job, unknown>();
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      for (const job of jobs) {
        this.#database.exec('SAVEPOINT job');
        try {
          job.run();
        } catch (error) {
          // a full disk may end the whole transaction, https://sqlite.org/lang_transaction.html#response_to_errors_within_a_transaction
          if (!this.#database.isTransaction) throw error;
          failures.set(job, error);
          this.#database.exec('ROLLBACK TO job');
          this.onUndone();
        }
        this.#database.exec('RELEASE job');
      }
      this.#database.exec('COMMIT');
      return failures;
    } catch (error) {
      this.onUndone();
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  #endRead(): void {
    if (this.#database.isTransaction) this.#database.exec('COMMIT');
  }

  #migrate(): void {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      const { user_version: version } = this.#database.prepare('PRAGMA user_version').get() as { user_version: number };
      if (version > migrations.length) throw newerSchema(this.#path, version, migrations.length);
      for (const migration of migrations.slice(version)) {
        this.#database.exec(migration);
        entryMigrations.get(migration)?.(this.#database);
      }
      this.#database.exec(`PRAGMA user_version = ${migrations.length}`);
      this.#database.exec('COMMIT');
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }
}

function connect(path: string, readOnly: boolean): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: busyTimeoutMs, enableForeignKeyConstraints: true, readOnly });
  try {
    // NORMAL: what is in the write-ahead log stays whole, https://sqlite.org/pragma.html#pragma_synchronous, and #syncLog
    // has it on the disk before a write resolves
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16384;');
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}

/** Tries again while another process holds the lock. @throws StoreError `unavailable` at the deadline */
async function untilUnlocked<T>(path: string, attempt: () => T, askedMs = performance.now()): Promise<T> {
  const deadline = askedMs + lockDeadlineMs;
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw storeErrorOf(error, path);
    }
    await setTimeout(lockRetryMs);
  }
}
