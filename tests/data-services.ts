import { FleetService } from '../src/data-service/wire/fleet-service.ts';
import { DataService } from '../src/gen/app/data/v1/data_pb.ts';
import { DataPipelinesService } from '../src/gen/app/datapipelines/v1/data_pipelines_pb.ts';
import { DatasetService } from '../src/gen/app/dataset/v1/dataset_pb.ts';
import { DataSyncService } from '../src/gen/app/datasync/v1/data_sync_pb.ts';
import { RobotService } from '../src/gen/app/v1/robot_pb.ts';
import { AuthService } from '../src/gen/proto/rpc/v1/auth_pb.ts';
import { AuditService } from '../src/gen/sightglass/audit/v1/audit_pb.ts';
import { LabelService } from '../src/gen/sightglass/labels/v1/labels_pb.ts';
import { QueryService } from '../src/gen/sightglass/query/v1/query_pb.ts';
import { PeopleService, SessionService } from '../src/gen/sightglass/people/v1/people_pb.ts';
import { ReplayService } from '../src/gen/sightglass/replay/v1/replay_pb.ts';
import { StorageService } from '../src/gen/sightglass/storage/v1/storage_pb.ts';

/** The services of the data service. Tests of every operation go through them all. */
export const dataServices = [
  AuthService,
  DataSyncService,
  DataService,
  DatasetService,
  DataPipelinesService,
  StorageService,
  QueryService,
  ReplayService,
  AuditService,
  LabelService,
  FleetService,
  RobotService,
  SessionService,
  PeopleService,
] as const;
