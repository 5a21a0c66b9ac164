import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { serveSightglass, type SightglassServer } from '../clients/sightglass-server.ts';
import { startOpenIdProvider, type TestProvider } from '../open-id-provider.ts';
import { launchChromium, visit } from './app.ts';
import { violations } from './axe.ts';
import { peopleOf, userMenu } from './people-server.ts';

let folder: string;
let provider: TestProvider;
let server: SightglassServer;
let browser: Browser;
let url: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sightglass-provider-'));
  const account = (name: string) => ({ name, email: `${name.toLowerCase()}@example.com`, email_verified: true });
  provider = await startOpenIdProvider({ bob: account('Bob'), eve: account('Eve') });
  const secret = join(folder, 'secret');
  writeFileSync(secret, provider.clientSecret, { mode: 0o600 });
  const port = await freePort();
  url = `http://localhost:${port}/`;
  const at = ['--port', String(port), '--public-origin', url.slice(0, -1)];
  const options = [...at, '--oidc-issuer', provider.issuer.href, '--oidc-client-id', provider.clientId];
  [server, browser] = await Promise.all([
    serveSightglass([...options, '--oidc-client-secret-file', secret, '--oidc-name', 'Acme']),
    launchChromium(),
  ]);
  provider.register(url.slice(0, -1));
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
  await provider?.stop();
  rmSync(folder, { recursive: true });
});

/** The provider sends people back to an address that the server is told when it starts. */
async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

/** Goes through the provider's own pages. */
async function logInAt(page: Page, account: string): Promise<void> {
  const login = page.locator('input[name=login]');
  const consent = page.getByRole('button', { name: 'Continue' });
  await login.or(consent).first().waitFor();
  if (await login.isVisible()) {
    await login.fill(account);
    await page.locator('input[name=password]').fill('any');
    await page.getByRole('button', { name: 'Sign-in' }).click();
  }
  await consent.click();
}

it('logs in by the provider who is invited, tells others why not, and leaves what is typed when the session ends', async () => {
  const people = await peopleOf(server);
  const { organizationId } = server;
  await people.inviteMember({ organizationId, role: 'operator', name: 'Bob', email: 'bob@example.com' });
  const mayCall = provider.issuer.origin;
  // The provider's own pages ask another host for a font.
  const prepare = (one: BrowserContext) =>
    one.route('https://fonts.googleapis.com/**', (route) => route.fulfill({ contentType: 'text/css', body: '' }));
  const { page, context, complaints } = await visit(browser, url, { path: '#/data/datasets', mayCall, prepare });
  await page.getByRole('link', { name: 'Log in with Acme' }).click();
  await logInAt(page, 'bob');
  await userMenu(page, 'Bob').waitFor();
  await page.getByRole('link', { name: 'Datasets' }).click();
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
  await other.waitForURL((address) => address.origin === new URL(url).origin && address.pathname === '/');
  await ended.waitFor({ state: 'detached' });
  expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Half typed');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('heading', { name: 'Half typed' }).waitFor();
  expect(complaints.filter((complaint) => !/401|^third party: https:\/\/fonts\./.test(complaint))).toEqual([]);
  await context.close();

  const stranger = await visit(browser, url, { path: '#/data', mayCall, prepare });
  await stranger.page.getByRole('link', { name: 'Log in with Acme' }).click();
  await logInAt(stranger.page, 'eve');
  await stranger.page.getByText(/invit/).first().waitFor();
  await stranger.page.getByRole('link', { name: 'Back to Sightglass' }).click();
  await stranger.page.getByRole('link', { name: 'Log in with Acme' }).waitFor();
  await stranger.context.close();
});
