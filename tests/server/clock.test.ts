import { expect, it } from 'vitest';
import { serveForTest } from '../../src/server/test-server.ts';
import { sweepBlobs } from '../../src/data-service/deletes/sweep-blobs.ts';
import { codeOf, uploadPicture, uploadReading, type Clients, type TestService } from '../data-service-fixture.ts';

const [minute, day] = [60e6, 86_400e6];

/** Logs in with the key at the clock's current time. */
async function connected(service: TestService): Promise<Clients> {
  const { id, secret } = service.keys.owner;
  const credentials = { type: 'api-key', payload: secret };
  const { accessToken } = await service.anonymous.auth.authenticate({ entity: id, credentials });
  return service.as(`Bearer ${accessToken}`);
}

it.each([
  ['forwards', 9 * day],
  ['backwards', -9 * day],
])('a clock that jumps %s by days loses no data', async (_, jump) => {
  const { service, origin } = await serveForTest();
  const { time } = service;
  let owner = await connected(service);
  const ids: string[] = [];
  for (let n = 0; n < 4; n++) ids.push(await uploadPicture(owner, {}, time.now + n));
  const page = await owner.data.binaryDataByFilter({ dataRequest: { limit: 2n } });

  time.now += jump;
  owner = await connected(service);
  const late = await uploadPicture(owner, {}, time.now);
  await uploadReading(owner, { kg: 1 }, time.now);
  const rest = await owner.data.binaryDataByFilter({ dataRequest: { limit: 10n, last: page.last } });
  const seen = [...page.data, ...rest.data].map(({ metadata }) => metadata!.binaryDataId);
  // Pages are in descending order of capture time: a picture captured before the remaining pages is in them, a later one is not.
  expect(seen).toEqual([...ids.toReversed(), ...(jump < 0 ? [late] : [])]);
  expect(await sweepBlobs(service.dependencies, 24 * 60 * 60 * 1000)).toBe(0);

  const { signedUrl } = await owner.data.createBinaryDataSignedURL({ binaryDataId: late });
  const { pathname, search } = new URL(signedUrl);
  const signed = origin + pathname + search;
  expect((await fetch(signed)).status).toBe(200);
  time.now -= jump;
  owner = await connected(service);
  // A URL signed by a clock that was behind has expired; one signed by a clock that was ahead is still valid.
  expect((await fetch(signed)).status).toBe(jump < 0 ? 410 : 200);
  expect((await owner.data.binaryDataByFilter({ countOnly: true })).count).toBe(5n);
  expect((await owner.data.tabularDataByFilter({ countOnly: true })).count).toBe(1n);
  expect(service.defects).toEqual([]);
});

it.each([
  ['is good when the clock is set right', 50 * minute, 'ok'],
  ['is void when the clock is set right by more than it lives', 9 * day, 'Unauthenticated'],
])('a token that a clock ahead issued %s', async (_, jump, code) => {
  const { service } = await serveForTest();
  service.time.now += jump;
  const { data } = await connected(service);
  const ask = () => data.binaryDataByFilter({ countOnly: true });
  expect(await codeOf(ask())).toBe('ok');
  service.time.now -= jump;
  expect(await codeOf(ask())).toBe(code);
});
