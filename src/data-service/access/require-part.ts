import type { DataServiceDependencies } from '../ports/dependencies.ts';
import type { Part } from '../ports/access-store.ts';
import { invalidArgument } from '../wire/invalid-argument.ts';
import { isWithin } from './place.ts';
import type { Principal } from '../ports/principal.ts';

/**
 * The part that a call names, which is registered where its key reaches.
 * @throws ConnectError InvalidArgument, which tells clients to stop trying
 */
export async function requirePart(
  { store }: Pick<DataServiceDependencies, 'store'>,
  principal: Principal,
  partId: string,
): Promise<Part> {
  const part = await store.access.getPart(partId);
  if (part?.organizationId === principal.organizationId && isWithin(principal, part)) return part;
  throw invalidArgument(
    `part_id is ${JSON.stringify(partId)}, which is not a part of this organization; register it first.`,
  );
}
