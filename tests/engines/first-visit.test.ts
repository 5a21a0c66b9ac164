import { createServer } from 'vite';
import { describe, it } from 'vitest';
import { serveBuiltApp, type RunningApp } from '../e2e/app.ts';
import { servePlainly } from '../e2e/plain-server.ts';
import { expectFirstBoxes } from './bench.ts';
import { firefox, useEngine, webKit, webKitUnshared, type TestedEngine } from './engines.ts';

type Host = readonly [name: string, serve: () => Promise<RunningApp>];

/** Cross-origin isolated by headers of the host, or by the service worker from the second load on. */
const hosts: readonly Host[] = [
  ['npm start', serveBuiltApp],
  ['a host that sends no headers', () => servePlainly('/bench/')],
];

async function serveSources(): Promise<RunningApp> {
  const server = await createServer({ server: { host: '127.0.0.1', port: 0, open: false }, logLevel: 'silent' });
  await server.listen();
  return { url: server.resolvedUrls!.local[0]!, close: () => server.close() };
}

const visited: readonly (TestedEngine & { readonly hostsHere: readonly Host[] })[] = [
  { ...firefox, hostsHere: hosts },
  // WebKit alone checks the embedder policy on answers of 304, of which a development server gives many.
  { ...webKit, hostsHere: [...hosts, ['npm run dev', serveSources]] },
  { ...webKitUnshared, hostsHere: hosts.slice(0, 1) },
];

describe.each(visited)('$name', ({ hostsHere, ...tested }) => {
  const engine = useEngine(tested);

  it.skipIf(!tested.isHere).each(hostsHere)('shows boxes without a click on three visits from %s', async (_, serve) => {
    const host = await serve();
    const page = await engine.newPage();
    for (let visits = 0; visits < 3; visits++) {
      if (visits === 0) await page.driver.goto(host.url);
      else await page.driver.reload();
      await expectFirstBoxes(page);
    }
    await host.close();
  });
});
