import type { DataContext } from '../../data-context.ts';
import { PendingDelete } from './pending-delete.svelte.ts';

const ofContexts = new WeakMap<DataContext, PendingDelete>();

/** What is about to be deleted from a data service: one for all tabs, so that it can be undone wherever one went. */
export function pendingDeleteOf(context: DataContext): PendingDelete {
  const known = ofContexts.get(context);
  if (known) return known;
  const created = new PendingDelete({
    announce: (sentence) => context.announce(sentence),
    remove: (ids) => context.data.deleteBinaryDataByIDs({ binaryDataIds: [...ids] }),
    now: () => performance.now(),
    tick(run) {
      const timer = setInterval(run, 250);
      return () => clearInterval(timer);
    },
  });
  ofContexts.set(context, created);
  return created;
}
