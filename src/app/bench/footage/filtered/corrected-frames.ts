import type { Capture } from '../../../../evidence/capture/capture.ts';
import type { CaptureStore } from '../../../../evidence/capture/capture-store.ts';
import type { CorrectedFrame } from '../../../../evidence/footage/filtered/kept-truth.ts';
import type { FootageOnBench } from '../../sources/footage-on-bench.ts';

const pageCaptures = 500;

/**
 * The frames of a video or folder that are kept as captures of this browser, and that a person corrected, each as it was
 * captured last. A picture whose name another one of the folder has is left out.
 * @throws the store's errors
 */
export async function correctedFrames(
  store: Pick<CaptureStore, 'page'>,
  footage: FootageOnBench,
): Promise<readonly CorrectedFrame[]> {
  const placeOf = placesIn(footage);
  const found = new Map<string, CorrectedFrame>();
  for (let before: string | null = null; ;) {
    const page: readonly Capture[] = await store.page(before, pageCaptures);
    for (const { source, correctedAtMs, boxes, classes } of page) {
      const place = correctedAtMs === null ? null : placeOf(source);
      if (place === null || found.has(place)) continue;
      found.set(place, {
        name: source.name,
        timeMs: source.timestampMs,
        boxes: boxes.map(({ label }) => label),
        classes: classes.map(({ label }) => label),
      });
    }
    if (page.length < pageCaptures) return [...found.values()];
    before = page.at(-1)!.id;
  }
}

/** Names the place of a captured frame in the footage; null: it is of another one. A frame of a video is encoded, and so is of a "live" source. */
function placesIn(footage: FootageOnBench): (source: Capture['source']) => string | null {
  if (footage.kind === 'video') return ({ name, index }) => (name === footage.name ? String(index) : null);
  const seen = new Set<string>();
  const once = new Set<string>();
  for (const { name } of footage.pictures) {
    if (seen.has(name)) once.delete(name);
    else once.add(name);
    seen.add(name);
  }
  return ({ name }) => (once.has(name) ? name : null);
}
