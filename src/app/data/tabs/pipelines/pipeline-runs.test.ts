import { expect, it } from 'vitest';
import type { DataContext } from '../../context/data-context.ts';
import { PipelineRuns } from './pipeline-runs.svelte.ts';

/** A service with the runs `n` … 1. A page token is the id of the last run of the page before. */
function runsUpTo(newest: { n: number }): Pick<DataContext, 'pipelines'> {
  const listDataPipelineRuns = async ({ pageSize = 0, pageToken = '' }) => {
    const from = pageToken === '' ? newest.n : Number(pageToken) - 1;
    const ids = Array.from({ length: Math.min(pageSize, from) }, (_, index) => String(from - index));
    return { runs: ids.map((id) => ({ id })), nextPageToken: from > pageSize ? ids.at(-1)! : '' };
  };
  return { pipelines: { listDataPipelineRuns } } as unknown as Pick<DataContext, 'pipelines'>;
}

const ids = ({ runs }: PipelineRuns): number[] => runs!.map(({ id }) => Number(id));
const down = (from: number, to: number): number[] => Array.from({ length: from - to + 1 }, (_, index) => from - index);

it('pages to the first run, and keeps what was paged when new ones come', async () => {
  const newest = { n: 60 };
  const runs = new PipelineRuns(runsUpTo(newest), 'p');
  await runs.refresh();
  expect([ids(runs), runs.hasMore]).toEqual([down(60, 36), true]);
  await runs.more();
  expect(ids(runs)).toEqual(down(60, 11));
  newest.n = 62;
  await runs.refresh();
  expect([ids(runs), runs.hasMore]).toEqual([down(62, 11), true]);
  await runs.more();
  expect([ids(runs), runs.hasMore]).toEqual([down(62, 1), false]);
});

it('begins anew where more have come than it read', async () => {
  const newest = { n: 30 };
  const runs = new PipelineRuns(runsUpTo(newest), 'p');
  await runs.refresh();
  newest.n = 90;
  await runs.refresh();
  expect(ids(runs)).toEqual(down(90, 66));
  await runs.more();
  expect(ids(runs)).toEqual(down(90, 41));
});
