import type { DataServiceDependencies } from '../data-service/face/hosts.ts';
import type { AllowedHosts } from './limits/allowed-hosts.ts';
import { answerOnlyMonitoring } from './monitoring/answer-monitoring.ts';
import { answerRequests } from './requests/answer-requests.ts';
import type { TrustedProxies } from './http/client-address.ts';
import type { Log } from './http/log.ts';
import type { ConnectionLimit } from './limits/connection-slots.ts';
import { OpenIdProvider, type OpenIdSettings } from './login/open-id-provider.ts';
import { createMetrics } from './monitoring/metrics.ts';
import { startMongoEndpoint } from './mongo/start-mongo-endpoint.ts';
import { listenOnOnePort, type TlsFiles } from './requests/one-port.ts';
import { serveApp } from './files/serve-app.ts';
import type { ServerLimits } from './limits/server-limits.ts';
import { StoreHealth } from './storage/store-health.ts';
import type { ClockWatch } from './storage/clock-watch.ts';
import type { KeptStorage } from './storage/keep-storage.ts';

export interface ServerOptions {
  readonly host: string;
  /** 0: any free one */
  readonly port: number;
  /** port of the database endpoint; null: there is none */
  readonly mongoPort?: number | null;
  readonly tls: TlsFiles | null;
  /** another port, for /metrics and probes alone; null: the one port answers them too */
  readonly metricsPort?: number | null;
  /** default null: requests may ask for any name */
  readonly allowedHosts?: AllowedHosts;
  /** default null: no proxy is believed */
  readonly trustedProxies?: TrustedProxies | null;
  /** by which people log in; default null: by passkeys alone */
  readonly openId?: OpenIdSettings | null;
  readonly limits: ServerLimits;
  /** default null: nobody watches the disk */
  readonly storage?: KeptStorage | null;
  /** why the store cannot be used, in words; null: it can. Default: what it says when it is asked */
  readonly storeTrouble?: () => Promise<string | null>;
  /** where what runs beside the server reports damage, too; default null: nothing does */
  readonly health?: StoreHealth | null;
  /** whether it listens, and is not ready yet; default: never */
  readonly isStarting?: () => boolean;
  /** default null: nobody watches the clock */
  readonly clockWatch?: ClockWatch | null;
  /** how many wait beside the server, by what for */
  readonly queues?: Readonly<Record<string, () => number>>;
  /** folder with the built app */
  readonly appFolder: string;
}

interface Listener {
  readonly port: number;
  renewCertificate(tls: TlsFiles): void;
  close(graceMs: number): Promise<void>;
}

export interface RunningServer {
  readonly port: number;
  readonly mongoPort: number | null;
  readonly metricsPort: number | null;
  /** Shows another certificate to those who connect from now on; calls under way go on. Only where it was started with one. */
  renewCertificate(tls: TlsFiles): void;
  /** Not ready any more, then closed: calls under way may end within the limits' grace. */
  close(): Promise<void>;
}

/** Serves the data service and the app on one port. @throws the listener's error, as for a port that is taken */
export async function startServer(
  dependencies: DataServiceDependencies,
  log: Log,
  options: ServerOptions,
): Promise<RunningServer> {
  const health = options.health ?? new StoreHealth(dependencies.defects);
  const logIn = { ...dependencies.logIn, providerName: options.openId?.name ?? '' };
  const service = { ...dependencies, defects: health, logIn };
  const { host, port, mongoPort = null, metricsPort = null, tls, limits, storage = null } = options;
  const stopping = new AbortController();
  const metrics = createMetrics(service.store, storage, health, metricsPort !== null);
  if (options.clockWatch) metrics.watchClock(options.clockWatch);
  for (const [name, length] of Object.entries(options.queues ?? {})) metrics.watchQueue(name, length);
  const onClosed = (option: ConnectionLimit): void => metrics.closedConnections.inc({ option });
  const open: Listener[] = [];
  const listen = async <Opened extends Listener>(opening: Promise<Opened>): Promise<Opened> => {
    const listener = await opening.catch(async (error: unknown) => {
      await Promise.all(open.map((other) => other.close(0)));
      throw error;
    });
    open.push(listener);
    return listener;
  };
  const mongo =
    mongoPort === null
      ? null
      : await listen(startMongoEndpoint(service, log, metrics.mongo, { host, port: mongoPort, tls, limits }));
  const askStore = () => service.store.access.listOrganizations().then(() => null);
  const { isStarting = () => false, storeTrouble = askStore } = options;
  const room = storage?.room ?? null;
  const keepers = { storeTrouble, metrics, health, room, isStarting, stopping: stopping.signal };
  const forKeepers =
    metricsPort === null
      ? null
      : await listen(
          listenOnOnePort(answerOnlyMonitoring(keepers), { host, port: metricsPort, tls, limits, onClosed }),
        );
  const handle = answerRequests({
    ...keepers,
    limits,
    log,
    hasMetrics: forKeepers === null,
    service: mongo ? { ...service, database: mongo.database } : service,
    app: serveApp(options.appFolder),
    provider: options.openId ? new OpenIdProvider(options.openId) : null,
    trustedProxies: options.trustedProxies ?? null,
    allowedHosts: options.allowedHosts ?? null,
  });
  // Behind a proxy all clients come from its address.
  const shares = options.trustedProxies ? { ...limits, maxConnectionsPerAddress: Infinity } : limits;
  const listener = await listen(listenOnOnePort(handle, { host, port, tls, limits: shares, onClosed }));
  return {
    port: listener.port,
    mongoPort: mongo?.port ?? null,
    metricsPort: forKeepers?.port ?? null,
    renewCertificate: (renewed) => open.forEach((each) => each.renewCertificate(renewed)),
    async close() {
      stopping.abort();
      await Promise.all(open.map((each) => each.close(limits.shutdownGraceMs)));
    },
  };
}
