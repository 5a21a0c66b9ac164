import type { CaptureSetup } from '../../../../evidence/capture/capture.ts';
import type { DataContext } from '../../context/data-context.ts';

const pageEntries = 500;
const mostPages = 10;

/**
 * The setup of the bench that captured an image; null if it was not captured in this browser, or the capture was
 * deleted. The outbox knows which capture a stored image came from.
 */
export async function captureSetup(
  context: Pick<DataContext, 'captures'>,
  binaryDataId: string,
): Promise<CaptureSetup | null> {
  const { captures, outboxStore } = (await context.captures.open()).captures.host;
  let before: string | null = null;
  for (let page = 0; page < mostPages; page++) {
    const entries = await outboxStore.page('sent', before, pageEntries);
    const found = entries.find(({ serverId }) => serverId === binaryDataId)?.content;
    if (found) return found.kind === 'capture' ? ((await captures.get(found.captureId))?.setup ?? null) : null;
    if (entries.length < pageEntries) return null;
    before = entries.at(-1)!.id;
  }
  return null;
}
