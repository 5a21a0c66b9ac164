import { existsSync } from 'node:fs';
import { launch, type BrowserContext, type ElementHandle, type KeyInput } from 'puppeteer-core';
import type { Engine, EngineDriver } from './engine-page.ts';

/** Firefox by Puppeteer over BiDi. Playwright's own driver asks for what Firefox ESR 153 does not know (emulation.setMediaFeaturesOverride). */

const installed = ['/usr/bin/firefox-esr', '/usr/bin/firefox', '/Applications/Firefox.app/Contents/MacOS/firefox'];

export const firefoxPath = [process.env['FIREFOX_PATH'], ...installed].find((path) => path && existsSync(path));

/** Settings that give pages a fake camera unasked. */
export const fakeCamera = { 'media.navigator.streams.fake': true, 'media.navigator.permission.disabled': true };

/** @param prefs settings of its profile that differ from its own */
export async function startFirefox(prefs: Readonly<Record<string, unknown>> = {}): Promise<Engine> {
  const browser = await launch({
    browser: 'firefox',
    executablePath: firefoxPath!,
    headless: true,
    defaultViewport: { width: 1440, height: 900 },
    extraPrefsFirefox: { ...fakeCamera, ...prefs },
  });
  return {
    close: () => browser.close(),
    newPage: async () => newTab(await browser.createBrowserContext(), (await browser.version()).replace(/^.*\//, '')),
  };
}

async function newTab(context: BrowserContext, version: string): Promise<EngineDriver> {
  const page = await context.newPage();
  page.setDefaultNavigationTimeout(180_000); // on a busy machine
  const complaints: string[] = [];
  // What is still being fetched when a page is left, or loads itself anew, fails; it is nobody's any more.
  const failedFetches: string[] = [];
  page.on('framenavigated', () => (failedFetches.length = 0));
  page.on('console', (message) => {
    if (['error', 'warn'].includes(message.type())) complaints.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => {
    const said = `uncaught: ${String(error)}`;
    const isOfFetch = /error loading dynamically imported module|A ServiceWorker intercepted the request/.test(said);
    (isOfFetch ? failedFetches : complaints).push(said);
  });
  return {
    version,
    goto: async (url) => void (await page.goto(url)),
    async reload() {
      await page.bringToFront(); // a tab behind another gets no frames of a camera
      await page.reload();
    },
    evaluate: (expression) => page.evaluate(expression),
    async pointer(steps) {
      for (const { x, y, does } of steps) {
        if (does === 'move') await page.mouse.move(x, y);
        else if (does === 'press') await page.mouse.down();
        else await page.mouse.up();
      }
    },
    async press(key, held = []) {
      for (const modifier of held) await page.keyboard.down(modifier as KeyInput);
      await page.keyboard.press(key as KeyInput);
      for (const modifier of held) await page.keyboard.up(modifier as KeyInput);
    },
    async chooseFiles(selector, paths) {
      const input = (await page.$(selector)) as ElementHandle<HTMLInputElement>;
      await input.uploadFile(...paths);
    },
    complaints: () => [...complaints, ...failedFetches],
    newTab: () => newTab(context, version),
    close: () => context.close(),
  };
}
