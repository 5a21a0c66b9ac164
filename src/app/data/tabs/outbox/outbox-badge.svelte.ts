import { RefreshLoop } from '../../../../base/schedule/refresh-loop.ts';
import type { CaptureHost } from '../../../captures/capture-host.ts';

/** The number of unsent entries, shown beside the name of the Outbox tab while any tab of the data area is open. */
export class OutboxBadge {
  toSend: number = $state(0);
  failed: number = $state(0);

  /** Follows an outbox until the returned function is called. */
  watch(store: Pick<CaptureHost['outboxStore'], 'counts' | 'onChange'>): () => void {
    let isLeft = false;
    const loop = new RefreshLoop(async () => {
      // A failure is ignored here: the Outbox tab shows it.
      const counts = await store.counts().catch(() => null);
      if (counts === null || isLeft) return;
      this.toSend = counts.waiting + counts.sending + counts.failed;
      this.failed = counts.failed;
    });
    const end = store.onChange(() => void loop.refresh());
    void loop.refresh();
    return () => {
      isLeft = true;
      end();
    };
  }
}
