import type { Capture } from '../../../../evidence/capture/capture.ts';
import type { CaptureStore } from '../../../../evidence/capture/capture-store.ts';
import { recordedGroup } from '../../../../evidence/datasets/face/independence.ts';
import { fileNameOf } from '../../../../remote/outbox/file-name.ts';
import { editRest } from '../../../areas/edit-route.ts';
import { boxSavingPrefix } from '../../annotate/saving/box-sync.svelte.ts';
import { whenReleased } from '../../annotate/saving/when-released.ts';
import type { TruthImage, TruthSource } from '../../../evaluate/ports/truth-source.ts';

const pageCaptures = 500;
const setId = 'captures';

/** Offers the captures whose boxes a person corrected as ground truth for an evaluation. */
export function captureTruth(
  openCaptures: () => Promise<Pick<CaptureStore, 'page' | 'content'>>,
  locks: LockManager | undefined = navigator.locks,
): TruthSource {
  async function* corrected(signal: AbortSignal): AsyncGenerator<Capture> {
    const store = await openCaptures();
    for (let before: string | null = null; ;) {
      const page: readonly Capture[] = await store.page(before, pageCaptures);
      signal.throwIfAborted();
      yield* page.filter(({ correctedAtMs }) => correctedAtMs !== null);
      if (page.length < pageCaptures) return;
      before = page.at(-1)!.id;
    }
  }
  return {
    async sets(signal) {
      for await (const _ of corrected(signal)) return [{ id: setId, name: 'Captures that were corrected' }];
      return [];
    },
    async images(_, signal) {
      await whenReleased(locks, boxSavingPrefix); // what a person just corrected in the editor
      const images: TruthImage[] = [];
      for await (const capture of corrected(signal)) images.push(truthImage(capture));
      return images.reverse(); // oldest first
    },
    async bytes(_, ids, signal) {
      const store = await openCaptures();
      const found = new Map<string, Uint8Array<ArrayBuffer>>();
      for (const id of ids) {
        const content = await store.content(id);
        if (content) found.set(id, new Uint8Array(await content.arrayBuffer()));
        signal.throwIfAborted();
      }
      return found;
    },
    pairs: async () => null,
    keepPairs: () => Promise.reject(new Error('Nothing can be kept with the captures as a set.')),
    editorHref: (_, imageId) => `#/data/outbox${editRest(imageId)}`,
  };
}

function truthImage(capture: Capture): TruthImage {
  return {
    id: capture.id,
    name: fileNameOf(capture),
    sizeBytes: capture.image.sizeBytes,
    boxes: capture.boxes.map(
      ({ label, confidence, xMinNormalized, yMinNormalized, xMaxNormalized, yMaxNormalized }) => ({
        label,
        isModelMade: confidence !== null,
        xMinNormalized,
        yMinNormalized,
        xMaxNormalized,
        yMaxNormalized,
      }),
    ),
    labels: capture.classes.map(({ label }) => label),
    sequence: sequenceOf(capture),
  };
}

/**
 * The sequence that a capture belongs to: a video, or a minute of automatic captures of a live source. Its frames are
 * similar, so the evaluation treats them as one unit.
 */
function sequenceOf({ reason, source, timeRequestedMs }: Capture): string {
  if (source.kind === 'file') return recordedGroup(`file ${source.name}`, null, null);
  return reason.kind === 'person' ? '' : recordedGroup(null, timeRequestedMs, source.name);
}
