import { describe, expect, it } from 'vitest';
import { uploadPicture } from '../../../../../../tests/data-service-fixture.ts';
import { openDataTab } from '../../../../../../tests/data-tab-fixture.ts';
import { memoryStorage } from '../../../../../../tests/memory-storage.ts';
import { DatasetReading } from '../shared/dataset-reading.svelte.ts';
import { SplitPlan } from './split-plan.svelte.ts';

const engine = { knownScans: () => Promise.resolve(new Map()), scan: () => Promise.resolve([]) };
const ports = { ...engine, groupNearDuplicates: () => Promise.resolve([]) };

/** A dataset with one picture for each list of tags. */
async function openSplits(tagsOfPictures: readonly (readonly string[])[], memory = memoryStorage()) {
  const { context, service } = await openDataTab();
  const { id } = await service.owner.datasets.createDataset({ name: 'cups', organizationId: 'a' });
  const binaryDataIds: string[] = [];
  for (const tags of tagsOfPictures) {
    const binaryDataId = await uploadPicture(service.owner);
    binaryDataIds.push(binaryDataId);
    if (tags.length > 0)
      await service.owner.data.addTagsToBinaryDataByIDs({ binaryDataIds: [binaryDataId], tags: [...tags] });
  }
  await service.owner.data.addBinaryDataToDatasetByIDs({ binaryDataIds, datasetId: id });
  const reading = new DatasetReading(context, ports, id);
  const splits = new SplitPlan(context, reading, memory, id);
  await splits.findTags();
  await reading.read();
  return { splits, memory, ofAll: () => binaryDataIds.map((one) => splits.of(one)) };
}

describe('the splits of a dataset', () => {
  it('are those that its pictures are tagged with, as an import leaves them', async () => {
    const { splits, ofAll } = await openSplits([['val'], ['val', 'dusk'], ['test'], ['train']]);
    expect([splits.isOn, splits.planned?.heldCount]).toEqual([true, 4]);
    expect(ofAll()).toEqual(['val', 'val', 'test', 'train']);
  });

  it('are none where no picture is tagged so, until somebody wants them', async () => {
    const { splits, ofAll } = await openSplits([['dusk'], []]);
    expect([splits.isOn, ofAll()]).toEqual([false, [null, null]]);
    splits.change({ isOn: true, burstSeconds: 0 });
    expect([splits.isOn, ofAll()]).toEqual([true, ['train', 'train']]);
  });

  it('stay off where somebody wants none, whatever the tags say', async () => {
    const { splits, ofAll } = await openSplits([['val']]);
    splits.change({ isOn: false });
    await splits.findTags();
    expect([splits.isOn, ofAll()]).toEqual([false, [null]]);
  });
});
