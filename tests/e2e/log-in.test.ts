import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Browser, Page } from 'playwright';
import { webAuthn } from '../../src/platform/node/web-authn.ts';
import { uploadPicture } from '../data-service-fixture.ts';
import { invite } from '../server/people-server.ts';
import { startProviderServer } from '../server/provider-server.ts';
import { launchPlainChromium } from './app.ts';
import { sideways, violations } from './axe.ts';
import { logInAt } from './provider-page.ts';
import { addAuthenticator } from './virtual-authenticator.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchPlainChromium();
});
afterAll(() => browser?.close());

/** Calls the service from the page, as the app does. @returns status and what was answered */
const call = (page: Page, method: string, message: object = {}): Promise<readonly [number, Record<string, unknown>]> =>
  page.evaluate(
    async ([path, body]) => {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(path, { method: 'POST', headers, body });
      return [response.status, (await response.json()) as Record<string, unknown>] as const;
    },
    [`/sightglass.people.v1.SessionService/${method}`, JSON.stringify(message)] as const,
  );

const nameOf = async (page: Page): Promise<unknown> => {
  const [, { person }] = await call(page, 'GetSession');
  return (person as { readonly name: string } | undefined)?.name;
};

const start = () =>
  startProviderServer({ appFolder: 'dist', service: { logIn: { passkeys: webAuthn, providerName: '' } } });

it('logs in at the provider, with the service worker installed, and a page of another origin has nothing of it', async () => {
  const { server, origin } = await start();
  await invite(server, { email: 'ada@example.com' });
  const id = await uploadPicture(server.service.owner);
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(origin);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.reload();
  expect(await page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  expect(await nameOf(page)).toBeUndefined();
  await page.goto(`${origin}/login`);
  await logInAt(page, 'ada');
  await page.waitForURL(`${origin}/#/data`);
  expect(await nameOf(page)).toBe('Ada');
  expect(await page.evaluate(() => document.cookie)).toBe('');
  const statusOf = (url: string): Promise<number> =>
    page.evaluate(
      (asked) =>
        fetch(asked, { credentials: 'include' }).then(
          ({ status }) => status,
          () => 0,
        ),
      url,
    );
  expect(await statusOf(`${origin}/data/files/${id}`)).toBe(200);

  // the same server by another name: what its pages ask comes without the cookie, or is not theirs to read
  await page.goto(server.origin);
  expect(await nameOf(page)).toBeUndefined();
  expect(await statusOf(`${origin}/data/files/${id}`)).toBe(0);

  await page.goto(origin);
  expect(await nameOf(page)).toBe('Ada');
  await call(page, 'LogOut');
  expect(await nameOf(page)).toBeUndefined();
  expect((await context.cookies(origin)).map(({ name }) => name)).not.toContain('sightglass-session');
  await context.close();
});

it('takes an invitation by a passkey of the browser, and logs in by it in a later session', async () => {
  const { server, origin } = await start();
  const invitationToken = await invite(server);
  const context = await browser.newContext();
  const page = await context.newPage();
  await addAuthenticator(context, page);
  await page.goto(origin);
  const [, registration] = await call(page, 'BeginPasskeyRegistration', { invitationToken, name: 'Ada' });
  const made = await page.evaluate(async (options) => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(JSON.parse(options) as never);
    const credential = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential;
    return JSON.stringify(credential.toJSON());
  }, String(registration['optionsJson']));
  const joined = { invitationToken, name: 'Ada', ceremony: registration['ceremony'], responseJson: made };
  expect((await call(page, 'FinishPasskeyRegistration', joined))[0]).toBe(200);
  expect(await nameOf(page)).toBe('Ada');
  await call(page, 'LogOut');
  const [, logIn] = await call(page, 'BeginPasskeyLogIn');
  const signed = await page.evaluate(async (options) => {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(JSON.parse(options) as never);
    const credential = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential;
    return JSON.stringify(credential.toJSON());
  }, String(logIn['optionsJson']));
  const ended = await call(page, 'FinishPasskeyLogIn', { ceremony: logIn['ceremony'], responseJson: signed });
  expect(ended[0]).toBe(200);
  expect(await nameOf(page)).toBe('Ada');
  await context.close();
});

it('says on a page of its own why a log-in failed, and leads back', async () => {
  const { origin } = await start();
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.location().url.startsWith(origin)) complaints.push(message.text());
  });
  await page.goto(`${origin}/login`);
  await logInAt(page, 'eve');
  await page.getByRole('heading', { name: 'You are not invited yet' }).waitFor();
  expect(await violations(page, 'Log-in refused')).toEqual([]);
  expect(await sideways(page)).toBe(0);
  // a page that failed is a 403, which the browser notes
  expect(complaints.filter((text) => !text.includes('403'))).toEqual([]);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.waitForURL(`${origin}/#/data**`);
  await context.close();
});
