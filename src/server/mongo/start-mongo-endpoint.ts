import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:tls';
import { databaseUserName } from '../../data-service/face/access.ts';
import type { DatabaseEndpoint, DataServiceDependencies } from '../../data-service/face/hosts.ts';
import { AttemptLimit } from '../limits/attempt-limit.ts';
import type { Log } from '../http/log.ts';
import type { TlsFiles } from '../requests/one-port.ts';
import { RefusedLogIns } from '../limits/refused-log-ins.ts';
import type { ServerLimits } from '../limits/server-limits.ts';
import { databaseName } from './database-name.ts';
import { scramMechanism } from './login.ts';
import { MongoConnection, type ConnectionDependencies } from './mongo-connection.ts';
import type { MongoMetrics } from '../monitoring/mongo-metrics.ts';
import { OpenCursors } from './open-cursors.ts';

export interface MongoEndpoint {
  readonly port: number;
  /** how the data service tells of it */
  readonly database: DatabaseEndpoint;
  renewCertificate(tls: TlsFiles): void;
  /** Takes no new connections, lets running commands end for `graceMs`, then cuts the rest. */
  close(graceMs: number): Promise<void>;
}

/**
 * Lets clients of MongoDB read the data of their organization, and nothing else.
 * @throws the listener's error, as for a port that is taken
 */
export async function startMongoEndpoint(
  service: DataServiceDependencies,
  log: Log,
  metrics: MongoMetrics,
  options: {
    readonly host: string;
    /** 0: any free one */
    readonly port: number;
    readonly tls: TlsFiles | null;
    readonly limits: ServerLimits;
  },
): Promise<MongoEndpoint> {
  const { limits, tls } = options;
  const { access } = service.store;
  const cursors = new OpenCursors();
  const refused = new RefusedLogIns(access, (error) =>
    log.warn({ err: error }, 'refused log-ins were not written down'),
  );
  const dependencies: ConnectionDependencies = {
    limits,
    metrics,
    log,
    service: { ...service, cursors },
    login: {
      access,
      decoySecret: await access.installationSecret('database-users', service.secrets.randomBytes(32)),
      attempts: new AttemptLimit(limits.authenticateBurst, limits.authenticatePerMinute, () => performance.now()),
      onFailure: (user, address) => {
        metrics.failedLogins.inc();
        if (user === null) return;
        const { organizationId } = user;
        const name = databaseUserName(organizationId);
        refused.note({ by: 'database-user', organizationId, id: organizationId, name }, address);
      },
    },
  };
  const sockets = new Set<Socket>();
  const connections = new Set<MongoConnection>();
  let lastId = 0;
  const connect = (socket: Socket): void => {
    makeRoom(connections, limits.maxConnections);
    const connection = new MongoConnection(socket, ++lastId, dependencies);
    connections.add(connection);
    socket.once('close', () => connections.delete(connection));
  };
  const server: Server = tls
    ? createTlsServer({ ...tls, handshakeTimeout: limits.headersTimeoutMs }, connect)
    : createServer(connect);
  server.maxConnections = limits.maxConnections;
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const port = await listen(server, options);

  return {
    port,
    renewCertificate: (renewed) => (server as TlsServer).setSecureContext(renewed),
    database: {
      addressFor(serviceOrigin, user) {
        const hostname = `${new URL(serviceOrigin).hostname}:${port}`;
        const parameters = new URLSearchParams({ authMechanism: scramMechanism, authSource: 'admin' });
        parameters.set('directConnection', 'true');
        if (tls) parameters.set('tls', 'true');
        const mongodbUri = `mongodb://${encodeURIComponent(user)}@${hostname}/${databaseName}?${parameters}`;
        return { hostname, mongodbUri };
      },
      dropConnections(organizationId) {
        cursors.closeAllOf(organizationId);
        for (const connection of connections) if (connection.organizationId === organizationId) connection.cut();
      },
    },
    async close(graceMs) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const connection of connections) connection.end();
      const cutRest = setTimeout(() => sockets.forEach((socket) => socket.destroy()), graceMs);
      await closed;
      clearTimeout(cutRest);
      cursors.closeAll();
    },
  };
}

/** Those who are not logged in take at most half of the places: the one that came first makes room. */
function makeRoom(connections: ReadonlySet<MongoConnection>, maxConnections: number): void {
  const strangers = [...connections].filter(({ organizationId }) => organizationId === null);
  if (strangers.length >= Math.max(1, Math.floor(maxConnections / 2))) strangers[0]!.cut();
}

const listen = (server: Server, { host, port }: { readonly host: string; readonly port: number }): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
