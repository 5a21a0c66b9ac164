import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openSqliteDataStore } from '../../platform/node/sqlite-data-store/open-sqlite-data-store.ts';
import { parseCommand } from '../../../tests/parse-command.ts';
import { audit } from './audit.ts';
import { manage } from './manage.ts';
import type { AuditArguments, ManageArguments } from './data-records.ts';

type Line = Record<string, unknown>;

const quiet = (lines: Line[]) => ({ print: (line: object) => lines.push(line as Line), say: () => undefined });

async function run(...argv: string[]): Promise<Line[]> {
  const lines: Line[] = [];
  const command = parseCommand(argv);
  if (command.name === 'audit') await audit(command, quiet(lines));
  else await manage(command as ManageArguments, quiet(lines));
  return lines;
}

async function dataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sightglass-audit-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

it('prints who changed what beside the data, the newest first', async () => {
  const data = ['--data', await dataFolder()];
  const [created] = await run('orgs', 'create', 'Barn', ...data);
  const [key] = await run('keys', 'create', 'lab', '--role', 'owner', ...data);
  await run('keys', 'revoke', key!['key'] as string, ...data);
  const all = await run('audit', ...data);
  expect(all.map(({ what, objectName, before, after }) => [what, objectName, before ?? null, after ?? null])).toEqual([
    ['key', 'lab', { name: 'lab', role: 'owner', locationId: null, partId: null }, null],
    ['key', 'lab', null, { name: 'lab', role: 'owner', locationId: null, partId: null }],
    ['location', 'First location', null, { name: 'First location' }],
    ['organization', 'Barn', null, { name: 'Barn', quotaBytes: null }],
  ]);
  for (const line of all) expect(line['actor']).toMatchObject({ kind: 'terminal' });
  expect(JSON.stringify(all)).not.toContain(key!['secret']);
  expect(await run('audit', '--what', 'key', ...data)).toEqual(all.slice(0, 2));
  expect(await run('audit', '--object', created!['organization'] as string, ...data)).toEqual(all.slice(3));
  expect(await run('audit', '--who', 'key:k', ...data)).toEqual([]);
  expect(await run('audit', '--to', '2001-01-01', ...data)).toEqual([]);
  await expect(run('audit', '--org', 'none', ...data)).rejects.toThrow('There is no organization none.');
});

it('prints more than a page, each change once', async () => {
  const folder = await dataFolder();
  let now = 0;
  const store = await openSqliteDataStore(folder, { now: () => (now += 1) });
  await store.access.createOrganization({ id: 'a', name: 'A', timeCreated: 0 });
  const by = store.as({ kind: 'key', id: 'k', name: 'lab' });
  const renames = Array.from({ length: 2100 }, (_, n) => by.access.renameOrganization('a', `A ${n}`));
  await Promise.all(renames);
  await store.close();
  const lines = await run('audit', '--who', 'key:k', '--data', folder);
  expect(new Set(lines.map(({ id }) => id)).size).toBe(2100);
  expect(lines.map(({ after }) => (after as Line)['name'])).toEqual(
    Array.from({ length: 2100 }, (_, n) => `A ${2099 - n}`),
  );
});

it.each<readonly [string[], Partial<AuditArguments['filter']>]>([
  [[], { actor: null, what: '', objectId: '', interval: { start: null, end: null } }],
  [['--who', 'key:a:b'], { actor: { kind: 'key', id: 'a:b' } }],
  [['--who', 'service'], { actor: { kind: 'service', id: '' } }],
  [['--what', 'tags', '--object', 'a/l/1'], { what: 'tags', objectId: 'a/l/1' }],
  [
    ['--from', '2026-03-11', '--to', '2026-03-11T06:00+01:00'],
    { interval: { start: Date.UTC(2026, 2, 11) * 1000, end: Date.UTC(2026, 2, 11, 5) * 1000 } },
  ],
])('reads %j', (argv, filter) => expect(parseCommand(['audit', ...argv])).toMatchObject({ name: 'audit', filter }));

it.each([
  [['list'], /audit wants no "list"/],
  [['--who', 'Ada Lovelace'], /--who wants person:ID, key:ID/],
  [['--who', 'ada'], /--who wants person:ID, key:ID/],
  [['--who', 'person'], /--who wants person:ID, key:ID/],
  [['--who', 'key:'], /--who wants person:ID, key:ID/],
  [['--what', 'weather'], /--what wants one of tags, boxes/],
  [['--from', 'yesterday'], /--from wants a day/],
  [['--to', '2026-99-99'], /--to wants a day/],
  [['--to', '2026-02-30'], /--to wants a day/],
  [['--from', '2026-03-11T05:00:00'], /--from wants a day/], // of which time zone?
  [['--from', '2026-03-11 05:00'], /--from wants a day/],
  [['--object', ''], /--object was given without a value/],
])('refuses %j', (argv, message) => expect(() => parseCommand(['audit', ...argv])).toThrow(message));
