import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { serveSightglass, type SightglassServer } from '../clients/sightglass-server.ts';
import { startOpenIdProvider, type TestProvider } from '../open-id-provider.ts';
import { visit, type Visit } from './app.ts';
import { goWithin, peopleOf, userMenu } from './people-server.ts';

/** A server whose people log in by a provider, which it calls Acme. */
export interface ServerWithProvider {
  readonly server: SightglassServer;
  readonly provider: TestProvider;
  readonly url: string;
  close(): Promise<void>;
}

/** @param names of those who have an account at the provider: each logs in by the name in lower case */
export async function serveWithProvider(names: readonly string[]): Promise<ServerWithProvider> {
  const folder = mkdtempSync(join(tmpdir(), 'sightglass-provider-'));
  const account = (name: string) => ({ name, email: emailOf(name), email_verified: true });
  const provider = await startOpenIdProvider(
    Object.fromEntries(names.map((name) => [name.toLowerCase(), account(name)])),
  );
  const secret = join(folder, 'secret');
  writeFileSync(secret, provider.clientSecret, { mode: 0o600 });
  const port = await freePort();
  const url = `http://localhost:${port}/`;
  const at = ['--port', String(port), '--public-origin', url.slice(0, -1)];
  const options = [...at, '--oidc-issuer', provider.issuer.href, '--oidc-client-id', provider.clientId];
  const server = await serveSightglass([...options, '--oidc-client-secret-file', secret, '--oidc-name', 'Acme']);
  provider.register(url.slice(0, -1));
  return {
    server,
    provider,
    url,
    async close() {
      await server.close();
      await provider.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

const emailOf = (name: string): string => `${name.toLowerCase()}@example.com`;

/** Invites somebody by the e-mail address that the provider has of them. */
export async function inviteAtProvider({ server }: ServerWithProvider, role: string, name: string): Promise<void> {
  const { organizationId } = server;
  await (await peopleOf(server)).inviteMember({ organizationId, role, name, email: emailOf(name) });
}

/** A browser that may call the provider, too. */
export const visitWithProvider = (
  browser: Browser,
  { provider, url }: ServerWithProvider,
  path: string,
): Promise<Visit> =>
  visit(browser, url, {
    path,
    mayCall: provider.issuer.origin,
    // The provider's own pages ask another host for a font.
    prepare: (context) =>
      context.route('https://fonts.googleapis.com/**', (route) => route.fulfill({ contentType: 'text/css', body: '' })),
  });

/** Without what the provider's own pages ask for. */
export const complaintsOfApp = (complaints: readonly string[]): string[] =>
  complaints.filter((complaint) => !/^third party: https:\/\/fonts\./.test(complaint));

/** Opens the page and logs in, as somebody who was invited; then goes where the log-in does not lead back to. */
export async function logInByProvider(
  browser: Browser,
  served: ServerWithProvider,
  name: string,
  path: string,
): Promise<Visit> {
  const visited = await visitWithProvider(browser, served, path);
  const { page } = visited;
  await page.getByRole('link', { name: 'Log in with Acme' }).click();
  await logInAt(page, name.toLowerCase());
  await userMenu(page, name).waitFor();
  await goWithin(page, path);
  return visited;
}

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
export async function logInAt(page: Page, account: string): Promise<void> {
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
