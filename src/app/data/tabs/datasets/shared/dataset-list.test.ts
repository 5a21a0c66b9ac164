import { Code, ConnectError } from '@connectrpc/connect';
import { expect, it } from 'vitest';
import { startDataService } from '../../../../../../tests/data-service-fixture.ts';
import { deferred } from '../../../../../../tests/deferred.ts';
import { DatasetList } from './dataset-list.svelte.ts';

it('says why datasets could not be read, and keeps those that were', async () => {
  const { owner } = await startDataService();
  const home = { organizationId: 'a', locationId: 'lab', partId: 'lab-part' };
  const reported: string[] = [];
  let isDown = true;
  const list = new DatasetList({
    ...owner,
    datasets: {
      ...owner.datasets,
      listDatasetsByOrganizationID: (...asked) => {
        if (isDown) return Promise.reject(new ConnectError('the host is out of reach', Code.Unavailable));
        return owner.datasets.listDatasetsByOrganizationID(...asked);
      },
    },
    home,
    announce: () => undefined,
    report: (_, what) => reported.push(what),
  });
  await owner.datasets.createDataset({ name: 'cups', organizationId: 'a' });
  await list.refresh();
  expect([list.datasets, list.failure?.message]).toEqual([null, 'the host is out of reach']);
  isDown = false;
  await list.refresh();
  expect([list.datasets?.map(({ name, count }) => [name, count]), list.failure]).toEqual([[['cups', 0]], null]);
  expect(reported).toEqual([]);
  isDown = true;
  await list.refresh();
  expect([list.datasets?.length, list.failure]).toEqual([1, null]);
  expect(reported).toEqual(['The datasets could not be listed.']);
});

it('says nothing of a list that failed after its page was left', async () => {
  const { owner } = await startDataService();
  const [asked, answer] = [deferred(), deferred<never>()];
  const reported: string[] = [];
  const list = new DatasetList({
    ...owner,
    datasets: {
      ...owner.datasets,
      listDatasetsByOrganizationID: () => {
        asked.resolve();
        return answer.promise;
      },
    },
    home: { organizationId: 'a', locationId: 'lab', partId: 'lab-part' },
    announce: () => undefined,
    report: (_, what) => reported.push(what),
  });
  const reading = list.refresh();
  await asked.promise;
  list.close();
  answer.reject(new ConnectError('the host is out of reach', Code.Unavailable));
  await reading;
  expect([list.failure, reported]).toEqual([null, []]);
});
