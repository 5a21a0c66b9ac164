import { createClient, type Interceptor, type Transport } from '@connectrpc/connect';
import { DataService } from '../../src/gen/app/data/v1/data_pb.ts';
import { DataPipelinesService } from '../../src/gen/app/datapipelines/v1/data_pipelines_pb.ts';
import { DatasetService } from '../../src/gen/app/dataset/v1/dataset_pb.ts';
import { DataSyncService } from '../../src/gen/app/datasync/v1/data_sync_pb.ts';
import { AuthService } from '../../src/gen/proto/rpc/v1/auth_pb.ts';
import type { ServedHome } from './home.ts';
import { observedClient } from './observed-client.ts';
import type { OperationRecord } from './operation-record.ts';
import type { ServiceClients } from './operation-scenarios.ts';

/** Exchanges the key of a home for clients that act with it. */
export async function login(
  { keyId: entity, key: payload }: Pick<ServedHome, 'keyId' | 'key'>,
  createTransport: (interceptors: Interceptor[]) => Transport,
  record: OperationRecord,
): Promise<ServiceClients> {
  let token = '';
  await record.during(async () => {
    const auth = observedClient(AuthService, createClient(AuthService, createTransport([])), record);
    token = (await auth.authenticate({ entity, credentials: { type: 'api-key', payload } })).accessToken;
  });
  const authorize: Interceptor = (next) => (request) => {
    request.header.set('authorization', `Bearer ${token}`);
    return next(request);
  };
  const transport = createTransport([authorize]);
  return {
    data: createClient(DataService, transport),
    sync: createClient(DataSyncService, transport),
    datasets: createClient(DatasetService, transport),
    pipelines: createClient(DataPipelinesService, transport),
  };
}
