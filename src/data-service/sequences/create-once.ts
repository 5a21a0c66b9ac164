import { bytesToHex } from '@noble/hashes/utils.js';
import { unlessThere } from '../access/local-home.ts';
import type { DataServiceDependencies } from '../ports/dependencies.ts';
import type { Sequence } from '../ports/sequence-store.ts';

/**
 * Creates a sequence, unless one is there that is equal in every detail: a machine that got no answer sends it again. Its id is a hash of
 * its fields, so that two calls at once, on any hosts, create one.
 *
 * @returns the id of the one that was created, now or by an earlier call
 */
export async function createOnce(
  { store: { sequences }, secrets }: Pick<DataServiceDependencies, 'store' | 'secrets'>,
  sequence: Omit<Sequence, 'id'>,
): Promise<string> {
  const said = textOf(sequence);
  let changed = '';
  for (;;) {
    const digest = await secrets.sha256(new TextEncoder().encode(JSON.stringify([said, changed])));
    const id = bytesToHex(digest).slice(0, 32);
    const earlier = await sequences.get(sequence.organizationId, id);
    if (earlier === null) {
      await unlessThere(sequences.create({ ...sequence, id })); // where two calls come at once, one creates the sequence
      return id;
    }
    if (textOf(earlier) === said) return id;
    changed = id; // the sequence was changed since, and keeps its id: another one is made with the next id
  }
}

const textOf = ({ organizationId, partId, resources, tags, start, end }: Omit<Sequence, 'id'>): string =>
  JSON.stringify([
    organizationId,
    partId,
    resources.map(({ resourceName, methodName }) => [resourceName, methodName]),
    tags,
    start,
    end,
  ]);
