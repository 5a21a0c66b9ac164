import { expect, it } from 'vitest';
import { startTime, uploadPicture } from '../../../../../tests/data-service-fixture.ts';
import { openDataTab } from '../../../../../tests/data-tab-fixture.ts';
import { datasetTruth } from './dataset-truth.ts';

const { signal } = new AbortController();

it('offers datasets, and all images on which a person drew boxes', async () => {
  const { context, service } = await openDataTab();
  const { data, datasets } = service.owner;
  const truth = datasetTruth({ client: service.owner as never, home: context.home });
  const ids: string[] = [];
  for (const pixels of ['a', 'b', 'c']) ids.push(await uploadPicture(service.owner, {}, startTime, pixels));
  const [drawn, guessed] = ids as [string, string, string];
  const { organizationId } = context.home;
  const { id: datasetId } = await datasets.createDataset({ name: 'Yard', organizationId });
  await data.addBinaryDataToDatasetByIDs({ binaryDataIds: [guessed], datasetId });
  expect(await truth.sets(signal)).toEqual([{ id: datasetId, name: 'Yard' }]);

  const place = { xMinNormalized: 0, yMinNormalized: 0, xMaxNormalized: 0.5, yMaxNormalized: 0.5 };
  await data.addBoundingBoxToImageByID({ binaryDataId: drawn, label: 'cat', ...place });
  await data.addBoundingBoxToImageByID({ binaryDataId: guessed, label: 'dog', confidence: 0.4, ...place });
  const sets = await truth.sets(signal);
  expect(sets.map(({ name }) => name)).toEqual(['Yard', 'All images with drawn boxes']);
  const all = await truth.images(sets[1]!.id, signal);
  expect(all.map(({ id, boxes }) => [id, boxes.map(({ label }) => label)])).toEqual([[drawn, ['cat']]]);
  expect(truth.editorHref(sets[1]!.id, drawn)).toBe(`#/data/images/${encodeURIComponent(drawn)}/edit`);
  const own = await truth.images(datasetId, signal);
  expect(own.map(({ id, boxes }) => [id, boxes[0]!.isModelMade])).toEqual([[guessed, true]]);
});

it('reads boxes when those are stored that the editor is saving, and not before', async () => {
  const { context, service } = await openDataTab();
  const { data, datasets } = service.owner;
  const binaryDataId = await uploadPicture(service.owner, {}, startTime, 'a');
  const { id: datasetId } = await datasets.createDataset({ name: 'Yard', organizationId: context.home.organizationId });
  await data.addBinaryDataToDatasetByIDs({ binaryDataIds: [binaryDataId], datasetId });
  const place = { xMinNormalized: 0, yMinNormalized: 0, xMaxNormalized: 0.5, yMaxNormalized: 0.5 };
  const name = `sightglass:boxes:${binaryDataId}`;
  const locks = {
    query: async () => ({ held: [{ name }] }),
    // The lock is given once the editor has stored the box.
    request: async () => void (await data.addBoundingBoxToImageByID({ binaryDataId, label: 'cat', ...place })),
  } as unknown as LockManager;
  const truth = datasetTruth({ client: service.owner as never, home: context.home }, locks);
  expect((await truth.images(datasetId, signal)).map(({ boxes }) => boxes.length)).toEqual([1]);
});

it('takes what one camera captured in one minute as one unit', async () => {
  const { context, service } = await openDataTab();
  const { owner } = service;
  const truth = datasetTruth({ client: owner as never, home: context.home });
  // The first two in one minute, long before they are received.
  const times = [-120, -61, -60].map((seconds) => startTime + seconds * 1e6);
  const ids: string[] = [];
  for (const at of times) ids.push(await uploadPicture(owner, { componentName: 'cam' }, at, String(at)));
  const { id: datasetId } = await owner.datasets.createDataset({
    name: 'Yard',
    organizationId: context.home.organizationId,
  });
  await owner.data.addBinaryDataToDatasetByIDs({ binaryDataIds: ids, datasetId });
  const units = new Map((await truth.images(datasetId, signal)).map(({ id, sequence }) => [id, sequence]));
  const [first, same, next] = ids.map((id) => units.get(id)!);
  expect([first, first === same, first === next]).toEqual([expect.stringMatching(/^minute .+cam$/s), true, false]);
});
