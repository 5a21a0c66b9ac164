import { transfer } from 'comlink';
import { groupNearDuplicates, type HashedPicture } from '../../src/datasets/health/near-duplicates.ts';
import { DatasetReader } from './engine/dataset-reader.ts';
import { PictureLooks } from './engine/picture-looks.ts';
import { writeDataset } from './engine/write-dataset.ts';
import type { ImportPicture } from './protocol.ts';

export type DatasetApi = ReturnType<typeof createDatasetApi>;

/** What the dataset worker is asked for: its engine, with the bytes of pictures handed over to the page. */
export function createDatasetApi() {
  const reader = new DatasetReader();
  const looks = new PictureLooks();
  return {
    open: reader.open.bind(reader),
    read: reader.read.bind(reader),
    items: reader.items.bind(reader),
    async picture(dataset: number, index: number): Promise<ImportPicture> {
      const picture = await reader.picture(dataset, index);
      return transfer(picture, [picture.bytes.buffer]);
    },
    close: reader.close.bind(reader),
    write: writeDataset,
    knownLooks: looks.known.bind(looks),
    look: looks.look.bind(looks),
    /** Content ids of pictures that look alike, a group each. @param maxDistance bits in which they may differ, 0..12 */
    groupAlike: async (pictures: readonly HashedPicture[], maxDistance: number) =>
      groupNearDuplicates(pictures, maxDistance),
  };
}
