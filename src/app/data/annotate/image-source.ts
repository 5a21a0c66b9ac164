import { placeFrames, sequenceOf } from '../../../datasets/tracks/sequences.ts';
import type { DataContext } from '../context/data-context.ts';
import { sequenceFrames } from './stored-pictures.ts';
import { countLabels, type TrackedBox } from './annotated-box.ts';
import type { BoxStore } from './box-store.ts';
import { serviceDraftPrefix } from './box-drafts.ts';
import type { FetchPicture } from './picture-cache.ts';
import { createServiceBoxStore } from './service-box-store.ts';

/** One image of a sequence with its boxes as they were kept when it was read. */
export interface SequenceFrame {
  readonly id: string;
  readonly name: string;
  readonly at: number;
  readonly boxes: readonly TrackedBox[];
}

/** The frames of a video or a burst, in order. */
export interface ImageSequence {
  readonly name: string;
  readonly frames: readonly SequenceFrame[];
}

/** Where the box editor has its images from, and keeps their boxes. */
export interface ImageSource {
  readonly boxesOf: (id: string) => BoxStore;
  readonly fetch: FetchPicture;
  /** Labels that are in use. */
  labels(signal: AbortSignal): Promise<readonly string[]>;
  /** How many boxes of each label these images have. */
  labelUses(ids: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, number>>;
  /** The sequence that an image is a frame of, null where it is of none; left out where images are in none. */
  sequenceOf?(id: string, signal: AbortSignal): Promise<ImageSequence | null>;
  /** Under which drafts are kept: those of another source are not this one's to save. */
  readonly draftPrefix: string;
}

/** The images of the data service, by its public operations. */
export function createServiceImages({ data, home }: Pick<DataContext, 'data' | 'home'>): ImageSource {
  return {
    boxesOf: (id) => createServiceBoxStore(data, id),
    async fetch(id, signal) {
      const found = await data.binaryDataByIDs({ binaryDataIds: [id], includeBinary: true }, { signal });
      const image = found.data[0];
      if (!image) throw new Error('There is no image of this id in the data service.');
      const { fileName = '', captureMetadata } = image.metadata ?? {};
      const type = captureMetadata?.mimeType ?? '';
      return { blob: new Blob([image.binary as Uint8Array<ArrayBuffer>], { type }), name: fileName || id };
    },
    async labels(signal) {
      const filter = { organizationIds: [home.organizationId] };
      return (await data.boundingBoxLabelsByFilter({ filter }, { signal })).labels;
    },
    async labelUses(ids, signal) {
      const found = await data.binaryDataByIDs({ binaryDataIds: [...ids], includeBinary: false }, { signal });
      return countLabels(found.data.flatMap(({ metadata }) => metadata?.annotations?.bboxes ?? []));
    },
    async sequenceOf(id, signal) {
      const found = await data.binaryDataByIDs({ binaryDataIds: [id], includeBinary: false }, { signal });
      const name = sequenceOf(found.data[0]?.metadata?.captureMetadata?.tags ?? []);
      if (name === null) return null;
      const pictures = await sequenceFrames({ data, home }, name, signal);
      const frames = placeFrames(pictures).map(({ at, picture: { contentId, fileName, boxes } }) => ({
        id: contentId,
        name: fileName,
        at,
        boxes: boxes.map(({ confidence = null, ...box }) => ({ ...box, confidence })),
      }));
      return { name, frames };
    },
    draftPrefix: serviceDraftPrefix,
  };
}
