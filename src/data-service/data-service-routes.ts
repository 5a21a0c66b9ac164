import type { ConnectRouter, HandlerContext } from '@connectrpc/connect';
import { DataService } from '../gen/app/data/v1/data_pb.ts';
import { DataPipelinesService } from '../gen/app/datapipelines/v1/data_pipelines_pb.ts';
import { DatasetService } from '../gen/app/dataset/v1/dataset_pb.ts';
import { DataSyncService } from '../gen/app/datasync/v1/data_sync_pb.ts';
import { RobotService } from '../gen/app/v1/robot_pb.ts';
import { AuthService } from '../gen/proto/rpc/v1/auth_pb.ts';
import { AuditService } from '../gen/sightglass/audit/v1/audit_pb.ts';
import { LabelService } from '../gen/sightglass/labels/v1/labels_pb.ts';
import { QueryService } from '../gen/sightglass/query/v1/query_pb.ts';
import { PeopleService, SessionService } from '../gen/sightglass/people/v1/people_pb.ts';
import { ReplayService } from '../gen/sightglass/replay/v1/replay_pb.ts';
import { StorageService } from '../gen/sightglass/storage/v1/storage_pb.ts';
import { accessGate } from './access/access-gate.ts';
import { authRoutes } from './access/auth-routes.ts';
import { countAttempts } from './access/count-attempts.ts';
import { databaseRoutes } from './access/database-routes.ts';
import { boxRoutes } from './annotations/box-routes.ts';
import { tagRoutes } from './annotations/tag-routes.ts';
import { auditRoutes } from './audit/audit-routes.ts';
import { onBehalf } from './audit/on-behalf.ts';
import { answerErrors, answerGateErrors } from './wire/answer-errors.ts';
import { jsonDecoder } from './wire/decode-json.ts';
import { datasetRoutes } from './datasets/dataset-routes.ts';
import { membershipRoutes } from './datasets/membership-routes.ts';
import { deleteRoutes } from './deletes/delete-routes.ts';
import type { DataServiceDependencies } from './ports/dependencies.ts';
import { signedUrlRoutes } from './access/signed-url.ts';
import { fleetRoutes } from './fleet/fleet-routes.ts';
import { FleetService } from './wire/fleet-service.ts';
import { machineLogRoutes } from './fleet/machine-log-routes.ts';
import { queryRoutes, streamedQueryRoutes } from './query/query-routes.ts';
import { savedQueryRoutes } from './query/saved-query-routes.ts';
import { labelRoutes } from './labels/label-routes.ts';
import { indexRoutes } from './indexes/index-routes.ts';
import { passkeyRoutes } from './people/passkey-routes.ts';
import { peopleRoutes } from './people/people-routes.ts';
import { sessionRoutes } from './people/session-routes.ts';
import { pipelineRoutes } from './pipelines/pipeline-routes.ts';
import { replayRoutes } from './replay/replay-routes.ts';
import { retrievalRoutes } from './retrieval/retrieval-routes.ts';
import { exportRoutes } from './sequences/export/export-routes.ts';
import { sequenceMemberRoutes } from './sequences/member-routes.ts';
import { sequenceRoutes } from './sequences/sequence-routes.ts';
import { blameUnreadable } from './wire/unreadable-message.ts';
import { checkTimestamps } from './wire/check-timestamps.ts';
import { leaveOutOfJson, parameterTypes } from './wire/json-parameters.ts';
import { dataSyncRoutes } from './uploads/data-sync-routes.ts';
import { usageRoutes } from './usage/usage-routes.ts';

/** Longest key id and secret that are read. */
export const maxCredentialBytes = 64 * 1024;

/**
 * Makes the routes of the whole data service, for any Connect host.
 * @param dependencies store, clock, cryptography, limits and what else the host gives
 * @returns a function that adds the services to a router
 * @example
 * import { startDataService } from '../../tests/data-service-fixture.ts';
 * const { dependencies } = await startDataService();
 * const services: string[] = [];
 * dataServiceRoutes(dependencies)({ service: ({ typeName }) => services.push(typeName) });
 * services.includes('viam.app.data.v1.DataService'); // => true
 */
export function dataServiceRoutes(dependencies: DataServiceDependencies): (router: ConnectRouter) => void {
  const gate = answerGateErrors(accessGate(dependencies), dependencies);
  const options = {
    requestGate: (context: HandlerContext) => {
      blameUnreadable(context);
      return gate(context);
    },
    interceptors: [answerErrors(dependencies), leaveOutOfJson, checkTimestamps],
    readMaxBytes: dependencies.limits.maxMessageBytes,
    jsonOptions: { ignoreUnknownFields: true, textDecoder: jsonDecoder, registry: parameterTypes },
  };
  return (router) => {
    router.service(AuthService, authRoutes(dependencies), {
      ...options,
      readMaxBytes: Math.min(maxCredentialBytes, options.readMaxBytes),
    });
    router.service(DataSyncService, onBehalf(DataSyncService, dependencies, dataSyncRoutes), options);
    router.service(DataService, onBehalf(DataService, dependencies, dataRoutes), options);
    router.service(DataPipelinesService, onBehalf(DataPipelinesService, dependencies, pipelineRoutes), options);
    const ofDatasets = onBehalf(DatasetService, dependencies, datasetRoutes);
    router.service(DatasetService, { ...ofDatasets, ...exportRoutes(dependencies) }, options);
    router.service(QueryService, streamedQueryRoutes(dependencies), options);
    router.service(StorageService, usageRoutes(dependencies), options);
    router.service(ReplayService, replayRoutes(dependencies), options);
    router.service(AuditService, auditRoutes(dependencies), options);
    router.service(LabelService, onBehalf(LabelService, dependencies, labelRoutes), options);
    router.service(FleetService, fleetRoutes(dependencies), options);
    router.service(RobotService, machineLogRoutes(dependencies), options);
    const ofSessions = { ...sessionRoutes(dependencies), ...passkeyRoutes(dependencies) };
    const counting = { ...options, interceptors: [...options.interceptors, countAttempts] };
    router.service(SessionService, ofSessions, counting);
    router.service(PeopleService, onBehalf(PeopleService, dependencies, peopleRoutes), counting);
  };
}

const dataRoutes = (dependencies: DataServiceDependencies) => ({
  ...retrievalRoutes(dependencies),
  ...tagRoutes(dependencies),
  ...boxRoutes(dependencies),
  ...membershipRoutes(dependencies),
  ...deleteRoutes(dependencies),
  ...signedUrlRoutes(dependencies),
  ...databaseRoutes(dependencies),
  ...queryRoutes(dependencies),
  ...savedQueryRoutes(dependencies),
  ...indexRoutes(dependencies),
  ...sequenceRoutes(dependencies),
  ...sequenceMemberRoutes(dependencies),
});
