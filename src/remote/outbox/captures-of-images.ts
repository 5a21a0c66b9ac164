import type { CaptureStore } from '../../evidence/capture/capture-store.ts';
import type { Outbox } from './outbox.ts';
import type { OutboxStore } from './outbox-store.ts';

export interface CaptureCopies {
  readonly captures: Pick<CaptureStore, 'get' | 'remove'>;
  readonly outbox: Pick<Outbox, 'remove'>;
  readonly store: Pick<OutboxStore, 'inState' | 'ofCapture'>;
}

/** Finds which of a target's images are copies of captures that are still stored here: capture ids by image id. */
export async function capturesOfImages(
  { captures, store }: Pick<CaptureCopies, 'captures' | 'store'>,
  imageIds: ReadonlySet<string>,
  targetId: string,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const { content, serverId, targetId: sentTo } of await store.inState('sent')) {
    if (content.kind !== 'capture' || sentTo !== targetId || serverId === null || !imageIds.has(serverId)) continue;
    if (await captures.get(content.captureId)) found.set(serverId, content.captureId);
  }
  return found;
}

/**
 * Deletes captures for good, with their entries in the outbox: those that still wait are not sent. The records of
 * sent captures are deleted last, since a capture without such a record would be filed in this browser again.
 */
export async function removeCaptures(
  { captures, outbox, store }: CaptureCopies,
  captureIds: readonly string[],
): Promise<void> {
  const entries = (await Promise.all(captureIds.map((id) => store.ofCapture(id)))).flat();
  const [sent, others] = [true, false].map((isSent) =>
    entries.filter(({ state }) => (state === 'sent') === isSent).map(({ id }) => id),
  );
  await outbox.remove(others!);
  await captures.remove(captureIds);
  await outbox.remove(sent!);
}
