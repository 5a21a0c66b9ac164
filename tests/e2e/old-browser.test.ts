import { readFileSync } from 'node:fs';
import { Linter } from 'eslint';
import type { Browser, BrowserContext } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { builtApp, launchPlainChromium, visit, type RunningApp } from './app.ts';

let app: RunningApp;
let browser: Browser;
beforeAll(async () => {
  [app, browser] = await Promise.all([builtApp(), launchPlainChromium()]);
});
afterAll(() => Promise.all([browser.close(), app.close()]));

const stripped: readonly [lacks: string, strip: (context: BrowserContext) => Promise<unknown>][] = [
  ['WebAssembly with SIMD', (context) => context.addInitScript(() => (WebAssembly.validate = () => false))],
  ['AbortSignal.any', (context) => context.addInitScript(() => delete (AbortSignal as { any?: unknown }).any)],
  [
    'JavaScript modules',
    async (context) => {
      await context.addInitScript(() => delete (HTMLScriptElement.prototype as { noModule?: unknown }).noModule);
      await context.route(/\/$/, async (route) => {
        const page = await (await route.fetch()).text();
        await route.fulfill({ contentType: 'text/html', body: page.replaceAll('type="module"', 'type="of-tomorrow"') });
      });
    },
  ],
];

it.each(stripped)('says that a browser lacks %s, instead of a blank page', async (lacks, prepare) => {
  const { page, context } = await visit(browser, app.url, { prepare });
  const said = page.getByRole('alert');
  await said.getByRole('heading', { name: 'Sightglass needs a newer browser' }).waitFor();
  expect(await said.innerText()).toContain(`This one lacks: ${lacks}.`);
  expect(await page.locator('body').innerText()).toBe(await said.innerText());
  await context.close();
});

it('says so in a script that browsers of any age can read', () => {
  const script = readFileSync('dist/old-browser.js', 'utf8');
  expect(new Linter().verify(script, { languageOptions: { ecmaVersion: 5, sourceType: 'script' } })).toEqual([]);
});

it('asks for scripts where none may run', async () => {
  const { page, context } = await visit(browser, app.url, { javaScriptEnabled: false });
  expect(await page.locator('noscript').innerText()).toContain('allow JavaScript');
  await context.close();
});
