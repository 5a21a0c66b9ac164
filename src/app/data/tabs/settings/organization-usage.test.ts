import { Code, ConnectError, createRouterTransport, type Transport } from '@connectrpc/connect';
import { expect, it } from 'vitest';
import { openDataTab } from '../../../../../tests/data-tab-fixture.ts';
import { StorageService } from '../../../../gen/sightglass/storage/v1/storage_pb.ts';
import { OrganizationUsage } from './organization-usage.svelte.ts';

const { signal } = new AbortController();
const home = { organizationId: 'a', locationId: 'lab', partId: 'lab-part' };

async function usageOf(transport: Transport): Promise<OrganizationUsage> {
  const usage = new OrganizationUsage({ transport, home });
  await usage.read(signal);
  return usage;
}

const told = (
  fileBytes: number,
  readingBytes: number,
  quotaBytes?: number,
  labellingBytes = 0,
  readingsToDelete = 0n,
  filesToDelete = 0n,
): Transport =>
  createRouterTransport(({ service }) => {
    service(StorageService, {
      getUsage: () => ({
        files: { count: 1n, bytes: BigInt(fileBytes) },
        readings: { count: 12_000n, bytes: BigInt(readingBytes) },
        labelling: { count: 5n, bytes: BigInt(labellingBytes) },
        readingsToDelete,
        filesToDelete,
        ...(quotaBytes !== undefined && { quotaBytes: BigInt(quotaBytes) }),
      }),
    });
  });

it('says what the service stores and, where there is a quota, what share of it that is', async () => {
  const { words, failure } = await usageOf(told(1.5e9, 5e8, 8e9));
  expect([words, failure]).toEqual([
    {
      used: '2.00 GB',
      parts: '1 file (1.50 GB) and 12,000 readings (500 MB)',
      isOfPart: false,
      quota: { text: '8.00 GB', fraction: 0.25 },
      warning: null,
    },
    null,
  ]);
  expect((await usageOf(told(1.5e9, 5e8))).words).toMatchObject({ used: '2.00 GB', quota: null, warning: null });
  expect((await usageOf(told(1.5e9, 4e8, 8e9, 1e8))).words).toMatchObject({
    used: '2.00 GB',
    parts: '1 file (1.50 GB), 12,000 readings (400 MB) and labelling (100 MB)',
    quota: { fraction: 0.25 },
  });
  expect((await usageOf(told(0, 4e8, undefined, 0, 1200n))).words).toMatchObject({
    parts: '1 file (0 B) and 12,000 readings (400 MB, 1,200 of them being deleted)',
  });
  expect((await usageOf(told(6e6, 4e8, undefined, 0, 0n, 1n))).words).toMatchObject({
    parts: '1 file (6.00 MB, 1 of them being deleted) and 12,000 readings (400 MB)',
  });
});

it.each([
  [899e6, 0, 1e9, 1, null],
  [899e6, 1e6, 1e9, 0.9, /nearly used up: 100 MB are left/],
  [999_999_999, 0, 1e9, 1, /nearly used up: 1 B are left/],
  [999_999_999, 1, 1e9, 1, /^The quota is used up: uploads are refused\.$/],
  [2e9, 0, 1e9, 1, /used up: uploads are refused/],
  [0, 0, 0, 1, /used up: uploads are refused/],
])('of %d + %d bytes of %d: %s, warns %s', async (files, readings, quota, fraction, message) => {
  const { words } = await usageOf(told(files, readings, quota));
  expect(words!.quota!.fraction).toBeLessThanOrEqual(1);
  expect(words!.quota!.fraction).toBeCloseTo(files + readings < quota ? (files + readings) / quota : fraction);
  if (message === null) expect(words!.warning).toBeNull();
  else
    expect(words!.warning).toMatchObject({
      message: expect.stringMatching(message),
      cure: expect.stringMatching(/Delete.*larger/),
    });
});

it('says to who reaches one part what that part stores', async () => {
  const { service } = await openDataTab();
  const { words } = await usageOf(service.atPart.transport);
  expect(words).toMatchObject({ used: '0 B', isOfPart: true, quota: null });
  expect((await usageOf(service.owner.transport)).words).toMatchObject({ isOfPart: false });
});

it('says nothing where the service has no such operation, and why where it failed otherwise', async () => {
  const none = await usageOf(createRouterTransport(() => undefined));
  expect([none.words, none.failure]).toEqual([null, null]);
  const failing = createRouterTransport(({ service }) => {
    service(StorageService, {
      getUsage: () => Promise.reject(new ConnectError('The database is away.', Code.Unavailable)),
    });
  });
  expect((await usageOf(failing)).failure).toMatchObject({ message: 'The database is away.' });
  const left = new OrganizationUsage({ transport: failing, home });
  await left.read(AbortSignal.abort());
  expect([left.words, left.failure]).toEqual([null, null]);
});

it('is that of the service in memory', async () => {
  const { context, service } = await openDataTab();
  await service.dependencies.store.access.setQuota('a', 1000);
  const usage = new OrganizationUsage(context);
  await usage.read(signal);
  expect(usage.words).toMatchObject({ used: '0 B', quota: { text: '1.00 kB', fraction: 0 } });
});
