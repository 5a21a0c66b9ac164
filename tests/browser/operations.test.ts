import { createClient } from '@connectrpc/connect';
import { afterAll, describe, expect, it } from 'vitest';
import { commands } from 'vitest/browser';
import { createDataClient } from '../../workers/data-service/client.ts';
import { FleetService } from '../../src/data-service/wire/fleet-service.ts';
import { RobotService } from '../../src/gen/app/v1/robot_pb.ts';
import { AuditService } from '../../src/gen/sightglass/audit/v1/audit_pb.ts';
import { LabelService } from '../../src/gen/sightglass/labels/v1/labels_pb.ts';
import { QueryService } from '../../src/gen/sightglass/query/v1/query_pb.ts';
import { PeopleService, SessionService } from '../../src/gen/sightglass/people/v1/people_pb.ts';
import { ReplayService } from '../../src/gen/sightglass/replay/v1/replay_pb.ts';
import { StorageService } from '../../src/gen/sightglass/storage/v1/storage_pb.ts';
import { localHome } from '../../src/data-service/access/local-home.ts';
import { OperationRecord } from '../clients/operation-record.ts';
import { describeOperations } from '../clients/operation-scenarios.ts';
import type {} from '../clients/page-commands.ts';

const startWorker = () =>
  new Worker(new URL('../../workers/data-service/entry.ts', import.meta.url), { type: 'module' });
const client = createDataClient(startWorker);
const record = new OperationRecord();

afterAll(() => client.close());

describe('the app’s client over the worker of the browser', () => {
  describeOperations({
    home: () => localHome,
    clients: () => ({
      ...client,
      storage: createClient(StorageService, client.transport),
      query: createClient(QueryService, client.transport),
      replay: createClient(ReplayService, client.transport),
      audit: createClient(AuditService, client.transport),
      labels: createClient(LabelService, client.transport),
      fleet: createClient(FleetService, client.transport),
      machine: createClient(RobotService, client.transport),
      session: createClient(SessionService, client.transport),
      people: createClient(PeopleService, client.transport),
    }),
    record,
    // Only the built app's service worker serves files, and a browser cannot accept connections of MongoDB tools.
    answersUrls: false,
    hasDatabase: false,
  });
});

it('is what the README says', async () => {
  expect(await commands.readmeColumn('Browser: the app', record.marks)).toEqual(record.marks);
});
