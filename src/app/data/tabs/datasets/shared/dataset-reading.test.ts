import { expect, it } from 'vitest';
import { uploadPicture } from '../../../../../../tests/data-service-fixture.ts';
import { deferred } from '../../../../../../tests/deferred.ts';
import { openDataTab } from '../../../../../../tests/data-tab-fixture.ts';
import type { PictureScan } from '../../../../../evidence/datasets/health/picture-scan.ts';
import { DatasetReading } from './dataset-reading.svelte.ts';

const scanOf = (id: string): PictureScan => ({ id, hash: null, statistics: null, sizePx: null, orientation: 1 });

it('keeps the scan that a person began while scans of earlier visits were still recalled', async () => {
  const { context, service } = await openDataTab();
  const id = await uploadPicture(service.owner);
  const { id: datasetId } = await service.owner.datasets.createDataset({ name: 'cups', organizationId: 'a' });
  await service.owner.data.addBinaryDataToDatasetByIDs({ binaryDataIds: [id], datasetId });
  const recalled = deferred<ReadonlyMap<string, PictureScan>>();
  const answers = [recalled.promise, Promise.resolve(new Map())];
  const engine = {
    knownScans: () => answers.shift()!,
    scan: (pictures: readonly { readonly id: string }[]) => Promise.resolve(pictures.map((one) => scanOf(one.id))),
    groupNearDuplicates: () => Promise.resolve([]),
  };
  const reading = new DatasetReading(context, engine, datasetId);
  await reading.read();
  const recalling = reading.recallScans();
  const scanning = reading.scan();
  await scanning;
  expect([...reading.scans!.keys()]).toEqual([id]);
  recalled.resolve(new Map());
  await recalling;
  expect([[...reading.scans!.keys()], reading.scanning, reading.isSeen]).toEqual([[id], null, true]);
});

it('says that a scan runs until it has ended, also when what was recalled comes in between', async () => {
  const { context, service } = await openDataTab();
  const id = await uploadPicture(service.owner);
  const { id: datasetId } = await service.owner.datasets.createDataset({ name: 'cups', organizationId: 'a' });
  await service.owner.data.addBinaryDataToDatasetByIDs({ binaryDataIds: [id], datasetId });
  const scanned = deferred<PictureScan[]>();
  const engine = {
    knownScans: () => Promise.resolve(new Map()),
    scan: () => scanned.promise,
    groupNearDuplicates: () => Promise.resolve([]),
  };
  const reading = new DatasetReading(context, engine, datasetId);
  await reading.read();
  const recalling = reading.recallScans();
  const scanning = reading.scan();
  await recalling;
  expect([reading.scans, reading.scanning]).toEqual([null, { doneCount: 0, count: 1 }]);
  scanned.resolve([scanOf(id)]);
  await scanning;
  expect([reading.isSeen, reading.scanning]).toEqual([true, null]);
});
