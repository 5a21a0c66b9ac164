import type { DataServiceDependencies } from '../dependencies.ts';
import type { Sequence } from '../ports/sequence-store.ts';
import { StoreError } from '../ports/store-error.ts';
import { hex } from '../wire/hex.ts';

/**
 * Creates a sequence, unless one is there that is equal in every detail: a machine that got no answer sends it again. Its id is a hash of
 * what it says, so two calls at once, on any hosts, create one.
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
    const id = hex(digest).slice(0, 32);
    const earlier = await sequences.get(sequence.organizationId, id);
    if (earlier !== null) {
      if (textOf(earlier) === said) return id;
      changed = id; // it says something else by now, and keeps its id
    } else if (await isCreated(sequences.create({ ...sequence, id }))) return id;
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

/** false: another call has created it in between. */
async function isCreated(creating: Promise<void>): Promise<boolean> {
  try {
    await creating;
    return true;
  } catch (error) {
    if (error instanceof StoreError && error.code === 'already-exists') return false;
    throw error;
  }
}
