import { createGrpcWebTransport } from '@connectrpc/connect-node';
import { expect, onTestFinished } from 'vitest';
import { authorizing, login } from '../clients/login.ts';
import { OperationRecord } from '../clients/operation-record.ts';
import { serveSightglass, type SightglassServer } from '../clients/sightglass-server.ts';
import { captured } from './bench.ts';
import { EnginePage } from './engine-page.ts';

/** On the bench: sends a capture of this tab to a server from another, once. */
export async function sendFromAnotherTab(bench: EnginePage, appUrl: string): Promise<void> {
  const server = await serveSightglass();
  onTestFinished(() => server.close());
  const outbox = new EnginePage(await bench.driver.newTab());
  await outbox.driver.goto(`${appUrl}#/data/outbox`);
  await addServer(outbox, server);

  await captured(bench, {});
  await outbox.click({ css: 'button', name: 'Choose all' });
  await outbox.click({ css: 'button:enabled', name: 'Send' });
  await expect.poll(() => storedOn(server)).toEqual(['sample1.jpg']);
  const sent = () => outbox.texts('[role="group"][aria-label="Entries to list"] button');
  await expect.poll(sent).toContain('sent 2'); // the images of this browser are one target, the server the other
  expect(await storedOn(server)).toHaveLength(1);
}

async function addServer(page: EnginePage, { origin, partId, keyId, key }: SightglassServer): Promise<void> {
  await page.click({ css: 'button', name: 'Add a server to send to' });
  const fields = { Address: origin, Name: 'Yard', 'Part id': partId, 'Key id': keyId, Key: key };
  for (const [name, text] of Object.entries(fields)) await page.type({ css: 'dialog[open] input', name }, text);
  await page.click({ css: 'dialog[open] button', name: 'Add' });
  await expect.poll(() => page.texts('dialog[open]')).toEqual([]);
}

async function storedOn(server: SightglassServer): Promise<readonly string[]> {
  const transport = (authorization: string | null) =>
    createGrpcWebTransport({ baseUrl: server.origin, httpVersion: '1.1', interceptors: [authorizing(authorization)] });
  const { data: service } = await login(server, transport, new OperationRecord());
  const { data } = await service.binaryDataByFilter({ dataRequest: { limit: 50n }, includeBinary: false });
  return data.map(({ metadata }) => metadata!.fileName.split('/').at(-1)!);
}
