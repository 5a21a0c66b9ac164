import { transfer } from 'comlink';
import { groupNearDuplicates, type HashedPicture } from '../../src/datasets/health/near-duplicates.ts';
import { DatasetReader } from './engine/dataset-reader.ts';
import { PictureScans } from './engine/picture-scans.ts';
import { writeDataset } from './engine/write-dataset.ts';
import type { ImportPicture } from './protocol.ts';

export type DatasetApi = ReturnType<typeof createDatasetApi>;

/** What the dataset worker is asked for: its engine, with the bytes of pictures handed over to the page. */
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
    /** Content ids of near duplicates, a group each. @param maxDistance bits in which they may differ, 0..12 */
    groupNearDuplicates: async (pictures: readonly HashedPicture[], maxDistance: number) =>
      groupNearDuplicates(pictures, maxDistance),
  };
}
