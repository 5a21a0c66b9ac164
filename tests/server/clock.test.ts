import { expect, it } from 'vitest';
import { serveForTest } from '../../src/server/test-server.ts';
import { sweepBlobs } from '../../src/data-service/deletes/sweep-blobs.ts';
import { uploadPicture, uploadReading } from '../data-service-fixture.ts';

const day = 86_400e6;

it.each([
  ['forwards', 9 * day],
  ['backwards', -9 * day],
])('a clock that jumps %s by days loses no data', async (_, jump) => {
  const { service, origin } = await serveForTest();
  const { owner, time } = service;
  const ids: string[] = [];
  for (let n = 0; n < 4; n++) ids.push(await uploadPicture(owner, {}, time.now + n));
  const page = await owner.data.binaryDataByFilter({ dataRequest: { limit: 2n } });

  time.now += jump;
  const late = await uploadPicture(owner, {}, time.now);
  await uploadReading(owner, { kg: 1 }, time.now);
  const rest = await owner.data.binaryDataByFilter({ dataRequest: { limit: 10n, last: page.last } });
  const seen = [...page.data, ...rest.data].map(({ metadata }) => metadata!.binaryDataId);
  // descending by capture time: what was captured before the rest of the pages is in them, what came after is not
  expect(seen).toEqual([...ids.toReversed(), ...(jump < 0 ? [late] : [])]);
  expect(await sweepBlobs(service.dependencies, 24 * 60 * 60 * 1000)).toBe(0);

  const { signedUrl } = await owner.data.createBinaryDataSignedURL({ binaryDataId: late });
  const { pathname, search } = new URL(signedUrl);
  const signed = origin + pathname + search;
  expect((await fetch(signed)).status).toBe(200);
  time.now -= jump;
  // made by a clock behind it has expired; made by one ahead it lives until then
  expect((await fetch(signed)).status).toBe(jump < 0 ? 410 : 200);
  expect((await owner.data.binaryDataByFilter({ countOnly: true })).count).toBe(5n);
  expect((await owner.data.tabularDataByFilter({ countOnly: true })).count).toBe(1n);
  expect(service.defects).toEqual([]);
});

it('a token that a clock ahead issued is good when the clock is set right', async () => {
  const { service } = await serveForTest();
  service.time.now += 9 * day;
  const { id, secret } = service.keys.owner;
  const credentials = { type: 'api-key', payload: secret };
  const { accessToken } = await service.anonymous.auth.authenticate({ entity: id, credentials });
  service.time.now -= 9 * day;
  const { data } = service.as(`Bearer ${accessToken}`);
  expect((await data.binaryDataByFilter({ countOnly: true })).count).toBe(0n);
});
