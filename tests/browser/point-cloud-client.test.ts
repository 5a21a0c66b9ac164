import { expect, it } from 'vitest';
import { createPointCloudClient } from '../../workers/point-cloud/client.ts';

const started: Worker[] = [];
const readPointCloud = createPointCloudClient(() => {
  const worker = new Worker(new URL('../../workers/point-cloud/entry.ts', import.meta.url), { type: 'module' });
  started.push(worker);
  return worker;
});
const unaborted = () => new AbortController().signal;

const header = ['VERSION .7', 'FIELDS x y z', 'SIZE 4 4 4', 'TYPE F F F', 'COUNT 1 1 1', 'WIDTH 2', 'HEIGHT 1'];
const cloud = new Blob([[...header, 'POINTS 2', 'DATA ascii', '1 2 3', '4 5 6', ''].join('\n')]);

it('reads a file in a worker of its own', async () => {
  const { count, positions, colors } = await readPointCloud(cloud, unaborted());
  expect([count, [...positions], colors]).toEqual([2, [1, 2, 3, 4, 5, 6], null]);
});

it('says in words what is wrong with a file', async () => {
  await expect(readPointCloud(new Blob(['ply']), unaborted())).rejects.toThrow(
    'The file does not begin as a PCD file does.',
  );
});

it('gives up at once, before and while it reads', async () => {
  const before = started.length;
  await expect(readPointCloud(cloud, AbortSignal.abort(new Error('closed')))).rejects.toThrow('closed');
  expect(started.length).toBe(before);
  const abort = new AbortController();
  const reading = readPointCloud(cloud, abort.signal);
  abort.abort(new Error('another file'));
  await expect(reading).rejects.toThrow('another file');
});
