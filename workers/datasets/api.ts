import { transfer } from 'comlink';
import { compareFrames, type ComparedFrames, type DriftReport } from '../../src/evidence/drift/compare-frames.ts';
import { groupNearDuplicates, type HashedPicture } from '../../src/evidence/datasets/face/health.ts';
import { dependentPictures, type PictureOfSet } from '../../src/evidence/datasets/face/independence.ts';
import { DatasetReader } from './engine/dataset-reader.ts';
import { PictureScans } from './engine/picture-scans.ts';
import { writeDataset } from './engine/write-dataset.ts';
import type { ImportPicture } from './protocol.ts';

export type DatasetApi = ReturnType<typeof createDatasetApi>;

/** The operations of the dataset worker; the bytes of pictures are transferred to the page. */
export function createDatasetApi() {
  const reader = new DatasetReader();
  const scans = new PictureScans();
  return {
    open: reader.open.bind(reader),
    join: reader.join.bind(reader),
    read: reader.read.bind(reader),
    items: reader.items.bind(reader),
    async picture(dataset: number, index: number): Promise<ImportPicture> {
      const picture = await reader.picture(dataset, index);
      return transfer(picture, [picture.bytes.buffer]);
    },
    close: reader.close.bind(reader),
    write: writeDataset,
    knownScans: scans.known.bind(scans),
    scan: scans.scan.bind(scans),
    /**
     * Groups the content ids of near-duplicate pictures.
     * @param maxDistance number of hash bits in which two pictures may differ, 0..12
     */
    groupNearDuplicates: async (pictures: readonly HashedPicture[], maxDistance: number) =>
      groupNearDuplicates(pictures, maxDistance),
    /** Finds which pictures depend on each other. */
    dependentPictures: async (pictures: readonly PictureOfSet[], isStated: boolean) =>
      dependentPictures(pictures, isStated),
    /** @param level share of false shifts among those found, 0..1 */
    compareFrames: async (frames: ComparedFrames, level: number): Promise<DriftReport> =>
      compareFrames(frames, { level }),
  };
}
