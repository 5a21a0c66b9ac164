import { createClient, type Interceptor, type Transport } from '@connectrpc/connect';
import { FleetService } from '../../src/data-service/wire/fleet-service.ts';
import { DataService } from '../../src/gen/app/data/v1/data_pb.ts';
import { DataPipelinesService } from '../../src/gen/app/datapipelines/v1/data_pipelines_pb.ts';
import { DatasetService } from '../../src/gen/app/dataset/v1/dataset_pb.ts';
import { DataSyncService } from '../../src/gen/app/datasync/v1/data_sync_pb.ts';
import { RobotService } from '../../src/gen/app/v1/robot_pb.ts';
import { AuthService } from '../../src/gen/proto/rpc/v1/auth_pb.ts';
import { AuditService } from '../../src/gen/sightglass/audit/v1/audit_pb.ts';
import { LabelService } from '../../src/gen/sightglass/labels/v1/labels_pb.ts';
import { QueryService } from '../../src/gen/sightglass/query/v1/query_pb.ts';
import { PeopleService, SessionService } from '../../src/gen/sightglass/people/v1/people_pb.ts';
import { ReplayService } from '../../src/gen/sightglass/replay/v1/replay_pb.ts';
import { StorageService } from '../../src/gen/sightglass/storage/v1/storage_pb.ts';
import type { ServedHome } from './home.ts';
import { observedClient } from './observed-client.ts';
import type { OperationRecord } from './operation-record.ts';
import type { ServiceClients } from './operation-scenarios.ts';

/** Logs in with the key of a home; returns clients that use the token. */
export async function login(
  { keyId: entity, key: payload }: Pick<ServedHome, 'keyId' | 'key'>,
  createTransport: (authorization: string | null) => Transport,
  record: OperationRecord,
): Promise<ServiceClients> {
  let token = '';
  await record.during(async () => {
    const auth = observedClient(AuthService, createClient(AuthService, createTransport(null)), record);
    token = (await auth.authenticate({ entity, credentials: { type: 'api-key', payload } })).accessToken;
  });
  const transport = createTransport(`Bearer ${token}`);
  return {
    data: createClient(DataService, transport),
    sync: createClient(DataSyncService, transport),
    datasets: createClient(DatasetService, transport),
    pipelines: createClient(DataPipelinesService, transport),
    storage: createClient(StorageService, transport),
    query: createClient(QueryService, transport),
    replay: createClient(ReplayService, transport),
    audit: createClient(AuditService, transport),
    labels: createClient(LabelService, transport),
    fleet: createClient(FleetService, transport),
    machine: createClient(RobotService, transport),
    session: createClient(SessionService, transport),
    people: createClient(PeopleService, transport),
  };
}

/** Sends the token with every call of a Connect transport. */
export const authorizing =
  (authorization: string | null): Interceptor =>
  (next) =>
  (request) => {
    if (authorization !== null) request.header.set('authorization', authorization);
    return next(request);
  };
