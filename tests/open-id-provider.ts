import { randomBytes } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import Provider, { type AccountClaims, type Configuration } from 'oidc-provider';

export interface ProviderAccount {
  readonly name?: string;
  readonly email?: string;
  readonly email_verified?: boolean;
}

/** A provider of OpenID Connect on loopback, with pages on which anybody logs in as any of its accounts. */
export interface TestProvider {
  readonly issuer: URL;
  readonly clientId: string;
  readonly clientSecret: string;
  /** what it does with requests before the provider gets them; true: it has answered */
  intercept: (path: string, respond: (status: number, json: object) => void, headers: IncomingHttpHeaders) => boolean;
  /** Lets servers at these origins log people in from now on. */
  register(...origins: readonly string[]): void;
  stop(): Promise<void>;
  /** Answers again at the same address. */
  startAgain(): Promise<void>;
}

/** @param accounts by the name that a person types to log in, which becomes the subject */
export async function startOpenIdProvider(
  accounts: Readonly<Record<string, ProviderAccount>>,
  { claimsInIdToken = false, ...more }: Configuration & { readonly claimsInIdToken?: boolean } = {},
): Promise<TestProvider> {
  const [clientId, clientSecret] = ['sightglass', randomBytes(16).toString('hex')];
  const keys = [randomBytes(16).toString('hex')];
  let provider: Provider | null = null;
  const open = (): Server =>
    createServer((request, response) => {
      const respond = (status: number, json: object): void => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
      };
      if (tested.intercept(request.url!.split('?', 1)[0]!, respond, request.headers)) return;
      if (provider === null) respond(503, { error: 'temporarily_unavailable' });
      else void provider.callback()(request, response);
    });
  let server = open();
  const listen = (port: number): Promise<unknown> => once(server.listen(port, '127.0.0.1'), 'listening');
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const issuer = new URL(`http://127.0.0.1:${port}`);
  const tested: TestProvider = {
    issuer,
    clientId,
    clientSecret,
    intercept: () => false,
    register(...origins) {
      provider = quietly(
        () =>
          new Provider(issuer.href.replace(/\/$/, ''), {
            clients: [
              {
                client_id: clientId,
                client_secret: clientSecret,
                redirect_uris: origins.map((origin) => `${origin}/login/callback`),
              },
            ],
            findAccount: (_, id) =>
              accounts[id] && { accountId: id, claims: async () => ({ sub: id, ...accounts[id] }) as AccountClaims },
            claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
            conformIdTokenClaims: !claimsInIdToken,
            features: { devInteractions: { enabled: true } },
            cookies: { keys },
            ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
            ...more,
          }),
      );
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
    async startAgain() {
      server = open();
      await listen(port);
    },
  };
  return tested;
}

/** Without the warnings that what it does here is for development: it is. */
function quietly<T>(make: () => T): T {
  const { warn } = console;
  console.warn = () => undefined;
  try {
    return make();
  } finally {
    console.warn = warn;
  }
}
