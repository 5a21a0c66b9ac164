import { readFileSync } from 'node:fs';
import { createGrpcWebTransport } from '@connectrpc/connect-node';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { DataType } from '../../src/gen/app/datasync/v1/data_sync_pb.ts';
import { authorizing, login } from '../clients/login.ts';
import { OperationRecord } from '../clients/operation-record.ts';
import { serveSightglass } from '../clients/sightglass-server.ts';
import { runSightglass } from '../server/run-sightglass.ts';
import { addServer } from './add-server.ts';
import { builtApp, launchPlainChromium, visit, type RunningApp } from './app.ts';
import { checkAtBothSizes } from './axe.ts';
import { openDataTab } from './open-data-tab.ts';

let app: RunningApp;
let browser: Browser;
beforeAll(async () => {
  [app, browser] = await Promise.all([builtApp(), launchPlainChromium()]);
});
afterAll(async () => {
  await browser?.close();
  await app?.close();
});

/** A server with an image, and two who have a key of it. */
async function serve() {
  const server = await serveSightglass();
  onTestFinished(() => server.close());
  const ask = ['keys', 'create', 'Ben', '--data', server.dataDir];
  const [made] = (await runSightglass(ask)).lines;
  const ben = { ...server, keyId: made!['key'] as string, key: made!['secret'] as string };
  const clientsOf = (home: Pick<typeof ben, 'keyId' | 'key'>) =>
    login(
      home,
      (authorization) =>
        createGrpcWebTransport({
          baseUrl: server.origin,
          httpVersion: '1.1',
          interceptors: [authorizing(authorization)],
        }),
      new OperationRecord(),
    );
  const clients = await clientsOf(ben);
  const value = readFileSync('public/builtin/frames/sample1.jpg');
  const { binaryDataId } = await clients.sync.dataCaptureUpload({
    metadata: { partId: server.partId, fileName: 'faces.jpg', type: DataType.BINARY_SENSOR, fileExtension: '.jpg' },
    sensorContents: [{ data: { case: 'binary', value } }],
  });
  // Whoever has changed something can be chosen.
  await clients.data.addTagsToBinaryDataByIDs({ binaryDataIds: [binaryDataId], tags: ['faces'] });

  const complaints: string[] = [];
  const open = async (home: typeof ben): Promise<Page> => {
    const opened = await visit(browser, app.url, { path: '#/data/settings', mayCall: server.origin });
    onTestFinished(() => opened.context.close());
    await addServer(opened.page, home, 'Workshop');
    await opened.page.getByRole('link', { name: 'Data of Workshop' }).waitFor();
    opened.page.on('close', () => complaints.push(...opened.complaints));
    return opened.page;
  };
  return { server, ben, clients, clientsOf, binaryDataId, open, complaints };
}

it('shows what two drew without seeing each other, takes the boxes of one, and says how far they agree', async () => {
  const { server, ben, clients, clientsOf, binaryDataId, open, complaints } = await serve();
  const own = await clientsOf(server);
  const { organizationId } = server;
  const { id: datasetId } = await own.datasets.createDataset({ organizationId, name: 'faces' });
  await own.data.addBinaryDataToDatasetByIDs({ binaryDataIds: [binaryDataId], datasetId });
  const assignees = [server, ben].map(({ keyId }, at) => ({ kind: 'key', id: keyId, name: at === 0 ? 'Ada' : 'Ben' }));
  await own.labels.assignImages({ organizationId, datasetId, assignees, mode: 'every' });
  for (const [at, { labels }] of [own, clients].entries()) {
    const { tasks } = await labels.listTasks({ organizationId, assignee: assignees[at]! });
    const box = (left: number) => ({
      label: 'face',
      xMinNormalized: left + 0.01 * at,
      yMinNormalized: 0.3,
      xMaxNormalized: left + 0.1,
      yMaxNormalized: 0.5,
    });
    const boxes = at === 0 ? [box(0.22), box(0.45)] : [box(0.22)];
    const { task } = await labels.setTaskBoxes({ id: tasks[0]!.id, version: tasks[0]!.version, boxes });
    await labels.setTaskState({ id: task!.id, version: task!.version, state: 'done' });
  }

  const page = await open(server);
  await page.goto(`${app.url}#/data/datasets/${datasetId}/work`);
  const table = page.getByRole('table', { name: 'Agreement by label' });
  await table.getByRole('row', { name: /^face 1 (1 2|2 1) 1 0\.67/ }).waitFor();
  await table.getByText('few images').first().waitFor();
  await checkAtBothSizes(page, 'agreement');

  await openDataTab(page, 'Work');
  await page.getByRole('button', { name: 'Review' }).click();
  const drawn = page.locator('.box');
  await expect.poll(() => drawn.count()).toBe(3);
  await checkAtBothSizes(page, 'boxes of two people');
  await page.keyboard.press('2'); // whose boxes these are depends on the ids of the keys
  await expect.poll(() => drawn.count()).toBeLessThan(3);
  await page.keyboard.press('2');
  await page.getByRole('button', { name: 'Ben', exact: true }).click();
  await expect.poll(() => drawn.count()).toBe(1);
  await page.keyboard.press('Shift+A');
  await page.getByText('Nothing was handed in.').waitFor();
  const { data } = await own.data.binaryDataByIDs({ binaryDataIds: [binaryDataId] });
  expect(data[0]!.metadata!.annotations!.bboxes).toHaveLength(1);
  await page.close();
  expect(complaints).toEqual([]);
});
