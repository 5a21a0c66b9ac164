import type { CaptureStore } from '../capture/capture-store.ts';
import type { Outbox } from './outbox.ts';
import type { OutboxStore } from './outbox-store.ts';

export interface CaptureCopies {
  readonly captures: Pick<CaptureStore, 'get' | 'remove'>;
  readonly outbox: Pick<Outbox, 'remove'>;
  readonly store: Pick<OutboxStore, 'inState' | 'ofCapture'>;
}

/** Which images that a target stores are copies of captures that are still kept here: capture ids by image id. */
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
 * Removes captures for good, with all that the outbox has of them: what still waits is not sent. What says that a capture
 * was sent goes last, as a capture of which nothing says so is sent to this browser again.
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
