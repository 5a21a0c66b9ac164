import { expect, it } from 'vitest';
import {
  codeOf,
  startDataService,
  uploadPicture,
  uploadReading,
  type Clients,
} from '../../../tests/data-service-fixture.ts';
import { StorageService } from '../../gen/sightglass/storage/v1/storage_pb.ts';

const usageOf = ({ of }: Clients, organizationId = 'a') => of(StorageService).getUsage({ organizationId });

it('tells what an organization stores, and its quota', async () => {
  const { owner, operator, stranger, dependencies } = await startDataService();
  await uploadPicture(owner);
  await uploadPicture(owner, { componentType: 'rdk-internal:stats' });
  await uploadPicture(stranger, { partId: 'ship-part' });
  await uploadReading(owner, { kg: 1 });
  const readings = (await owner.data.tabularDataByFilter({})).totalSizeBytes;
  const usage = await usageOf(operator);
  expect(usage).toMatchObject({ files: { count: 2n, bytes: 12n }, readings: { count: 1n, bytes: readings } });
  expect(usage.quotaBytes).toBeUndefined();
  await dependencies.store.access.setQuota('a', 0);
  expect((await usageOf(operator)).quotaBytes).toBe(0n);
  expect((await usageOf(stranger, 'b')).quotaBytes).toBeUndefined();
});

it('tells a key of one location of the whole organization, whose quota its uploads share', async () => {
  const { owner, local } = await startDataService();
  await uploadPicture(owner);
  expect((await usageOf(local)).files?.count).toBe(1n);
});

it('is told to its own people', async () => {
  const { stranger, anonymous, owner } = await startDataService();
  expect(await codeOf(usageOf(stranger))).toBe('PermissionDenied');
  expect(await codeOf(usageOf(anonymous))).toBe('Unauthenticated');
  expect(await codeOf(usageOf(owner, ''))).toBe('InvalidArgument');
});
