import { CaptureStoreError, type CaptureStore } from '../../../../evidence/capture/capture-store.ts';
import { fileNameOf } from '../../../../remote/outbox/file-name.ts';
import type { ImageBox } from '../../../../evidence/capture/capture.ts';
import { countLabels, valueOf } from '../../annotate/boxes/annotated-box.ts';
import { BoxStoreError, type BoxStore } from '../../annotate/boxes/box-store.ts';
import type { ImageSource } from '../../annotate/saving/image-source.ts';

export interface CaptureImagesPorts {
  readonly captures: Pick<CaptureStore, 'get' | 'content' | 'correct'>;
  readonly randomId: () => string;
  readonly nowMs: () => number;
  /** The labels of the bench's models. */
  readonly labels: () => readonly string[];
}

/** Lets the box editor open captures. Its corrections are stored with the capture. */
export function createCaptureImages(ports: CaptureImagesPorts): ImageSource {
  const { captures } = ports;
  return {
    boxesOf: (id) => createCaptureBoxStore(id, ports),
    async fetch(id) {
      const [capture, blob] = await Promise.all([captures.get(id), captures.content(id)]);
      if (!capture || !blob) throw new Error('This capture is no longer kept in this browser.');
      return { blob, name: fileNameOf(capture) };
    },
    labels: async () => ports.labels(),
    async labelUses(ids) {
      const found = await Promise.all(ids.map((id) => captures.get(id)));
      return countLabels(found.flatMap((capture) => capture?.boxes ?? []));
    },
    draftPrefix: 'sightglass:capture-boxes:',
  };
}

/** The boxes of one capture. */
export function createCaptureBoxStore(
  id: string,
  { captures, randomId, nowMs }: Pick<CaptureImagesPorts, 'captures' | 'randomId' | 'nowMs'>,
): BoxStore {
  const read = async (): Promise<readonly ImageBox[]> => {
    const capture = await captures.get(id);
    if (!capture) throw new BoxStoreError('missing', 'This capture is no longer kept in this browser.');
    return capture.boxes;
  };
  return {
    load: () => inWords(read),
    apply: (operation) =>
      inWords(async () => {
        const boxes = await read();
        const boxId = operation.kind === 'add' ? randomId() : operation.id;
        await captures.correct(id, { boxes: applied(boxes, boxId, operation) }, nowMs());
        return boxId;
      }),
  };
}

function applied(
  boxes: readonly ImageBox[],
  id: string,
  operation: Parameters<BoxStore['apply']>[0],
): readonly ImageBox[] {
  if (operation.kind === 'remove') return boxes.filter((box) => box.id !== id);
  const changed = { id, ...valueOf(operation.box) };
  // A changed box that was removed meanwhile is added again, because the person still sees it.
  return boxes.some((box) => box.id === id) ? boxes.map((box) => (box.id === id ? changed : box)) : [...boxes, changed];
}

async function inWords<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof CaptureStoreError)) throw error;
    throw new BoxStoreError('unavailable', error.message, { cause: error });
  }
}
