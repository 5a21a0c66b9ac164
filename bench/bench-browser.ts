import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright';
import { build, preview, type PreviewServer } from 'vite';
import { chromiumPath, quietFlags } from '../scripts/chromium.ts';
import { isolationHeaders } from '../scripts/vite-settings.ts';
import { watchMemory, type MemoryInUse } from './memory-in-use.ts';

/** The first port to try. It may be taken, if another bench runs at the same time. */
const firstPort = 5300;

// A camera that needs no permission and shows 30 moving frames a second. No software GPU: it would slow down every canvas.
const flags = [...quietFlags, '--use-fake-device-for-media-stream=fps=30', '--use-fake-ui-for-media-stream'];

let pagesBuilt: Promise<unknown> | undefined;

/** A Chromium and the servers for its pages, each started when first needed. `at` receives the progress of a figure. */
export async function benchBrowser(root: string, at: (place: string) => void = () => undefined) {
  const served = new Map<string, PreviewServer>();
  const profiles: (() => Promise<void>)[] = [];
  let browser: Browser | undefined;
  let debuggingPort: number | undefined;

  /** Starts a server; resolves to its address, with a trailing slash. */
  async function serve(serverRoot: string, outDir: string, headers = isolationHeaders): Promise<string> {
    const key = JSON.stringify([outDir, headers]);
    const server =
      served.get(key) ??
      (await preview({
        configFile: false,
        root: serverRoot,
        logLevel: 'error',
        build: { outDir },
        preview: { port: firstPort, host: '127.0.0.1', headers },
      }));
    served.set(key, server);
    return server.resolvedUrls!.local[0]!;
  }

  async function pageUrl(name: string): Promise<string> {
    at('building the pages of the bench');
    pagesBuilt ??= build({ configFile: `${root}bench/vite.config.ts`, logLevel: 'error' });
    await pagesBuilt;
    at(`on the page "${name}"`);
    return `${await serve(`${root}bench/pages`, `${root}build/bench`)}${name}.html`;
  }

  async function appUrl(path: string, headers?: typeof isolationHeaders): Promise<string> {
    if (!existsSync(`${root}dist/index.html`)) throw new Error('The app is not built: "npm run build" first.');
    at('in the app');
    return `${await serve(root, 'dist', headers)}${path}`;
  }

  async function pageScript(name: string): Promise<string> {
    const lib = { entry: `${root}bench/pages/${name}.ts`, formats: ['iife' as const], name: 'ignored' };
    const options = { write: false, lib } as const;
    const built = await build({ configFile: false, publicDir: false, logLevel: 'silent', build: options });
    return (built as unknown as { output: { code: string }[] }[])[0]!.output[0]!.code;
  }

  /** Prints a page's errors. The page reports its progress by console.info. */
  function listen(page: Page): Page {
    page.on('pageerror', (error) => console.log(`  (page: ${error.message})`));
    page.on('console', (message) => {
      if (message.type() === 'info') at(message.text());
    });
    return page;
  }

  async function open(url: string): Promise<Page> {
    browser ??= await chromium.launch({ executablePath: chromiumPath(), args: flags });
    const page = listen(await browser.newPage());
    await page.goto(url);
    return page;
  }

  return {
    async openPage(name: string): Promise<Page> {
      const page = await open(await pageUrl(name));
      await page.waitForFunction(() => 'measure' in globalThis);
      return page;
    },
    async openWatchedPage(name: string): Promise<{ page: Page; memoryInUse: () => Promise<MemoryInUse> }> {
      const url = await pageUrl(name);
      debuggingPort ??= await freePort();
      // Playwright cannot attach to nested workers, but Chromium's debugging protocol can.
      const args = [...flags, `--remote-debugging-port=${debuggingPort}`];
      browser ??= await chromium.launch({ executablePath: chromiumPath(), args });
      const page = listen(await browser.newPage());
      const memoryInUse = await watchMemory(page, debuggingPort, await pageScript('count-memory'));
      await page.goto(url);
      await page.waitForFunction(() => 'measure' in globalThis);
      return { page, memoryInUse };
    },
    async measureOnPage<T>(name: string, ...args: readonly unknown[]): Promise<T> {
      const page = await open(await pageUrl(name));
      const result = await measureOn<T>(page, args);
      await page.close();
      return result;
    },
    async measureOnDisk<T>(name: string, ...args: readonly unknown[]): Promise<T> {
      const url = await pageUrl(name);
      const profile = await mkdtemp(join(tmpdir(), 'sightglass-bench-'));
      const context = await chromium.launchPersistentContext(profile, { executablePath: chromiumPath(), args: flags });
      try {
        const page = listen(await context.newPage());
        await page.goto(url);
        return await measureOn<T>(page, args);
      } finally {
        await context.close();
        await rm(profile, { recursive: true, force: true });
      }
    },
    openApp: async (path = ''): Promise<Page> => open(await appUrl(path)),
    openAppOfPlainHost: async (): Promise<Page> => open(await appUrl('', {})),
    async openAppOnDisk(path = ''): Promise<Page> {
      const profile = await mkdtemp(join(tmpdir(), 'sightglass-bench-'));
      const context = await chromium.launchPersistentContext(profile, { executablePath: chromiumPath(), args: flags });
      profiles.push(async () => {
        await context.close();
        await rm(profile, { recursive: true, force: true });
      });
      const page = listen(await context.newPage());
      await page.goto(await appUrl(path));
      return page;
    },
    pageScript,
    async close(): Promise<void> {
      await browser?.close();
      for (const closeProfile of profiles) await closeProfile();
      await Promise.all([...served.values()].map((server) => server.close()));
    },
  };
}

function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

async function measureOn<T>(page: Page, args: readonly unknown[]): Promise<T> {
  await page.waitForFunction(() => 'measure' in globalThis);
  return page.evaluate((given) => {
    const { measure } = globalThis as unknown as { measure: (...args: readonly unknown[]) => Promise<T> };
    return measure(...given);
  }, args);
}
