import { createHash } from 'node:crypto';
import type { BinaryFilter, CaptureFilter } from '../../../data-service/face/captures.ts';
import { parseStreamKey, streamKey, streamMatches, type CaptureStream } from '../../data-store/capture-stream.ts';
import { advisoryLock } from './advisory-lock.ts';
import type { Statements } from './postgres-database.ts';

/** Organizations whose streams are remembered, those asked for last. */
const mostOrganizations = 1000;

interface KnownStreams {
  readonly byId: Map<number, CaptureStream>;
  readonly idByKey: Map<string, number>;
  newest: number;
}

/**
 * The streams of one collection. They are only ever added, and those of an organization become visible in the order of their ids
 * (`schema.ts`), so what is remembered stays true, and what another host has added is what has larger ids.
 */
export class PostgresStreams {
  readonly #collection: string;
  readonly #known = new Map<string, KnownStreams>();

  constructor(collection: string) {
    this.#collection = collection;
  }

  /** The streams of an organization by id, as a transaction sees them before it adds any. */
  async ofOrganization(statements: Statements, organizationId: string): Promise<ReadonlyMap<number, CaptureStream>> {
    return (await this.#readNew(statements, organizationId)).byId;
  }

  /** Those of an organization, read again only where one of `ids` is new. */
  async withIds(
    statements: Statements,
    organizationId: string,
    ids: readonly number[],
  ): Promise<ReadonlyMap<number, CaptureStream>> {
    const { byId } = this.#of(organizationId);
    return ids.every((id) => byId.has(id)) ? byId : this.ofOrganization(statements, organizationId);
  }

  /** The streams that a filter takes, and how many its organization has. */
  async matching(
    statements: Statements,
    filter: CaptureFilter & Partial<BinaryFilter>,
  ): Promise<{ readonly matching: readonly number[]; readonly total: number }> {
    const own = await this.ofOrganization(statements, filter.organizationId);
    const matching = [...own].filter(([, stream]) => streamMatches(filter, stream)).map(([id]) => id);
    return { matching, total: own.size };
  }

  /**
   * The ids of streams, added where they are new: once within a write, since what it has added is remembered only when it is read
   * after the commit. Other writes that add streams of the organization wait for its end.
   */
  async idsOf(statements: Statements, streams: readonly CaptureStream[]): Promise<readonly number[]> {
    const named = new Map<CaptureStream, string>();
    for (const stream of streams) if (!named.has(stream)) named.set(stream, streamKey(stream));
    const keys = streams.map((stream) => named.get(stream)!);
    const organizationIds = streams.map(({ organizationId }) => organizationId);
    const ids = new Map<string, number>();
    for (const organizationId of [...new Set(organizationIds)].sort()) {
      const wanted = new Set(keys.filter((_, index) => organizationIds[index] === organizationId));
      const isKnown = [...wanted].every((key) => this.#of(organizationId).idByKey.has(key));
      const { idByKey } = isKnown ? this.#of(organizationId) : await this.#readNew(statements, organizationId);
      const added = [...wanted].filter((key) => !idByKey.has(key));
      for (const key of wanted) ids.set(key, idByKey.get(key) ?? 0);
      if (added.length > 0)
        for (const [key, id] of await this.#add(statements, organizationId, added)) ids.set(key, id);
    }
    return keys.map((key) => ids.get(key)!);
  }

  async #add(
    statements: Statements,
    organizationId: string,
    keys: readonly string[],
  ): Promise<ReadonlyMap<string, number>> {
    await advisoryLock(statements, 'streams', this.#collection, organizationId);
    const digests = keys.map((key) => createHash('sha256').update(key).digest('base64'));
    await statements.run(
      `INSERT INTO streams (organization_id, collection, digest, key)
       SELECT $1, $2, digest, key FROM unnest($3::text[], $4::text[]) AS added (digest, key)
       ON CONFLICT (organization_id, collection, digest) DO NOTHING`,
      organizationId,
      this.#collection,
      digests,
      keys,
    );
    const found = await statements.rows(
      'SELECT id, key FROM streams WHERE organization_id = $1 AND collection = $2 AND digest = ANY($3)',
      organizationId,
      this.#collection,
      digests,
    );
    return new Map(found.map(({ id, key }) => [key as string, id as number]));
  }

  async #readNew(statements: Statements, organizationId: string): Promise<KnownStreams> {
    const known = this.#of(organizationId);
    const found = await statements.rows(
      'SELECT id, key FROM streams WHERE organization_id = $1 AND collection = $2 AND id > $3 ORDER BY id',
      organizationId,
      this.#collection,
      known.newest,
    );
    for (const { id, key } of found as readonly { readonly id: number; readonly key: string }[]) {
      known.byId.set(id, parseStreamKey(key));
      known.idByKey.set(key, id);
      known.newest = Math.max(known.newest, id);
    }
    return known;
  }

  #of(organizationId: string): KnownStreams {
    const known = this.#known.get(organizationId) ?? { byId: new Map(), idByKey: new Map(), newest: 0 };
    this.#known.delete(organizationId);
    this.#known.set(organizationId, known);
    if (this.#known.size > mostOrganizations) this.#known.delete(this.#known.keys().next().value!);
    return known;
  }
}
