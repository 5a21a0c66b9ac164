import type { DataContext } from '../../data-context.ts';
import { oneForEach } from '../../../view/one-for-each.ts';
import { PendingDelete } from './pending-delete.svelte.ts';

/** What is about to be deleted from a data service: one for all tabs, so that it can be undone wherever one went. */
export const pendingDeleteOf = oneForEach(
  (context: DataContext) =>
    new PendingDelete({
      announce: (sentence) => context.announce(sentence),
      remove: (ids) => context.data.deleteBinaryDataByIDs({ binaryDataIds: [...ids] }),
      now: () => performance.now(),
      tick(run) {
        const timer = setInterval(run, 250);
        return () => clearInterval(timer);
      },
    }),
);
