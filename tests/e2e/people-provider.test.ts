import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchPlainChromium } from './app.ts';
import { checkAtBothSizes, violations } from './axe.ts';
import { openDataTab } from './open-data-tab.ts';
import { peopleOf } from './people-server.ts';
import {
  complaintsOfApp,
  inviteAtProvider,
  logInAt,
  logInByProvider,
  serveWithProvider,
  visitWithProvider,
  type ServerWithProvider,
} from './provider-page.ts';

let served: ServerWithProvider;
let browser: Browser;
beforeAll(async () => {
  [served, browser] = await Promise.all([serveWithProvider(['Bob', 'Eve']), launchPlainChromium()]);
});
afterAll(async () => {
  await browser?.close();
  await served?.close();
});

it('logs in by the provider who is invited, tells others why not, and leaves what is typed when the session ends', async () => {
  const people = await peopleOf(served.server);
  const { organizationId } = served.server;
  await inviteAtProvider(served, 'operator', 'Bob');
  const { page, context, complaints } = await logInByProvider(browser, served, 'Bob', '#/data/datasets');
  await openDataTab(page, 'Datasets');
  await page.getByRole('button', { name: 'New dataset' }).first().click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Half typed');

  const { members } = await people.listMembers({ organizationId });
  await people.endSessions({ organizationId, id: members[0]!.id });
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  const ended = page.getByRole('dialog', { name: 'Your session has ended' });
  await ended.waitFor();
  expect(await violations(page, 'Ended, with a provider')).toEqual([]);
  const tab = context.waitForEvent('page');
  await ended.getByRole('link', { name: 'Log in with Acme (a new tab)' }).click();
  const other = await tab;
  // The provider still knows them, and may ask nothing.
  await other.waitForURL((address) => address.origin === new URL(served.url).origin && address.pathname === '/');
  await ended.waitFor({ state: 'detached' });
  expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Half typed');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('heading', { name: 'Half typed' }).waitFor();
  expect(complaintsOfApp(complaints).filter((complaint) => !complaint.includes('401'))).toEqual([]);
  await context.close();

  const stranger = await visitWithProvider(browser, served, '#/data');
  await stranger.page.getByRole('link', { name: 'Log in with Acme' }).click();
  await logInAt(stranger.page, 'eve');
  await stranger.page.getByRole('heading', { name: 'You are not invited yet' }).waitFor();
  await checkAtBothSizes(stranger.page, 'Log-in refused');
  await stranger.page.getByRole('link', { name: 'Back to Sightglass' }).press('Enter');
  await stranger.page.getByRole('link', { name: 'Log in with Acme' }).waitFor();
  await stranger.context.close();
});
