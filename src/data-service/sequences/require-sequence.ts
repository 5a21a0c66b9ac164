import type { Principal } from '../ports/principal.ts';
import type { DataStore } from '../ports/data-store.ts';
import type { Sequence } from '../ports/sequence-store.ts';
import { notFound, requireText } from '../wire/invalid-argument.ts';

/** The sequence that a call names. @throws ConnectError InvalidArgument for an empty id, NotFound */
export async function requireSequence(
  { sequences }: Pick<DataStore, 'sequences'>,
  { organizationId }: Principal,
  id: string,
  field = 'id',
): Promise<Sequence> {
  const sequence = await sequences.get(organizationId, requireText(id, field));
  if (sequence === null) throw notFound(`There is no sequence ${id}.`);
  return sequence;
}
