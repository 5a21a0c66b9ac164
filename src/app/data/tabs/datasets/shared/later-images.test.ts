import { expect, it } from 'vitest';
import { uploadPicture } from '../../../../../../tests/data-service-fixture.ts';
import { openDataTab } from '../../../../../../tests/data-tab-fixture.ts';
import { emptyFilter } from '../../../shared/filters/data-filter.ts';
import { DatasetReading } from './dataset-reading.svelte.ts';
import { LaterImages } from './later-images.svelte.ts';

const engine = {
  knownScans: () => Promise.resolve(new Map()),
  scan: () => Promise.resolve([]),
  groupNearDuplicates: () => Promise.resolve([]),
};

it('are those of the dataset, or all that match a filter', async () => {
  const { context, service } = await openDataTab();
  const { data, datasets } = service.owner;
  const ids: string[] = [];
  for (let at = 0; at < 3; at++) ids.push(await uploadPicture(service.owner));
  await data.addTagsToBinaryDataByIDs({ binaryDataIds: [ids[1]!, ids[2]!], tags: ['night'] });
  const box = { label: 'cup', xMinNormalized: 0, yMinNormalized: 0, xMaxNormalized: 1, yMaxNormalized: 1 };
  await data.addBoundingBoxToImageByID({ binaryDataId: ids[2]!, ...box });
  const { id } = await datasets.createDataset({ name: 'Day', organizationId: 'a' });
  await data.addBinaryDataToDatasetByIDs({ binaryDataIds: [ids[0]!], datasetId: id });
  const reading = new DatasetReading(context, engine, id);
  await reading.read();
  const later = new LaterImages(context, engine, reading);
  const nameOf = () => later.nameOf('Day', (one) => one);
  const read = () => later.reading.pictures!.map(({ contentId }) => contentId);
  expect(read()).toEqual([ids[0]]);
  expect(nameOf()).toBe('Day');

  await later.choose('filter');
  expect(read()).toEqual(ids);
  expect(nameOf()).toBe('all images');
  await later.setFilter({ ...emptyFilter, tags: ['night'] });
  expect(read()).toEqual([ids[1], ids[2]]);
  expect(nameOf()).toBe('the filter Tag night');
  // What the service's filter cannot say is looked at here.
  await later.setFilter({ ...emptyFilter, tags: ['night'], boxesMin: '1' });
  expect(read()).toEqual([ids[2]]);
  await later.choose('dataset');
  expect(later.reading).toBe(reading);
  await later.choose('filter');
  expect(later.reading.pictures).toHaveLength(1);
});
