import type { Browser, Page, Request } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runSightglass } from '../server/run-sightglass.ts';
import { serveSightglass, type SightglassServer } from '../clients/sightglass-server.ts';
import { sharedChromium, visit, type Visit } from './app.ts';
import { violations } from './axe.ts';
import { expectFirstBoxes } from './bench-page.ts';
import { openDataTab } from './open-data-tab.ts';
import { goWithin, namedUrl, peopleOf, userMenu } from './people-server.ts';
import { addAuthenticator } from './virtual-authenticator.ts';

let server: SightglassServer;
let browser: Browser;
let url: string;
beforeAll(async () => {
  [server, browser] = await Promise.all([serveSightglass(), sharedChromium()]);
  url = namedUrl(server);
});
afterAll(async () => {
  await server?.close();
});

const people = () => peopleOf(server);
const organization = () => ({ organizationId: server.organizationId });

async function invite(role: string, name: string): Promise<string> {
  const { token } = await (await people()).inviteMember({ ...organization(), role, name });
  return token;
}

const chooseInMenu = async (page: Page, name: string, item: string | RegExp): Promise<void> => {
  await userMenu(page, name).click();
  await page.getByRole('dialog', { name: 'Your log-in' }).getByRole('button', { name: item, exact: true }).click();
};

/** A browser of a person who takes an invitation with a new passkey. */
async function join(role: string, name: string, path = '#/data/images'): Promise<Visit> {
  const visited = await visit(browser, url, { path: '#/data' });
  const { page, context } = visited;
  await addAuthenticator(context, page);
  await goWithin(page, `#/invitation/${await invite(role, name)}`);
  await page.getByRole('button', { name: 'Create a passkey' }).click();
  await userMenu(page, name).waitFor();
  await goWithin(page, path);
  return visited;
}

