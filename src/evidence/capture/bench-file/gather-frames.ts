import type { CaptureStore } from '../capture-store.ts';
import type { RawResults } from '../../../machine/vision/face/results.ts';
import type { Capture } from '../capture.ts';
import type { SavedFrame } from './saved-bench.ts';

/**
 * Reads the chosen captures to save them. `runAside` runs the stored bytes under the plan in force, so that the
 * saved results can be reproduced to the last digit; if it is null or returns null, the results of the capture's
 * own time are saved. Captures that no longer exist are left out.
 */
export async function gatherFrames(
  ids: readonly string[],
  store: Pick<CaptureStore, 'get' | 'content' | 'raw'>,
  runAside: ((image: Blob, capture: Capture) => Promise<RawResults | null>) | null,
): Promise<SavedFrame[]> {
  const frames: SavedFrame[] = [];
  for (const id of ids) {
    const [capture, content] = await Promise.all([store.get(id), store.content(id)]);
    if (!capture || !content) continue;
    const image = new Uint8Array(await content.arrayBuffer());
    const again = runAside && (await runAside(content, capture));
    const raw = again ?? (await store.raw(id)) ?? { detections: null, classifications: null };
    const isOfImage = again !== null || capture.image.encoding === 'original';
    frames.push({ capture, image, raw, rawOf: isOfImage ? 'image' : 'live-frame' });
  }
  return frames;
}
