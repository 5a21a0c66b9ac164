import { createClient } from '@connectrpc/connect';
import { AuditService } from '../../../../gen/sightglass/audit/v1/audit_pb.ts';
import { PeopleService } from '../../../../gen/sightglass/people/v1/people_pb.ts';
import type { DataContext } from '../../context/data-context.ts';
import { ownWorker, sameWorker, type OwnAccess, type Worker } from './own-worker.ts';

/** Kinds of actors that label, besides people, of whom only members do: the service itself and who works at a terminal do not. */
const labelling: readonly string[] = ['key', 'browser'];

/** Who has a log-in, and may work where the data is; null: the service does not say, or has no people. */
export const readMembers = (
  { transport, home }: Pick<DataContext, 'transport' | 'home'>,
  signal: AbortSignal,
): Promise<readonly Worker[] | null> =>
  createClient(PeopleService, transport)
    .listMembers({ organizationId: home.organizationId }, { signal })
    .then(
      ({ members }) => members.map(({ personId, personName }) => ({ kind: 'person', id: personId, name: personName })),
      () => null,
    );

/**
 * Everyone to whom an image can be assigned: oneself first, then who has a log-in, then keys and others that have changed
 * something here.
 */
export async function knownWorkers(
  context: Pick<DataContext, 'transport' | 'home'> & OwnAccess,
  signal: AbortSignal,
): Promise<readonly Worker[]> {
  const { transport, home } = context;
  const request = { organizationId: home.organizationId };
  const nobody = (): readonly Worker[] => []; // whoever may not ask for others can still label
  const [members, actors] = await Promise.all([
    readMembers(context, signal),
    createClient(AuditService, transport)
      .listActors(request, { signal })
      .then((answer) => answer.actors.filter(({ kind }) => labelling.includes(kind)), nobody),
  ]);
  const me = ownWorker(context);
  const known = [...(members ?? []), ...actors].map(({ kind, id, name }) => ({ kind, id, name }));
  const others = known.filter(
    (worker, at) => !sameWorker(worker, me) && known.findIndex((one) => sameWorker(one, worker)) === at,
  );
  return [{ ...me, name: known.find((worker) => sameWorker(worker, me))?.name ?? me.name }, ...others];
}
