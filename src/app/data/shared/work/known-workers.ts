import { createClient } from '@connectrpc/connect';
import { AuditService } from '../../../../gen/sightglass/audit/v1/audit_pb.ts';
import type { DataContext } from '../../context/data-context.ts';
import { ownWorker, sameWorker, type OwnAccess, type Worker } from './own-worker.ts';

/** Kinds of actors that label: the service itself and who works at a terminal do not. */
const labelling: readonly string[] = ['person', 'key', 'browser'];

/** Everyone to whom an image can be assigned, oneself first: who has changed something here. */
export async function knownWorkers(
  context: Pick<DataContext, 'transport' | 'home'> & OwnAccess,
  signal: AbortSignal,
): Promise<readonly Worker[]> {
  const me = ownWorker(context);
  const { organizationId } = context.home;
  const actors = await createClient(AuditService, context.transport)
    .listActors({ organizationId }, { signal })
    .then((answer) => answer.actors.filter(({ kind }) => labelling.includes(kind)))
    .catch(() => []); // whoever may not ask for others can still label
  const others = actors.filter((actor) => !sameWorker(actor, me)).map(({ kind, id, name }) => ({ kind, id, name }));
  return [{ ...me, name: actors.find((actor) => sameWorker(actor, me))?.name ?? '' }, ...others];
}
