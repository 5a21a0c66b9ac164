import { placeFrames, sequenceOf } from '../../../../evidence/datasets/face/items.ts';
import type { DataContext } from '../../context/data-context.ts';
import { sequenceFrames } from './stored-pictures.ts';
import { countLabels, type TrackedBox } from '../boxes/annotated-box.ts';
import type { BoxStore } from '../boxes/box-store.ts';
import { personDraftPrefix, serviceDraftPrefix } from './box-drafts.ts';
import type { FetchPicture } from './picture-cache.ts';
import { createServiceBoxStore } from './service-box-store.ts';
import { createTaskBoxStore } from './task-box-store.ts';
import { pictureOfId } from './task-pictures.ts';

/** One frame of a sequence, with the boxes stored when it was read. */
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

/** Gives the box editor its images, and stores their boxes. */
export interface ImageSource {
  readonly boxesOf: (id: string) => BoxStore;
  readonly fetch: FetchPicture;
  /** Labels in use. */
  labels(signal: AbortSignal): Promise<readonly string[]>;
  /** The number of boxes of each label on these images. */
  labelUses(ids: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, number>>;
  /** The sequence of an image; null if it belongs to none; absent if the source has no sequences. */
  sequenceOf?(id: string, signal: AbortSignal): Promise<ImageSequence | null>;
  /** Prefix of the keys of drafts: those of another source must not be saved to this one. */
  readonly draftPrefix: string;
}

/** The images of the data service, through its public operations. */
export function createServiceImages(context: Pick<DataContext, 'data' | 'home' | 'transport' | 'who'>): ImageSource {
  const { data, home, who } = context;
  return {
    boxesOf(id) {
      const { imageId, taskId } = pictureOfId(id);
      return taskId === null ? createServiceBoxStore(context, imageId) : createTaskBoxStore(context, taskId, imageId);
    },
    async fetch(id, signal) {
      const { imageId } = pictureOfId(id);
      const found = await data.binaryDataByIDs({ binaryDataIds: [imageId], includeBinary: true }, { signal });
      const image = found.data[0];
      if (!image) throw new Error('The data service has no image with this id.');
      const { fileName = '', captureMetadata } = image.metadata ?? {};
      const type = captureMetadata?.mimeType ?? '';
      return { blob: new Blob([image.binary as Uint8Array<ArrayBuffer>], { type }), name: fileName || imageId };
    },
    async labels(signal) {
      const filter = { organizationIds: [home.organizationId] };
      return (await data.boundingBoxLabelsByFilter({ filter }, { signal })).labels;
    },
    async labelUses(ids, signal) {
      const found = await data.binaryDataByIDs({ binaryDataIds: imageIdsOf(ids), includeBinary: false }, { signal });
      return countLabels(found.data.flatMap(({ metadata }) => metadata?.annotations?.bboxes ?? []));
    },
    async sequenceOf(id, signal) {
      if (pictureOfId(id).taskId !== null) return null; // the boxes of a task are not those of the frames
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
    draftPrefix: who ? personDraftPrefix(who.personId) : serviceDraftPrefix,
  };
}

const imageIdsOf = (ids: readonly string[]): string[] => [...new Set(ids.map((id) => pictureOfId(id).imageId))];
