import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { DataService } from '../../src/gen/app/data/v1/data_pb.ts';
import { DataPipelinesService } from '../../src/gen/app/datapipelines/v1/data_pipelines_pb.ts';
import { DatasetService } from '../../src/gen/app/dataset/v1/dataset_pb.ts';
import { DataSyncService } from '../../src/gen/app/datasync/v1/data_sync_pb.ts';
import { AuthService } from '../../src/gen/proto/rpc/v1/auth_pb.ts';
import { areas, readTable, withTable } from '../clients/operation-table.ts';

it('has every operation of the services in one area', () => {
  const services = [AuthService, DataSyncService, DataService, DatasetService, DataPipelinesService];
  const operations = services.flatMap((service) => service.methods.map(({ name }) => name));
  const inAreas = Object.values(areas).flat();
  expect(new Set(inAreas).size).toBe(inAreas.length);
  expect(operations.filter((name) => !inAreas.includes(name))).toEqual([]);
});

it('stands in the README as it is rendered, and reads back', () => {
  const readme = readFileSync('README.md', 'utf8');
  expect(withTable(readme, readTable(readme))).toBe(readme);
});
