import { existsSync } from 'node:fs';
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright';
import { preview } from 'vite';
import { chromiumPath, chromiumTestFlags } from '../../scripts/chromium.ts';

export interface RunningApp {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves the built app as its own preview server does, on a free loopback port. */
export async function serveBuiltApp(): Promise<RunningApp> {
  if (!existsSync('dist/index.html')) throw new Error('dist/ is missing: run "npm run build" first.');
  const server = await preview({ preview: { host: '127.0.0.1', port: 0, open: false }, logLevel: 'silent' });
  const address = server.httpServer.address();
  if (address === null || typeof address === 'string') throw new Error('The preview server has no port.');
  return { url: `http://127.0.0.1:${address.port}/`, close: () => server.close() };
}

export function launchChromium(extraFlags: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath(), args: [...chromiumTestFlags, ...extraFlags] });
}

export interface Visit {
  readonly context: BrowserContext;
  readonly page: Page;
  /** console errors and warnings, uncaught errors, failed requests, and requests to any other host */
  readonly complaints: string[];
}

export async function visit(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      complaints.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`));
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? '';
    if (reason !== 'net::ERR_ABORTED') complaints.push(`failed: ${request.url()} ${reason}`);
  });
  page.on('request', (request) => {
    const target = new URL(request.url());
    if (target.protocol.startsWith('http') && target.host !== new URL(url).host)
      complaints.push(`third party: ${request.url()}`);
  });
  await page.goto(url);
  return { context, page, complaints };
}