describe('an invitation', () => {
  it('lets in with a passkey, and the data area is that of the server, with nothing to fill in', async () => {
    const { page, context, complaints } = await visit(browser, url, { path: '#/data' });
    await addAuthenticator(context, page);
    await page.getByRole('heading', { name: /^Log in to localhost:/ }).waitFor();
    expect(await violations(page, 'Log-in')).toEqual([]);

    const token = await invite('owner', 'Ada Lovelace');
    await page.goto(`${url}#/invitation/${token}`);
    await page.getByText('You are invited as an owner.').waitFor();
    expect(page.url()).not.toContain(token);
    expect(await violations(page, 'Invitation')).toEqual([]);
    const calls: Request[] = [];
    page.on('request', (request) => void calls.push(request));
    await page.getByRole('textbox', { name: 'Your name' }).fill('Ada King');
    await page.getByRole('button', { name: 'Create a passkey' }).click();
    await userMenu(page, 'Ada King').waitFor();
    await page.getByRole('link', { name: 'Data of This server' }).click();
    for (const id of [server.organizationId, server.partId]) await page.getByText(id, { exact: true }).waitFor();

    await openDataTab(page, 'Files');
    const notes = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('dusk') };
    await page.getByLabel('Files to import').setInputFiles(notes);
    await page.getByText('notes.txt').first().waitFor();
    expect(calls.filter((request) => 'authorization' in request.headers())).toEqual([]);
    expect(await page.evaluate(() => document.cookie)).toBe(''); // no script reads the session
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain(token);

    await page.reload();
    await page.getByText('notes.txt').first().waitFor();
    await userMenu(page, 'Ada King').click();
    expect(await violations(page, 'User menu')).toEqual([]);
    await page.keyboard.press('Escape');
    await chooseInMenu(page, 'Ada King', /^Log out everywhere/);
    await page.getByRole('button', { name: 'Log in with a passkey' }).click();
    await page.getByText('notes.txt').first().waitFor();

    await page.goto(`${url}#/invitation/${token}`);
    await page.getByText('This invitation was taken, or it is over.').waitFor();
    await page.getByRole('button', { name: 'Not now' }).click();
    await chooseInMenu(page, 'Ada King', 'Log out');
    await page.getByRole('button', { name: 'Use this browser’s own data' }).click();
    await page.getByRole('link', { name: 'Data of This browser' }).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('adds an organization to whom a passkey is of, and makes somebody new of whoever creates one in the same browser', async () => {
    const { page, context, complaints } = await join('owner', 'Una Second');
    const ask = (...words: string[]) => runSightglass([...words, '--data', server.dataDir]);
    const barn = String((await ask('orgs', 'create', 'Barn')).lines[0]!['organization']);
    const linkFor = async (name: string) => {
      const { lines } = await ask('people', 'invite', name, '--org', barn, '--origin', url);
      return String(lines[0]!['link']);
    };
    const open = async (name: string) => {
      await page.goto(await linkFor(name));
      await page.getByRole('heading', { name: 'Join Barn' }).waitFor();
      await page.getByText('Una Second is logged in on this browser.').waitFor();
    };
    await open('Una');
    expect(await violations(page, 'Invitation of somebody who is logged in')).toEqual([]);
    await page.getByRole('button', { name: 'I have a passkey for this server' }).click();
    await page.getByRole('button', { name: 'Una Second Annotator · Barn' }).waitFor();
    await userMenu(page, 'Una Second').click();
    await page.getByRole('button', { name: 'My organization Owner' }).click();
    await page.getByRole('button', { name: 'Una Second Owner · My organization' }).waitFor();

    await open('Ben Visitor');
    await page.getByRole('button', { name: 'Create a passkey' }).click();
    await userMenu(page, 'Ben Visitor').click();
    const menu = page.getByRole('dialog', { name: 'Your log-in' });
    await menu.getByText('Annotator of Barn').waitFor();
    expect(await menu.getByText('My organization').count()).toBe(0);
    expect(complaints).toEqual([]);
    await context.close();
  });
});

it('says at an address without passkeys that nobody logs in there, and where people do', async () => {
  const { page, context, complaints } = await visit(browser, `${server.origin}/`, { path: '#/data' });
  const said = page.getByText(`Nobody can log in at ${server.origin}`);
  await said.waitFor();
  expect(await violations(page, 'No log-in')).toEqual([]);
  await goWithin(page, '#/bench');
  await said.waitFor({ state: 'detached' });
  await goWithin(page, `#/invitation/${await invite('annotator', 'Ida Address')}`);
  await said.waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

describe('two people', () => {
  it('one invites and removes the other, whose next click says so, with nothing typed lost', async () => {
    const ada = await join('owner', 'Ada Owner', '#/data/settings/people');
    await ada.page.getByRole('button', { name: 'Invite', exact: true }).click();
    const dialog = ada.page.getByRole('dialog', { name: 'Invite somebody' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Bob Worker');
    await dialog.getByRole('textbox', { name: 'E-mail' }).fill('bob@example.org');
    await dialog.getByRole('combobox', { name: 'Role' }).selectOption('Operator');
    // A place has parts, to one of which somebody may be invited; this one is invited to all.
    expect(await dialog.getByRole('combobox', { name: 'Part' }).count()).toBe(0);
    await dialog.getByRole('combobox', { name: 'Place' }).selectOption('First location');
    await dialog.getByRole('combobox', { name: 'Part' }).selectOption('First machine / main');
    expect(await violations(ada.page, 'Invite to a part')).toEqual([]);
    await dialog.getByRole('combobox', { name: 'Place' }).selectOption({ index: 0 });
    await dialog.getByRole('button', { name: 'Make the invitation' }).click();
    const link = await ada.page.getByRole('textbox', { name: 'Link of the invitation' }).inputValue();
    await ada.page.getByRole('button', { name: 'Done' }).click();
    await ada.page.getByRole('button', { name: 'Withdraw the invitation of Bob Worker' }).waitFor();

    const bob = await visit(browser, url, { path: '#/data' });
    await addAuthenticator(bob.context, bob.page);
    await goWithin(bob.page, new URL(link).hash);
    await bob.page.getByRole('button', { name: 'Create a passkey' }).click();
    await userMenu(bob.page, 'Bob Worker').waitFor();
    await openDataTab(bob.page, 'Query');
    await bob.page.getByRole('button', { name: 'Run', exact: true }).click();
    await bob.page.getByText('No readings are stored here yet').waitFor();
    await bob.page.goto(`${url}#/data/datasets`);
    await bob.page.getByRole('button', { name: 'New dataset' }).first().click();
    await bob.page.getByRole('textbox', { name: 'Name' }).fill('Half typed');

    await ada.page.getByRole('button', { name: 'Read again' }).click();
    await ada.page.getByRole('button', { name: /^Bob Worker\s+bob@example\.org/ }).click();
    expect(await violations(ada.page, 'People')).toEqual([]);
    await ada.page.getByRole('button', { name: 'Remove' }).click();
    await ada.page.getByText('Remove Bob Worker from the organization?').waitFor();
    await ada.page.getByRole('button', { name: 'Remove' }).click();
    await expect.poll(() => ada.page.getByRole('button', { name: /Bob Worker/ }).count()).toBe(0);

    await bob.page.getByRole('button', { name: 'Create', exact: true }).click();
    const ended = bob.page.getByRole('dialog', { name: 'Your session has ended' });
    await ended.getByText('you are no longer a member').waitFor();
    expect(await bob.page.getByLabel('Name', { exact: true }).inputValue()).toBe('Half typed');
    expect(await violations(bob.page, 'Session ended')).toEqual([]);
    await ended.getByRole('button', { name: 'Log in with a passkey' }).click();
    await ended.getByRole('alert').waitFor(); // the passkey went with the person
    await ended.getByRole('button', { name: 'Leave this page' }).click();
    await bob.page.getByRole('heading', { name: /^Log in to/ }).waitFor();
    await ada.page
      .getByRole('button', { name: /^Ada Owner/ })
      .last()
      .click();
    await ada.page.getByRole('button', { name: 'End all sessions' }).click();
    await ada.page.getByText('End all your sessions, this one too?').waitFor();
    await ada.page.getByRole('button', { name: 'End all sessions' }).click();
    const own = ada.page.getByRole('dialog', { name: 'Your session has ended' });
    await own.getByRole('button', { name: 'Log in with a passkey' }).click();
    await own.waitFor({ state: 'hidden' });
    for (const { context, complaints } of [ada, bob]) {
      expect(complaints.filter((complaint) => !/status of (401|404)/.test(complaint))).toEqual([]);
      await context.close();
    }
  });
});

describe('the outbox', () => {
  it('sends captures by the log-in, and keeps those that wait while nobody is logged in', async () => {
    const { page, context, complaints } = await join('operator', 'Otto Perator', '#/bench');
    await expectFirstBoxes(page);
    await page.keyboard.press('k');
    await page.getByText('1 capture in this browser').waitFor();
    const { members } = await (await people()).listMembers(organization());
    const { id } = members.find(({ personName }) => personName === 'Otto Perator')!;
    await (await people()).endSessions({ ...organization(), id });

    await page.goto(`${url}#/data/outbox`);
    const queue = page.getByRole('region', { name: 'Queue', exact: true });
    await page.getByRole('button', { name: 'Choose all' }).click();
    await page.getByRole('button', { name: 'Send 1 capture' }).click();
    await queue.getByText('waits until you log in').waitFor();
    await page.getByText(/^What is queued for .* as Otto Perator waits/).waitFor();
    expect(await violations(page, 'An outbox that waits for a log-in')).toEqual([]);

    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await page.getByRole('button', { name: 'Log in with a passkey' }).click();
    await queue.getByText('sent', { exact: false }).first().waitFor();
    await openDataTab(page, 'Images');
    await page.getByText('1 image').first().waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });
});
