import { createClient, createRouterTransport } from '@connectrpc/connect';
import { expect, it } from 'vitest';
import { startTime, uploadPicture } from '../../../../../tests/data-service-fixture.ts';
import { openDataTab } from '../../../../../tests/data-tab-fixture.ts';
import { LabelService } from '../../../../gen/sightglass/labels/v1/labels_pb.ts';
import { findScheme, keepSchemePairs } from '../../shared/work/scheme-labels.ts';
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

it('keeps what models call labels with the dataset, beside the labels of its scheme', async () => {
  const { context, service } = await openDataTab();
  const { owner } = service;
  const { organizationId } = context.home;
  const { id: datasetId } = await owner.datasets.createDataset({ name: 'Yard', organizationId });
  const labels = createClient(LabelService, context.transport);
  const client = { data: owner.data, datasets: owner.datasets, transport: context.transport };
  const truth = datasetTruth({ client: client as never, home: context.home });
  const pairs = [{ label: 'couch', modelLabel: 'sofa' }];
  expect(await truth.pairs(datasetId, signal)).toEqual([]);
  expect(await truth.pairs('boxed', signal)).toBeNull();
  await truth.keepPairs(datasetId, pairs);
  expect(await truth.pairs(datasetId, signal)).toEqual(pairs);
  // Such a scheme prescribes no labels to who draws boxes.
  expect(await findScheme(context, [datasetId], signal)).toBeNull();
  await truth.keepPairs(datasetId, []);
  expect((await labels.getScheme({ datasetId })).scheme).toBeUndefined();

  await labels.putScheme({ datasetId, scheme: { labels: [{ name: 'couch' }] } });
  await truth.keepPairs(datasetId, pairs);
  expect((await labels.getScheme({ datasetId })).scheme).toMatchObject({ labels: [{ name: 'couch' }], pairs });
  await truth.keepPairs(datasetId, []);
  expect((await labels.getScheme({ datasetId })).scheme).toMatchObject({ labels: [{ name: 'couch' }], pairs: [] });
});

it('keeps pairs beside what another saves in the scheme at the same moment', async () => {
  const { context, service } = await openDataTab();
  const { organizationId } = context.home;
  const { id: datasetId } = await service.owner.datasets.createDataset({ name: 'Yard', organizationId });
  const labels = createClient(LabelService, context.transport);
  let isFirst = true;
  const slow = {
    ...labels,
    putScheme: async (...given: Parameters<typeof labels.putScheme>) => {
      if (isFirst) await labels.putScheme({ datasetId, scheme: { labels: [{ name: 'theirs' }] } });
      isFirst = false;
      return labels.putScheme(...given);
    },
  };
  await keepSchemePairs(slow, datasetId, [{ label: 'couch', modelLabel: 'sofa' }]);
  expect((await labels.getScheme({ datasetId })).scheme).toMatchObject({
    labels: [{ name: 'theirs' }],
    pairs: [{ label: 'couch', modelLabel: 'sofa' }],
  });
});

it('offers nothing to keep pairs in where the data service keeps no schemes', async () => {
  const { context, service } = await openDataTab();
  const transport = createRouterTransport(() => {});
  const truth = datasetTruth({ client: { ...service.owner, transport } as never, home: context.home });
  expect(await truth.pairs('yard', signal)).toBeNull();
});
