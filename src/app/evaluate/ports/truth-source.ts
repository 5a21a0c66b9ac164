import type { LabelPair } from '../../../evidence/datasets/face/labels.ts';
import type { NormalizedBox } from '../../../machine/vision/face/results.ts';

/** A box of the truth, in fractions of the stored image. */
export interface TruthBox extends NormalizedBox {
  readonly label: string;
  /** A model made the box: a person accepted it since, or never looked at it. */
  readonly isModelMade: boolean;
  /** whether the object counts neither as found nor as missed, and no detection there is false */
  readonly isIgnored?: boolean;
  /** many objects that nobody told apart: none is missed, and what is found within is not false */
  readonly isCrowd?: boolean;
  /** area of the object in px² of the stored image, as a mask has it; absent: width × height */
  readonly areaPx?: number;
}

/** An image with its truth. */
export interface TruthImage {
  readonly id: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly boxes: readonly TruthBox[];
  /** labels of the whole image, then its tags, which are the labels in a machine's own data; for classifiers */
  readonly labels: readonly string[];
  /** images of one video or burst, or of one camera and minute, share it; '': a single image */
  readonly sequence: string;
}

/** Images that belong together. */
export interface TruthDataset {
  readonly id: string;
  readonly name: string;
  /** the app's sample photographs */
  readonly isSample?: boolean;
}

/** Where images with their truth come from. Every call rejects with the words of what failed. */
export interface TruthSource {
  sets(signal: AbortSignal): Promise<readonly TruthDataset[]>;
  /** All images of a set, those of a sequence in its order. */
  images(setId: string, signal: AbortSignal): Promise<readonly TruthImage[]>;
  /** The bytes of images of a set by id; images that were deleted meanwhile are left out. */
  bytes(
    setId: string,
    ids: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, Uint8Array<ArrayBuffer>>>;
  /** Labels of a set that models call by other names, as they are kept with it; null: nothing can be kept with this set. */
  pairs(setId: string, signal: AbortSignal): Promise<readonly LabelPair[] | null>;
  /** Keeps them with the set, in place of those that are there. Only for sets of which `pairs` gives some. */
  keepPairs(setId: string, pairs: readonly LabelPair[]): Promise<void>;
  /** Where a person corrects the boxes of an image; `order`: where one goes on to the image whose turn is next. */
  editorHref(setId: string, imageId: string, order?: string): string;
}
