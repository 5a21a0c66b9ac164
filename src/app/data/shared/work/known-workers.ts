import { createClient } from '@connectrpc/connect';
import { AuditService } from '../../../../gen/sightglass/audit/v1/audit_pb.ts';
import { PeopleService } from '../../../../gen/sightglass/people/v1/people_pb.ts';
import type { DataContext } from '../../context/data-context.ts';
import { ownWorker, sameWorker, type OwnAccess, type Worker } from './own-worker.ts';

/** Kinds of actors that label, besides people, of whom only members do: the service itself and who works at a terminal do not. */
const labelling: readonly string[] = ['key', 'browser'];

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
  const nobody = (): readonly Worker[] => []; // whoever may not ask for others can still label, and a browser has no people
  const [members, actors] = await Promise.all([
    createClient(PeopleService, transport)
      .listMembers(request, { signal })
      .then((answer) => answer.members.map(({ personId, personName }) => person(personId, personName)), nobody),
    createClient(AuditService, transport)
      .listActors(request, { signal })
      .then((answer) => answer.actors.filter(({ kind }) => labelling.includes(kind)), nobody),
  ]);
  const me = ownWorker(context);
  const known = [...members, ...actors].map(({ kind, id, name }) => ({ kind, id, name }));
  const others = known.filter(
    (worker, at) => !sameWorker(worker, me) && known.findIndex((one) => sameWorker(one, worker)) === at,
  );
  return [{ ...me, name: known.find((worker) => sameWorker(worker, me))?.name ?? me.name }, ...others];
}

const person = (id: string, name: string): Worker => ({ kind: 'person', id, name });
