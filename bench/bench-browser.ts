import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright';
import { build, preview, type PreviewServer } from 'vite';
import { chromiumPath, chromiumTestFlags, quietFlags } from '../scripts/chromium.ts';
import { isolationHeaders } from '../scripts/vite-settings.ts';

const pagesPort = 5300;
const appPort = 5310;
/** Playwright gives no way into a page's workers; the protocol itself does. */
export const debuggingPort = 5320;

// A camera that needs no permission and shows 30 moving frames a second. No software GPU: it would slow down every canvas.
const flags = [
  ...quietFlags,
  '--use-fake-device-for-media-stream=fps=30',
  '--use-fake-ui-for-media-stream',
  `--remote-debugging-port=${debuggingPort}`,
];

let pagesBuilt: Promise<unknown> | undefined;

/** A Chromium and the servers that its pages need, each started when first asked for. */
export async function benchBrowser(root: string) {
  const served = new Map<string, PreviewServer>();
  const profiles: (() => Promise<void>)[] = [];
  let browser: Browser | undefined;

  async function serve(serverRoot: string, outDir: string, port: number): Promise<string> {
    const origin = `http://127.0.0.1:${port}`;
    if (served.has(origin)) return origin;
    const server = await preview({
      configFile: false,
      root: serverRoot,
      logLevel: 'error',
      build: { outDir },
      preview: { port, strictPort: true, host: '127.0.0.1', headers: isolationHeaders },
    });
    served.set(origin, server);
    return origin;
  }

  async function pageUrl(name: string): Promise<string> {
    pagesBuilt ??= build({ configFile: `${root}bench/vite.config.ts`, logLevel: 'error' });
    await pagesBuilt;
    return `${await serve(`${root}bench/pages`, `${root}build/bench`, pagesPort)}/${name}.html`;
  }

  async function appUrl(path: string): Promise<string> {
    if (!existsSync(`${root}dist/index.html`)) throw new Error('The app is not built: "npm run build" first.');
    return `${await serve(root, 'dist', appPort)}/${path}`;
  }

  async function open(url: string): Promise<Page> {
    browser ??= await chromium.launch({ executablePath: chromiumPath(), args: flags });
    const page = await browser.newPage();
    page.on('pageerror', (error) => console.log(`  (page: ${error.message})`));
    await page.goto(url);
    return page;
  }

  return {
    async openPage(name: string): Promise<Page> {
      const page = await open(await pageUrl(name));
      await page.waitForFunction(() => 'measure' in globalThis);
      return page;
    },
    async measureOnPage<T>(name: string, ...args: readonly unknown[]): Promise<T> {
      const page = await open(await pageUrl(name));
      const result = await measureOn<T>(page, args);
      await page.close();
      return result;
    },
    async measureOnGpu<T>(name: string, ...args: readonly unknown[]): Promise<T> {
      const url = await pageUrl(name);
      const withGpu = await chromium.launch({ executablePath: chromiumPath(), args: chromiumTestFlags });
      try {
        const page = await withGpu.newPage();
        await page.goto(url);
        return await measureOn<T>(page, args);
      } finally {
        await withGpu.close();
      }
    },
    async measureOnDisk<T>(name: string, ...args: readonly unknown[]): Promise<T> {
      const url = await pageUrl(name);
      const profile = await mkdtemp(join(tmpdir(), 'sightglass-bench-'));
      const context = await chromium.launchPersistentContext(profile, { executablePath: chromiumPath(), args: flags });
      try {
        const page = await context.newPage();
        await page.goto(url);
        return await measureOn<T>(page, args);
      } finally {
        await context.close();
        await rm(profile, { recursive: true, force: true });
      }
    },
    openApp: async (path = ''): Promise<Page> => open(await appUrl(path)),
    async openAppOnDisk(path = ''): Promise<Page> {
      const profile = await mkdtemp(join(tmpdir(), 'sightglass-bench-'));
      const context = await chromium.launchPersistentContext(profile, { executablePath: chromiumPath(), args: flags });
      profiles.push(async () => {
        await context.close();
        await rm(profile, { recursive: true, force: true });
      });
      const page = await context.newPage();
      page.on('pageerror', (error) => console.log(`  (page: ${error.message})`));
      await page.goto(await appUrl(path));
      return page;
    },
    async pageScript(name: string): Promise<string> {
      const lib = { entry: `${root}bench/pages/${name}.ts`, formats: ['iife' as const], name: 'ignored' };
      const options = { write: false, lib } as const;
      const built = await build({ configFile: false, publicDir: false, logLevel: 'silent', build: options });
      return (built as unknown as { output: { code: string }[] }[])[0]!.output[0]!.code;
    },
    async close(): Promise<void> {
      await browser?.close();
      for (const closeProfile of profiles) await closeProfile();
      await Promise.all([...served.values()].map((server) => server.close()));
    },
  };
}

async function measureOn<T>(page: Page, args: readonly unknown[]): Promise<T> {
  await page.waitForFunction(() => 'measure' in globalThis);
  return page.evaluate((given) => {
    const { measure } = globalThis as unknown as { measure: (...args: readonly unknown[]) => Promise<T> };
    return measure(...given);
  }, args);
}
