import type { DataContext } from '../data/data-context.ts';
import type { BoxStore } from './box-store.ts';
import { serviceDraftPrefix } from './box-drafts.ts';
import type { FetchPicture } from './picture-shelf.ts';
import { createServiceBoxStore } from './service-box-store.ts';

/** Where the box editor has its images from, and keeps their boxes. */
export interface ImageSource {
  readonly boxesOf: (id: string) => BoxStore;
  readonly fetch: FetchPicture;
  /** Labels that are in use. */
  labels(signal: AbortSignal): Promise<readonly string[]>;
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
    draftPrefix: serviceDraftPrefix,
  };
}
