import type { DataServiceDependencies } from '../data-service/dependencies.ts';
import { answerRequests } from './answer-requests.ts';
import type { Log } from './log.ts';
import { createMetrics } from './metrics.ts';
import { listenOnOnePort, type TlsFiles } from './one-port.ts';
import { serveApp } from './serve-app.ts';
import type { ServerLimits } from './server-limits.ts';

export interface ServerOptions {
  readonly host: string;
  /** 0: any free one */
  readonly port: number;
  readonly tls: TlsFiles | null;
  readonly limits: ServerLimits;
  /** of the built app */
  readonly appFolder: string;
}

export interface RunningServer {
  readonly port: number;
  /** Not ready any more, then closed: calls under way may end within the limits' grace. */
  close(): Promise<void>;
}

/** Serves the data service and the app on one port. @throws the listener's error, as for a port that is taken */
export async function startServer(
  service: DataServiceDependencies,
  log: Log,
  { host, port, tls, limits, appFolder }: ServerOptions,
): Promise<RunningServer> {
  const stopping = new AbortController();
  const handle = answerRequests({
    ...{ service, limits, log },
    metrics: createMetrics(),
    app: serveApp(appFolder),
    stopping: stopping.signal,
  });
  const listener = await listenOnOnePort(handle, { host, port, tls, limits });
  return {
    port: listener.port,
    async close() {
      stopping.abort();
      await listener.close(limits.shutdownGraceMs);
    },
  };
}
