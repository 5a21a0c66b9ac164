import { cors, type ConnectRouter } from '@connectrpc/connect';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ServedRoutes {
  /** the address as a person would type it */
  readonly url: string;
  close(): Promise<void>;
}

/** Serves routes on loopback like a machine or an account service: gRPC-Web, allowed from any origin. */
export async function serveRoutes(routes: (router: ConnectRouter) => void, port = 0): Promise<ServedRoutes> {
  const answer = connectNodeAdapter({ routes });
  const server = createServer((request, response) => {
    response.setHeader('access-control-allow-origin', request.headers.origin ?? '*');
    response.setHeader('access-control-allow-methods', cors.allowedMethods.join(', '));
    response.setHeader(
      'access-control-allow-headers',
      [...cors.allowedHeaders, 'authorization', 'rpc-host'].join(', '),
    );
    response.setHeader('access-control-expose-headers', cors.exposedHeaders.join(', '));
    if (request.method === 'OPTIONS') response.writeHead(204).end();
    else answer(request, response);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
