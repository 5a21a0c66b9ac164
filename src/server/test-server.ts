import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { startDataService, type TestService } from '../../tests/data-service-fixture.ts';
import type { DataServiceDependencies } from '../data-service/dependencies.ts';
import { createLog } from './log.ts';
import type { TlsFiles } from './one-port.ts';
import { defaultServerLimits, type ServerLimits } from './server-limits.ts';
import { startServer } from './start-server.ts';

export interface TestServer {
  readonly service: TestService;
  readonly origin: string;
  readonly port: number;
  /** of the database endpoint, where one was asked for */
  readonly mongoPort: number | null;
  /** all that was logged */
  readonly log: () => string;
  readonly close: () => Promise<void>;
}

/** A real server on a free loopback port over the service of the tests; it ends with its test. */
export async function serveForTest(
  options: {
    readonly tls?: TlsFiles | null;
    readonly limits?: Partial<ServerLimits>;
    readonly appFolder?: string;
    readonly mongoPort?: number;
    readonly service?: Partial<DataServiceDependencies>;
  } = {},
): Promise<TestServer> {
  const service = await startDataService({
    publicOrigin: ({ url }) => new URL(url).origin,
    ...options.service,
  });
  let logged = '';
  const sink = new Writable({
    write(chunk: Buffer, _, done) {
      logged += chunk.toString();
      done();
    },
  });
  const tls = options.tls ?? null;
  const server = await startServer(service.dependencies, createLog('debug', sink), {
    ...{ host: '127.0.0.1', port: 0, tls, mongoPort: options.mongoPort ?? null },
    limits: { ...defaultServerLimits, shutdownGraceMs: 1000, ...options.limits },
    appFolder: options.appFolder ?? 'no-app-here',
  });
  let closing: Promise<void> | null = null;
  const close = (): Promise<void> => (closing ??= server.close());
  onTestFinished(close);
  const origin = `${tls ? 'https' : 'http'}://localhost:${server.port}`.replace('localhost', '127.0.0.1');
  return { service, origin, port: server.port, mongoPort: server.mongoPort, log: () => logged, close };
}

/** A certificate for 127.0.0.1 that is its own authority. */
export function makeCertificate(): TlsFiles {
  const folder = mkdtempSync(join(tmpdir(), 'sightglass-certificate-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2'];
  try {
    execFileSync('openssl', [...request, ...subject, '-keyout', key, '-out', cert], { stdio: 'pipe' });
    return { key: readFileSync(key), cert: readFileSync(cert) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
