import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { dataServices } from '../data-services.ts';
import { areas, readTable, withTable } from '../clients/operation-table.ts';

it('has every operation of the services in one area', () => {
  const operations = dataServices.flatMap((service) => service.methods.map(({ name }) => name));
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

it('is read by the names of its columns, so that the column of a new client has no marks yet', () => {
  const readme = readFileSync('docs/data-service.md', 'utf8');
  const table = readTable(readme.replace('| Server: grpc-js |', '| Server: before |'));
  expect(table).toEqual({ ...readTable(readme), 'Server: grpc-js': {} });
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
