import type { DataServiceDependencies } from '../data-service/dependencies.ts';
import { answerRequests } from './answer-requests.ts';
import type { TrustedProxies } from './client-address.ts';
import type { Log } from './log.ts';
import { createMetrics } from './metrics.ts';
import { startMongoEndpoint } from './mongo/start-mongo-endpoint.ts';
import { listenOnOnePort, type TlsFiles } from './one-port.ts';
import { serveApp } from './serve-app.ts';
import type { ServerLimits } from './server-limits.ts';

export interface ServerOptions {
  readonly host: string;
  /** 0: any free one */
  readonly port: number;
  /** of the database endpoint; null: there is none */
  readonly mongoPort?: number | null;
  readonly tls: TlsFiles | null;
  /** default null: no proxy is believed */
  readonly trustedProxies?: TrustedProxies | null;
  readonly limits: ServerLimits;
  /** of the built app */
  readonly appFolder: string;
}

export interface RunningServer {
  readonly port: number;
  readonly mongoPort: number | null;
  /** Not ready any more, then closed: calls under way may end within the limits' grace. */
  close(): Promise<void>;
}

/** Serves the data service and the app on one port. @throws the listener's error, as for a port that is taken */
export async function startServer(
  service: DataServiceDependencies,
  log: Log,
  { host, port, mongoPort = null, tls, trustedProxies = null, limits, appFolder }: ServerOptions,
): Promise<RunningServer> {
  const stopping = new AbortController();
  const metrics = createMetrics();
  const mongo =
    mongoPort === null
      ? null
      : await startMongoEndpoint(service, log, metrics.mongo, { host, port: mongoPort, tls, limits });
  const handle = answerRequests({
    ...{ limits, log, metrics, trustedProxies },
    service: mongo ? { ...service, database: mongo.database } : service,
    app: serveApp(appFolder),
    stopping: stopping.signal,
  });
  const listener = await listenOnOnePort(handle, { host, port, tls, limits }).catch(async (error: unknown) => {
    await mongo?.close(0);
    throw error;
  });
  return {
    port: listener.port,
    mongoPort: mongo?.port ?? null,
    async close() {
      stopping.abort();
      await Promise.all([listener.close(limits.shutdownGraceMs), mongo?.close(limits.shutdownGraceMs)]);
    },
  };
}
