import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createApiKey } from '../../data-service/access/api-keys.ts';
import { auditFilter } from '../../../tests/contract/data-store/audit.ts';
import { startDataService, type TestService } from '../../../tests/data-service-fixture.ts';
import { RefusedLogIns } from './refused-log-ins.ts';

let service: TestService;
let refused: RefusedLogIns;
beforeEach(async () => {
  service = await startDataService();
  refused = new RefusedLogIns(service.dependencies.store.access, (error) => service.defects.push(error));
  vi.useFakeTimers();
});
afterEach(() => void vi.useRealTimers());

const rowsOf = async (organizationId: string) => {
  const filter = auditFilter({ organizationId, what: 'refused-log-in' });
  const rows = await service.dependencies.store.audit.page(filter, null, 1000);
  return rows.map(({ objectId, after }) => [objectId, after!['address'], after!['times']]);
};

it('are a row for each key and address in a minute, however often they are tried', async () => {
  const { id } = service.keys.owner;
  for (let n = 0; n < 1000; n++) await refused.noteKey(id, '1.2.3.4');
  for (const address of ['2001:db8::1', '2001:db8::2']) await refused.noteKey(id, address);
  await refused.noteKey('no such key', '1.2.3.4');
  expect(await rowsOf('a')).toEqual([]);
  await vi.advanceTimersByTimeAsync(60_000);
  const rows = await rowsOf('a');
  expect(rows).toHaveLength(2);
  expect(rows).toContainEqual([id, '1.2.3.4', 1000]);
  expect(rows.find(([, address]) => address !== '1.2.3.4')).toMatchObject([id, expect.stringMatching(/^2001:db8:/), 2]);
  expect(await rowsOf('b')).toEqual([]);
  expect(service.defects).toEqual([]);
});

it('from many addresses, and with many keys, fill no disk', async () => {
  const of = { organizationId: 'a', locationId: null, partId: null, role: 'operator', name: 'lab' } as const;
  const ids = [service.keys.owner.id];
  for (let n = 0; n < 3; n++) ids.push((await createApiKey(service.dependencies, of)).key.id);
  for (const id of ids) for (let n = 0; n < 1000; n++) await refused.noteKey(id, `10.0.${n >> 8}.${n & 255}`);
  await vi.advanceTimersByTimeAsync(60_000);
  const rows = await rowsOf('a');
  expect(rows.length).toBeLessThanOrEqual(10 + ids.length);
  expect(rows.reduce((sum, [, , times]) => sum + Number(times), 0)).toBe(4000);
});
