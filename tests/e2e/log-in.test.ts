import { beforeAll, expect, it } from 'vitest';
import type { Browser, Page } from 'playwright';
import { webAuthn } from '../../src/platform/node/web-authn.ts';
import { uploadPicture } from '../data-service-fixture.ts';
import { invite } from '../server/people-server.ts';
import { startProviderServer } from '../server/provider-server.ts';
import { sharedChromium } from './app.ts';
import { logInAt } from './provider-page.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});

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
