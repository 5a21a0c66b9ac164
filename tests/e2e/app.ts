import { existsSync } from 'node:fs';
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright';
import { preview, type Plugin } from 'vite';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { chromiumPath, compileOnceFlags, headlessChromiumPath, quietFlags } from '../../scripts/chromium.ts';
import { isolationPlugin } from '../../scripts/vite-settings.ts';
import { once } from '../../src/base/schedule/once.ts';

export interface RunningApp {
  readonly url: string;
  close(): Promise<void>;
}

/** Vite's preview compresses what a page loads, each time, which between two processes of one computer saves nothing. */
const uncompressed: Plugin = {
  name: 'uncompressed',
  configurePreviewServer({ middlewares }) {
    middlewares.use((request, _response, next) => {
      delete request.headers['accept-encoding'];
      next();
    });
  },
};

/** Serves the built app like Vite's preview server, on a free loopback port. Of the configuration a served build needs one plugin: to read all takes 3 s. */
export async function serveBuiltApp(): Promise<RunningApp> {
  if (!existsSync('dist/index.html')) throw new Error('dist/ is missing: run "npm run build" first.');
  const server = await preview({
    configFile: false,
    preview: { host: '127.0.0.1', port: 0, open: false },
    plugins: [isolationPlugin(), uncompressed],
    logLevel: 'silent',
  });
  const address = server.httpServer.address();
  if (address === null || typeof address === 'string') throw new Error('The preview server has no port.');
  return { url: `http://127.0.0.1:${address.port}/`, close: () => server.close() };
}

/** Starts Chromium without WebGPU, which most test computers lack; `softwareGpuFlags` enable a software GPU. */
export function launchChromium(extraFlags: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath(), args: [...quietFlags, ...compileOnceFlags, ...extraFlags] });
}

/** Starts a Chromium for pages that need neither flags of their own nor a camera: where it is installed the one without a window. */
export function launchPlainChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: headlessChromiumPath(), args: [...quietFlags, ...compileOnceFlags] });
}

export interface VisitOptions extends BrowserContextOptions {
  /** appended to the app's address: "#config=…", "folder/" */
  readonly path?: string;
  /** another host to which requests are allowed, whether it is reachable or not */
  readonly mayCall?: string;
  /** whether to install the app's service worker; default false, because that takes half as long as a whole test, and disk space */
  readonly serviceWorker?: boolean;
  /** called before the page opens */
  readonly prepare?: (context: BrowserContext) => Promise<unknown>;
}

export interface Visit {
  readonly context: BrowserContext;
  readonly page: Page;
  /** console errors and warnings, uncaught errors, failed requests, and requests to any other host */
  readonly complaints: string[];
}

export async function visit(browser: Browser, url: string, options: VisitOptions = {}): Promise<Visit> {
  const { path = '', mayCall, serviceWorker = false, prepare, ...contextOptions } = options;
  const isAllowed = (called: string): boolean => mayCall !== undefined && called.startsWith(`${mayCall}/`);
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...contextOptions });
  if (!serviceWorker)
    await context.addInitScript(() => delete (Navigator.prototype as { serviceWorker?: unknown }).serviceWorker);
  await prepare?.(context);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (isAllowed(message.location().url)) return;
    if (message.type() === 'error' || message.type() === 'warning')
      complaints.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`));
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? '';
    if (reason !== 'net::ERR_ABORTED' && !isAllowed(request.url()))
      complaints.push(`failed: ${request.url()} ${reason}`);
  });
  page.on('request', (request) => {
    const target = new URL(request.url());
    if (target.protocol.startsWith('http') && target.host !== new URL(url).host && !isAllowed(request.url()))
      complaints.push(`third party: ${request.url()}`);
  });
  await page.goto(url + path);
  return { context, page, complaints };
}

/** The built app, served once for all files: to start Vite takes a second. */
export const builtApp = once(async () => ({ ...(await serveBuiltApp()), close: async () => undefined }));

/** The browser without flags of its own, started once for all files, and again if it has ended. Each visit has a context of its own. */
let plainBrowser: Promise<Browser> | undefined;
export async function sharedChromium(): Promise<Browser> {
  const running = await plainBrowser;
  return running?.isConnected() ? running : await (plainBrowser = launchPlainChromium());
}

/** Provides the running app and a browser to the tests of a file. Every test fails if its pages have complaints. */
export function useApp(
  serve: () => Promise<RunningApp> = builtApp,
  extraFlags: () => readonly string[] = () => [],
): { open: (options?: VisitOptions) => Promise<Visit>; readonly url: string } {
  let app: RunningApp | undefined;
  let browser: Browser | undefined;
  const visits: Visit[] = [];

  let isShared = true;

  beforeAll(async () => {
    const flags = extraFlags();
    isShared = flags.length === 0;
    [app, browser] = await Promise.all([serve(), isShared ? sharedChromium() : launchChromium(flags)]);
  });
  afterEach(async () => {
    const ended = visits.splice(0);
    for (const { context } of ended) await context.close();
    expect(ended.flatMap(({ complaints }) => complaints)).toEqual([]);
  });
  afterAll(async () => {
    if (!isShared) await browser?.close();
    await app?.close();
  });
  return {
    get url() {
      return app!.url;
    },
    async open(options) {
      const opened = await visit(browser!, app!.url, options);
      visits.push(opened);
      return opened;
    },
  };
}
