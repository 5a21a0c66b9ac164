import pg from 'pg';
import { databaseAway, isPoolFull, messageOf, standbyError } from './postgres-error.ts';
import type { ServerAddresses } from './server-addresses.ts';

/** How long the servers of an address have to say which of them is the primary. */
const searchMs = 3000;

/** A standby that was promoted has a larger timeline than the primary whose place it took. */
const primaryTimeline = `SELECT CASE WHEN NOT pg_is_in_recovery() THEN
  ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint END AS timeline`;

/**
 * Connections to the primary of a database, from a pool: each is asked at its beginning whether its server is one, because a name
 * or a balancer may lead to a standby. Where an address names several servers, all are asked which of them is the primary whenever
 * no connection is open, because another one may have been promoted meanwhile; of two that both say so, as where a lost one is
 * started again, it is the newer one.
 */
export class PostgresConnections {
  readonly #pools: readonly pg.Pool[];
  readonly #config: pg.PoolConfig;
  readonly #addresses: ServerAddresses;
  #primary: pg.Pool | null = null;
  #search: Promise<pg.Pool> | null = null;
  /**
   * How often a connection was lost. What was opened before the last loss is thrown away when it is next taken from the pool: when a
   * server ends or moves, all of its connections are lost, and each would fail one call more.
   */
  #losses = 0;
  readonly #lossesBefore = new WeakMap<pg.PoolClient, number>();

  constructor(addresses: ServerAddresses, config: pg.PoolConfig) {
    this.#addresses = addresses;
    this.#config = config;
    this.#pools = addresses.urls.map((connectionString) => new pg.Pool({ ...config, connectionString }));
    // an idle connection that ends leaves the pool by itself; the next call opens another
    for (const pool of this.#pools) pool.on('error', () => undefined);
  }

  /** How many calls wait for a connection. */
  get waiting(): number {
    return this.#pools.reduce((sum, { waitingCount }) => sum + waitingCount, 0);
  }

  async connect(): Promise<pg.PoolClient> {
    const [only] = this.#pools;
    if (this.#pools.length === 1) return this.#connectTo(only!);
    const asked = this.#primary !== null && this.#primary.totalCount > 0 ? this.#primary : await this.#found();
    try {
      return await this.#connectTo(asked);
    } catch (error) {
      if (isPoolFull(error)) throw error;
      if (this.#primary === asked) this.#primary = null;
      return this.#connectTo(this.#primary ?? (await this.#found()));
    }
  }

  /** Throws a connection away that was lost, and with it all that were opened before the loss. */
  lose(client: pg.PoolClient): void {
    // connections that are lost together, as when a server ends, are one loss: those opened since are good
    if (this.#lossesBefore.get(client) === this.#losses) {
      this.#losses++;
      this.#primary = null;
    }
    client.release(true);
  }

  /** Finishes the calls under way. */
  async close(): Promise<void> {
    await Promise.all(this.#pools.map((pool) => pool.end()));
  }

  async #connectTo(pool: pg.Pool): Promise<pg.PoolClient> {
    for (;;) {
      const client = await pool.connect();
      const lossesBefore = this.#lossesBefore.get(client);
      if (lossesBefore === this.#losses) return client;
      if (lossesBefore === undefined) return this.#checked(client);
      client.release(true);
    }
  }

  async #checked(client: pg.PoolClient): Promise<pg.PoolClient> {
    this.#lossesBefore.set(client, this.#losses);
    try {
      const { rows } = await client.query<{ is_standby: boolean }>('SELECT pg_is_in_recovery() AS is_standby');
      if (rows[0]!.is_standby) throw standbyError(this.#addresses.place);
      return client;
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  #found(): Promise<pg.Pool> {
    return (this.#search ??= this.#findPrimary().finally(() => (this.#search = null)));
  }

  async #findPrimary(): Promise<pg.Pool> {
    const answers = await Promise.allSettled(this.#addresses.urls.map((url) => this.#timelineOf(url)));
    const timelines = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : null) ?? 0);
    const newest = Math.max(...timelines);
    if (newest === 0) {
      const reasons = answers.map((answer) =>
        answer.status === 'fulfilled' ? 'this is a standby' : messageOf(answer.reason),
      );
      throw databaseAway(this.#addresses.place, reasons.join('; '));
    }
    return (this.#primary = this.#pools[timelines.indexOf(newest)]!);
  }

  /** Null: the server is a standby. */
  async #timelineOf(connectionString: string): Promise<number | null> {
    const { connectionTimeoutMillis = searchMs } = this.#config;
    const patience = Math.min(searchMs, connectionTimeoutMillis);
    const client = new pg.Client({
      ...this.#config,
      connectionString,
      connectionTimeoutMillis: patience,
      query_timeout: patience,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query<{ timeline: number | null }>(primaryTimeline);
      return rows[0]!.timeline;
    } finally {
      // not waited for: a server that is silent does not say goodbye
      client.end().catch(() => undefined);
    }
  }
}
