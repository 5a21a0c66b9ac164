import { groupNearDuplicates } from '../../../src/datasets/health/near-duplicates.ts';
import type { DatasetEngine } from '../protocol.ts';
import { DatasetReader } from './dataset-reader.ts';
import { PictureLooks } from './picture-looks.ts';
import { writeDataset } from './write-dataset.ts';

/** What the dataset worker does. */
export function createDatasetEngine(): DatasetEngine {
  const reader = new DatasetReader();
  const looks = new PictureLooks();
  return {
    open: (source) => reader.open(source),
    read: (...call) => reader.read(...call),
    items: async (...call) => reader.items(...call),
    picture: (...call) => reader.picture(...call),
    close: async (number) => reader.close(number),
    write: writeDataset,
    knownLooks: (ids) => looks.known(ids),
    look: (pictures) => looks.look(pictures),
    groupAlike: async (...call) => groupNearDuplicates(...call),
  };
}
