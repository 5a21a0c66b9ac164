import type { LabelledBox } from '../../../../evidence/capture/capture.ts';
import type { FrameSize } from '../../../../machine/vision/face/frames.ts';
import { recall, remember, type MemoryPort } from '../../../kit/memory/remembered.ts';
import { valueOf } from './annotated-box.ts';
import { isBox, readBox, storedBox } from './stored-draft.ts';

/** Copied boxes, and the size of the image that they were copied from. */
export interface CopiedBoxes {
  readonly boxes: readonly LabelledBox[];
  readonly size: FrameSize;
}

const KEY = 'annotate-copied';

/** The last copied boxes, shared by all windows of the browser and kept over a reload. */
export class BoxClipboard {
  readonly #memory: MemoryPort;

  constructor(memory: MemoryPort) {
    this.#memory = memory;
  }

  write({ boxes, size: { widthPx, heightPx } }: CopiedBoxes): void {
    remember(this.#memory, KEY, { widthPx, heightPx, boxes: boxes.map((box) => storedBox(valueOf(box))) });
  }

  /** null if nothing was copied, or this version cannot read it. */
  read(): CopiedBoxes | null {
    const { widthPx, heightPx, boxes } = (recall(this.#memory, KEY) ?? {}) as Partial<Written>;
    if (!(widthPx! > 0 && heightPx! > 0) || !Array.isArray(boxes) || boxes.length === 0) return null;
    if (!(boxes as readonly unknown[]).every((box) => typeof box === 'object' && box !== null)) return null;
    if (!boxes.every(isBox)) return null;
    return { boxes: boxes.map((box) => valueOf(readBox(box))), size: { widthPx: widthPx!, heightPx: heightPx! } };
  }
}

type Written = FrameSize & { readonly boxes: Parameters<typeof isBox>[0][] };
