import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { webCryptoSecrets } from '../../data-service/access/web-crypto-secrets.ts';
import { openInvitation, takeInvitation } from '../../data-service/people/invitations.ts';
import { openSqliteDataStore } from '../../platform/node/sqlite-data-store/open-sqlite-data-store.ts';
import { parseCommand } from '../../../tests/parse-command.ts';
import { audit } from './audit.ts';
import { manage } from './manage.ts';
import { people } from './people.ts';
import type { ManageArguments } from './data-records.ts';

type Line = Record<string, unknown>;
let folder: string;

async function run(...argv: string[]): Promise<Line[]> {
  const lines: Line[] = [];
  const terminal = { print: (line: object) => lines.push(line as Line), say: () => undefined };
  const command = parseCommand([...argv, '--data', folder]);
  if (command.name === 'people') await people(command, terminal);
  else if (command.name === 'audit') await audit(command, terminal);
  else await manage(command as ManageArguments, terminal);
  return lines;
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightglass-people-'));
  await run('orgs', 'create', 'Barn');
  return () => rm(folder, { recursive: true });
});

/** Takes an invitation as a server does, and resolves to the membership's id. */
async function take(token: string): Promise<string> {
  const clock = { now: () => Date.now() * 1000 };
  const store = await openSqliteDataStore(folder, clock);
  const dependencies = { store, clock, ids: { next: () => crypto.randomUUID() }, secrets: webCryptoSecrets(crypto, 1) };
  const invitation = (await openInvitation(dependencies, token))!;
  const { name, email } = invitation;
  const person = { id: crypto.randomUUID(), name, email, issuer: '', subject: '', timeCreated: clock.now() };
  const { id } = await takeInvitation(dependencies, invitation, person, null);
  await store.close();
  return id;
}

it('invites people by a link, which one of them takes', async () => {
  const [invited] = await run(
    'people',
    'invite',
    'Ada',
    '--email',
    'Ada@Example.org',
    '--origin',
    'https://data.example/',
  );
  expect(invited).toMatchObject({ name: 'Ada', email: 'ada@example.org', role: 'annotator', location: null });
  const token = /^https:\/\/data\.example\/#\/invitation\/([\w-]{43})$/.exec(invited!['link'] as string)![1]!;
  const listed = await run('people', 'list');
  expect(listed).toMatchObject([{ invitation: invited!['invitation'], name: 'Ada' }]);
  expect(JSON.stringify([listed, await run('audit')])).not.toContain(token);
  const id = await take(token);
  const members = await run('people', 'list');
  expect(members).toMatchObject([{ member: id, name: 'Ada', role: 'annotator', lastSeen: null }]);
  const changes = await run('audit', '--who', `person:${String(members[0]!['person'])}`);
  expect(changes.map(({ what, objectId }) => [what, objectId])).toContainEqual(['member', id]);
});

it('changes what they may do, and removes them, but for the last owner', async () => {
  const [invited] = await run('people', 'invite', 'Ada', '--role', 'owner');
  const id = await take(invited!['token'] as string);
  await expect(run('people', 'remove', id)).rejects.toThrow('This is the last owner of the organization');
  await expect(run('people', 'change', id, '--role', 'operator')).rejects.toThrow('This is the last owner');
  await take((await run('people', 'invite', 'Bob', '--role', 'owner'))[0]!['token'] as string);
  const [organization] = await run('orgs', 'list');
  const [{ location }] = organization!['locations'] as [{ location: string }];
  expect(await run('people', 'change', id, '--role', 'reviewer', '--location', location)).toMatchObject([
    { member: id, role: 'reviewer', location },
  ]);
  expect(await run('people', 'change', id, '--location', 'all')).toMatchObject([{ role: 'reviewer', location: null }]);
  await expect(run('people', 'change', id, '--location', 'moon')).rejects.toThrow('There is no location moon');
  const [{ part }] = (await run('parts', 'create', 'arm')) as [{ part: string }];
  const ofPart = { role: 'reviewer', location, part };
  expect(await run('people', 'change', id, '--part', part)).toMatchObject([ofPart]);
  expect(await run('people', 'change', id, '--role', 'operator')).toMatchObject([{ ...ofPart, role: 'operator' }]);
  expect(await run('people', 'change', id, '--location', location)).toMatchObject([{ location, part: null }]);
  await expect(run('people', 'change', id, '--part', 'moon')).rejects.toThrow('There is no part moon');
  expect(await run('people', 'remove', id)).toEqual([{ member: id, removed: true }]);
  expect((await run('people', 'list')).map(({ name }) => name)).toEqual(['Bob']);
  const [removed] = await run('audit', '--what', 'member');
  expect(removed).toMatchObject({ objectName: 'Ada', actor: { kind: 'terminal' }, before: { role: 'operator' } });
});

it('takes an invitation back', async () => {
  const [invited] = await run('people', 'invite', 'Ada');
  expect(await run('people', 'remove', invited!['invitation'] as string)).toMatchObject([{ removed: true }]);
  expect(await run('people', 'list')).toEqual([]);
  await expect(run('people', 'remove', 'none')).rejects.toThrow('There is no member or invitation none.');
  await expect(run('people', 'change', 'none', '--role', 'owner')).rejects.toThrow('There is no member none.');
  await expect(run('people', 'invite', 'Ada', '--location', 'moon')).rejects.toThrow('There is no location moon');
  await expect(run('people', 'invite', 'Ada', '--part', 'moon')).rejects.toThrow('There is no part moon');
});

it.each([
  [[], /people wants list, invite, change or remove, got ""/],
  [['fire'], /got "fire"/],
  [['list', 'Ada'], /people list wants no more words/],
  [['invite'], /people invite wants NAME/],
  [['invite', ' '], /people invite wants NAME/],
  [['invite', 'x'.repeat(201)], /name has 201 characters/],
  [['invite', 'Ada', '--email', 'ada'], /email is "ada", which is not an e-mail address/],
  [['invite', 'Ada', '--role', 'king'], /--role wants one of annotator, reviewer, operator, owner, got "king"/],
  [['invite', 'Ada', '--origin', 'data.example'], /--origin wants an origin/],
  [['change', 'x'], /people change wants --role, --location or --part/],
  [['remove', 'x', '--role', 'owner'], /--role/],
])('refuses %j', (argv, words) => {
  expect(() => parseCommand(['people', ...argv])).toThrow(words);
});
