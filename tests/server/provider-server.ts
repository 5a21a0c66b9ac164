import { onTestFinished } from 'vitest';
import { serveForTest, type TestServer } from '../../src/server/test-server.ts';
import { startOpenIdProvider, type TestProvider } from '../open-id-provider.ts';
import { localOrigin } from './people-server.ts';
import { TestBrowser } from './test-browser.ts';

const accounts = {
  ada: { name: 'Ada', email: 'Ada@Example.com', email_verified: true },
  bob: { name: 'Bob', email: 'bob@example.com', email_verified: false },
  eve: { name: 'Eve', email: 'eve@example.com', email_verified: true },
  // has the address of another account, as where a provider gives an address to somebody else
  twin: { name: 'Twin', email: 'ada@example.com', email_verified: true },
};

export interface ProviderServer {
  readonly server: TestServer;
  readonly provider: TestProvider;
  readonly origin: string;
  readonly browser: TestBrowser;
}

export const openIdOf = ({ issuer, clientId, clientSecret }: TestProvider) => ({
  issuer,
  clientId,
  clientSecret,
  name: 'Acme',
});

/** A server whose people log in by a provider that runs beside it. */
export async function startProviderServer(
  options: Parameters<typeof serveForTest>[0] = {},
  configuration: Parameters<typeof startOpenIdProvider>[1] = {},
): Promise<ProviderServer> {
  const provider = await startOpenIdProvider(accounts, configuration);
  onTestFinished(() => provider.stop());
  const server = await serveForTest({ openId: openIdOf(provider), ...options });
  const origin = localOrigin(server);
  provider.register(origin);
  return { server, provider, origin, browser: new TestBrowser() };
}

/** What a page says of a log-in that failed. */
export interface FailurePage {
  readonly status: number;
  readonly title: string;
  readonly html: string;
}

export async function pageOf(response: Response): Promise<FailurePage> {
  const html = await response.text();
  return { status: response.status, title: /<h1>(.*)<\/h1>/.exec(html)?.[1] ?? '', html };
}
