import { createClient, type Interceptor, type Transport } from '@connectrpc/connect';
import { createGrpcTransport, createGrpcWebTransport } from '@connectrpc/connect-node';
import type { FirstStart } from '../../src/server/storage/first-start.ts';
import { DataService } from '../../src/gen/app/data/v1/data_pb.ts';
import { DataPipelinesService } from '../../src/gen/app/datapipelines/v1/data_pipelines_pb.ts';
import { DataSyncService } from '../../src/gen/app/datasync/v1/data_sync_pb.ts';
import { AuthService } from '../../src/gen/proto/rpc/v1/auth_pb.ts';

type Key = Pick<FirstStart, 'keyId' | 'key'>;

const transports: Record<'grpc' | 'grpc-web', (baseUrl: string, interceptors: Interceptor[]) => Transport> = {
  grpc: (baseUrl, interceptors) => createGrpcTransport({ baseUrl, interceptors }),
  'grpc-web': (baseUrl, interceptors) => createGrpcWebTransport({ baseUrl, interceptors, httpVersion: '1.1' }),
};

/** Clients that authenticate with a key and then call with its token. */
export async function authenticatedClients(origin: string, { keyId, key }: Key, protocol: keyof typeof transports) {
  const { accessToken } = await createClient(AuthService, transports[protocol](origin, [])).authenticate({
    entity: keyId,
    credentials: { type: 'api-key', payload: key },
  });
  return { accessToken, ...clientsWithToken(origin, accessToken, protocol) };
}

export function clientsWithToken(origin: string, accessToken: string, protocol: keyof typeof transports) {
  const transport = transports[protocol](origin, [
    (next) => (request) => {
      request.header.set('authorization', `Bearer ${accessToken}`);
      return next(request);
    },
  ]);
  return {
    sync: createClient(DataSyncService, transport),
    data: createClient(DataService, transport),
    pipelines: createClient(DataPipelinesService, transport),
  };
}

export type ServerClients = ReturnType<typeof clientsWithToken>;
