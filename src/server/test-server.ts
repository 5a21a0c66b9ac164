import { Writable } from 'node:stream';
import { createClient } from '@connectrpc/connect';
import { createConnectTransport } from '@connectrpc/connect-node';
import { generate } from 'selfsigned';
import { onTestFinished } from 'vitest';
import { startDataService, type TestService } from '../../tests/data-service-fixture.ts';
import type { DataServiceDependencies } from '../data-service/ports/dependencies.ts';
import type { AllowedHosts } from './limits/allowed-hosts.ts';
import type { TrustedProxies } from './http/client-address.ts';
import { AuthService } from '../gen/proto/rpc/v1/auth_pb.ts';
import { createLog } from './http/log.ts';
import type { OpenIdSettings } from './login/open-id-provider.ts';
import type { TlsFiles } from './requests/one-port.ts';
import { defaultServerLimits, type ServerLimits } from './limits/server-limits.ts';
import { startServer } from './start-server.ts';
import type { ClockWatch } from './storage/clock-watch.ts';
import type { KeptStorage } from './storage/keep-storage.ts';

export interface TestServer {
  readonly service: TestService;
  readonly origin: string;
  readonly port: number;
  /** port of the database endpoint, where one was asked for */
  readonly mongoPort: number | null;
  readonly metricsPort: number | null;
  /** all that was logged */
  readonly log: () => string;
  readonly close: () => Promise<void>;
}

/** A real server on a free loopback port over the service of the tests; it ends with its test. */
export async function serveForTest(
  options: {
    readonly tls?: TlsFiles | null;
    readonly limits?: Partial<ServerLimits>;
    readonly trustedProxies?: TrustedProxies;
    readonly appFolder?: string;
    readonly mongoPort?: number;
    readonly metricsPort?: number;
    readonly allowedHosts?: AllowedHosts;
    readonly openId?: OpenIdSettings;
    readonly service?: Partial<DataServiceDependencies>;
    /** service of another server, to be one more host of its store */
    readonly shares?: TestService;
    readonly isStarting?: () => boolean;
    /** whose store the service shall have */
    readonly storage?: KeptStorage;
    readonly clockWatch?: ClockWatch;
  } = {},
): Promise<TestServer> {
  const service =
    options.shares ??
    (await startDataService({
      publicOrigin: ({ url }) => new URL(url).origin,
      ...(options.storage && { store: options.storage.store }),
      ...options.service,
    }));
  let logged = '';
  const sink = new Writable({
    write(chunk: Buffer, _, done) {
      logged += chunk.toString();
      done();
    },
  });
  const tls = options.tls ?? null;
  const server = await startServer(service.dependencies, createLog('debug', sink), {
    host: '127.0.0.1',
    port: 0,
    tls,
    mongoPort: options.mongoPort ?? null,
    metricsPort: options.metricsPort ?? null,
    allowedHosts: options.allowedHosts ?? null,
    openId: options.openId ?? null,
    limits: { ...defaultServerLimits, shutdownGraceMs: 1000, ...options.limits },
    trustedProxies: options.trustedProxies ?? null,
    storage: options.storage ?? null,
    clockWatch: options.clockWatch ?? null,
    isStarting: options.isStarting ?? (() => false),
    appFolder: options.appFolder ?? 'no-app-here',
  });
  let closing: Promise<void> | null = null;
  const close = (): Promise<void> => (closing ??= server.close());
  onTestFinished(close);
  const origin = `${tls ? 'https' : 'http'}://localhost:${server.port}`.replace('localhost', '127.0.0.1');
  const { port, mongoPort, metricsPort } = server;
  return { service, origin, port, mongoPort, metricsPort, log: () => logged, close };
}

/** A certificate for 127.0.0.1 that is its own authority. */
export async function makeCertificate(): Promise<TlsFiles> {
  const subject = [{ name: 'commonName', value: '127.0.0.1' }];
  const made = await generate(subject, {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
    ],
  });
  return { key: Buffer.from(made.private), cert: Buffer.from(made.cert) };
}

/** The token of the owner of a server's data, as a header. */
export async function logIn({ origin, service }: TestServer): Promise<{ authorization: string }> {
  const { id, secret } = service.keys.owner;
  const auth = createClient(AuthService, createConnectTransport({ baseUrl: origin, httpVersion: '1.1' }));
  const { accessToken } = await auth.authenticate({ entity: id, credentials: { type: 'api-key', payload: secret } });
  return { authorization: `Bearer ${accessToken}` };
}
