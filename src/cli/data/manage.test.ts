import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openSqliteDataStore } from '../../platform/node/sqlite-data-store/open-sqlite-data-store.ts';
import { systemClock } from '../../server/start-data-host.ts';
import { parseCommand } from '../../../tests/parse-command.ts';
import { manage } from './manage.ts';
import type { ManageArguments } from './data-records.ts';

it('takes parts of one location that name the same machine for parts of one machine', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sightglass-manage-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const printed: Record<string, unknown>[] = [];
  const terminal = { print: (line: object) => void printed.push({ ...line }), say: () => undefined };
  const sightglass = async (...words: string[]) => {
    await manage(parseCommand([...words, '--data', folder]) as ManageArguments, terminal);
    return printed.at(-1)!;
  };
  const { organization, locations } = await sightglass('orgs', 'create', 'Home');
  const [{ location: first }] = locations as [{ location: string }];
  const { location: roof } = await sightglass('orgs', 'add-location', organization as string, 'Roof');
  await sightglass('parts', 'create', 'main', '--machine', 'rover', '--location', first);
  await sightglass('parts', 'create', 'arm', '--machine', 'rover', '--location', first);
  await sightglass('parts', 'create', 'gate', '--location', first);
  await sightglass('parts', 'create', 'roof', '--machine', 'rover', '--location', roof as string);

  const store = await openSqliteDataStore(folder, systemClock);
  const parts = await store.access.listParts(organization as string);
  await store.close();
  const machineOf = (name: string) => parts.find((part) => part.name === name)!.robotId;
  expect(machineOf('arm')).toBe(machineOf('main'));
  expect(new Set(['main', 'gate', 'roof'].map(machineOf)).size).toBe(3);
});
