import { RefreshLoop } from '../../../../schedule/refresh-loop.ts';
import type { CaptureHost } from '../../../captures/capture-host.ts';

/** How much of the outbox is not sent, for the name of its tab: seen wherever one is in the data area. */
export class OutboxBadge {
  toSend: number = $state(0);
  failed: number = $state(0);

  /** Follows an outbox until the returned function is called. */
  watch(store: Pick<CaptureHost['outboxStore'], 'counts' | 'onChange'>): () => void {
    let isLeft = false;
    const loop = new RefreshLoop(async () => {
      // What fails here is told where the outbox is looked at.
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
