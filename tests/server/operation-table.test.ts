import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { DataService } from '../../src/gen/app/data/v1/data_pb.ts';
import { DataPipelinesService } from '../../src/gen/app/datapipelines/v1/data_pipelines_pb.ts';
import { DatasetService } from '../../src/gen/app/dataset/v1/dataset_pb.ts';
import { DataSyncService } from '../../src/gen/app/datasync/v1/data_sync_pb.ts';
import { AuthService } from '../../src/gen/proto/rpc/v1/auth_pb.ts';
import { ReplayService } from '../../src/gen/sightglass/replay/v1/replay_pb.ts';
import { StorageService } from '../../src/gen/sightglass/storage/v1/storage_pb.ts';
import { areas, readTable, withTable } from '../clients/operation-table.ts';

it('has every operation of the services in one area', () => {
  const services = [
    AuthService,
    DataSyncService,
    DataService,
    DatasetService,
    DataPipelinesService,
    StorageService,
    ReplayService,
  ];
  const operations = services.flatMap((service) => service.methods.map(({ name }) => name));
  const inAreas = Object.values(areas).flat();
  expect(new Set(inAreas).size).toBe(inAreas.length);
  expect(operations.filter((name) => !inAreas.includes(name))).toEqual([]);
});

it('is read as it stands, so that a mark that nobody earned is seen by the test of its column', () => {
  const readme = readFileSync('docs/data-service.md', 'utf8');
  const table = readTable(readme);
  const unearned = { ...table, 'Server: mongodb': { ...table['Server: mongodb'], Authenticate: '✓' } } as const;
  expect(readTable(withTable(readme, unearned))).toEqual(unearned);
  expect(table['Server: mongodb']).not.toHaveProperty('Authenticate');
});

it('stands in its page row by row as `npm run table` writes it', () => {
  const readme = readFileSync('docs/data-service.md', 'utf8');
  expect(withTable(readme, readTable(readme))).toBe(readme);
  const marked = Object.values(readTable(readme)).flatMap((marks) => Object.keys(marks));
  expect(
    Object.values(areas)
      .flat()
      .filter((name) => !marked.includes(name)),
  ).toEqual([]);
});
