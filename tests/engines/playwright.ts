import { existsSync } from 'node:fs';
import { chromium, firefox, webkit, type Browser, type BrowserContext } from 'playwright';
import { chromiumPath, quietFlags } from '../../scripts/chromium.ts';
import type { Engine, EngineDriver } from './engine-page.ts';
import { fakeCamera } from './firefox.ts';

/** Browsers by Playwright: Chromium, whose numbers the others are held to, and where they are installed Playwright's own builds. */
const launchers = {
  chromium: () => chromium.launch({ executablePath: chromiumPath(), args: quietFlags }), // as people have it: it is measured
  firefox: () => firefox.launch({ firefoxUserPrefs: fakeCamera }),
  webkit: () => webkit.launch(),
};

/** Whether Playwright's own build of an engine is installed (`npx playwright install firefox webkit`). */
export const hasOwnBuild = (name: 'firefox' | 'webkit'): boolean =>
  existsSync({ firefox, webkit }[name].executablePath());

export async function startPlaywright(name: keyof typeof launchers): Promise<Engine> {
  const browser: Browser = await launchers[name]();
  return {
    close: () => browser.close(),
    newPage: async () =>
      newTab(await browser.newContext({ viewport: { width: 1440, height: 900 } }), browser.version()),
  };
}

async function newTab(context: BrowserContext, version: string): Promise<EngineDriver> {
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.location().url.endsWith('/favicon.ico')) return; // a text file names no icon
    if (['error', 'warning'].includes(message.type())) complaints.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`));
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
    press: (key, held = []) => page.keyboard.press([...held, key].join('+')),
    chooseFiles: (selector, paths) => page.setInputFiles(selector, [...paths]),
    complaints: () => complaints,
    newTab: () => newTab(context, version),
    close: () => context.close(),
  };
}
