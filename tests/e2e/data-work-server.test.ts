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
import { draw, drawLabelled, stage, workBar } from './draw-box.ts';
import { openDataTab } from './open-data-tab.ts';
import { pictureShown } from './picture-shown.ts';

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

it('lets one assign, check and send back what another labels and mends, on one server', async () => {
  const { server, ben: bensKey, clients, binaryDataId, open, complaints } = await serve();
  const [ada, ben] = [await open(server), await open(bensKey)];

  await openDataTab(ada, 'Images');
  await ada.getByRole('listbox', { name: 'Images' }).getByRole('option').first().waitFor();
  await ada.getByRole('listbox', { name: 'Images' }).focus();
  await ada.keyboard.press('Control+a');
  await ada.getByRole('button', { name: 'Assign …' }).click();
  const dialog = ada.getByRole('dialog');
  await dialog.getByRole('checkbox', { name: 'Ben' }).check();
  await dialog.getByText('Ben gets 1 image.').waitFor();
  await dialog.getByRole('button', { name: 'Assign', exact: true }).click();
  await dialog.getByText('1 task made.').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).last().click();

  await openDataTab(ben, 'Work');
  await ben.getByText('1 image to label.').waitFor();
  await ben.getByRole('button', { name: 'Start' }).click();
  await drawLabelled(ben, 'face', [0.25, 0.3], [0.4, 0.5]);
  await workBar(ben).getByRole('button', { name: 'Done, next' }).click();
  await ben.getByText('Nothing is left to label.').waitFor();

  // Ben looks at the image again while it is checked: each is told that the other is on it.
  await ben.goto(`${app.url}#/data/images/${encodeURIComponent(binaryDataId)}/edit`);
  await pictureShown(ben);
  await openDataTab(ada, 'Work');
  await ada.getByRole('button', { name: 'Review' }).click();
  await workBar(ada).getByText('of Ben').waitFor();
  await workBar(ada).getByText('Ben is on this image too').waitFor();
  await pictureShown(ada);
  await ada.getByRole('button', { name: 'Comment', exact: true }).click();
  await ada.getByRole('textbox', { name: 'Comment' }).fill('Her face, too');
  await ada.keyboard.press('Enter');
  await ada.getByRole('button', { name: 'Resolve: Her face, too' }).waitFor();
  await workBar(ada).getByRole('button', { name: 'Send back …' }).click();
  await ada.getByRole('button', { name: 'Send back', exact: true }).click();
  await ada.getByText('Nothing was handed in.').waitFor();

  await openDataTab(ben, 'Work');
  await ben.getByText('1 image to label, 1 of them sent back.').waitFor();
  await ben.getByRole('button', { name: 'Start' }).click();
  await ben.getByText('Her face, too', { exact: true }).waitFor();
  await drawLabelled(ben, 'face', [0.5, 0.4], [0.65, 0.6]);
  await ben.getByRole('button', { name: 'Resolve: Her face, too' }).click();
  await workBar(ben).getByRole('button', { name: 'Done, next' }).click();
  await ben.getByText('Nothing is left to label.').waitFor();
  await ben.goto(`${app.url}#/data/images/${encodeURIComponent(binaryDataId)}/edit`);
  await workBar(ben).getByText('Done', { exact: true }).waitFor();

  await openDataTab(ada, 'Work');
  await ada.getByRole('button', { name: 'Review' }).click();
  await workBar(ada).getByRole('button', { name: 'Accept' }).click();
  await ada.getByText('Nothing was handed in.').waitFor();

  // What Ben draws on the image that was accepted meanwhile is refused in words.
  await stage(ben).focus();
  await ben.keyboard.press('n');
  await draw(ben, [0.75, 0.2], [0.85, 0.4]);
  await ben
    .locator('.notes')
    .getByText(/was accepted by .* on /)
    .waitFor();
  const corners = { xMinNormalized: 0, yMinNormalized: 0, xMaxNormalized: 0.5, yMaxNormalized: 0.5 };
  await expect(clients.data.addBoundingBoxToImageByID({ binaryDataId, label: 'face', ...corners })).rejects.toThrow(
    /was accepted by/,
  );
  const { data } = await clients.data.binaryDataByIDs({ binaryDataIds: [binaryDataId] });
  expect(data[0]!.metadata!.annotations!.bboxes.map(({ label }) => label)).toEqual(['face', 'face']);
  await Promise.all([ada.close(), ben.close()]);
  // Chromium notes the refused calls themselves.
  expect(complaints.filter((complaint) => !complaint.includes('Failed to load resource'))).toEqual([]);
});

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
