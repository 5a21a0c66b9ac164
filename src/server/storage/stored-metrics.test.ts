import { expect, it } from 'vitest';
import { startTime, uploadPicture, uploadReading } from '../../../tests/data-service-fixture.ts';
import { memoryDataStore } from '../../../tests/memory-store/memory-data-store.ts';
import { serveForTest } from '../test-server.ts';

async function serve({ onOwnPort = true } = {}) {
  const store = memoryDataStore({ now: () => startTime });
  const { port, metricsPort, service } = await serveForTest({
    ...(onOwnPort && { metricsPort: 0 }),
    service: { store },
  });
  const stored = async () => {
    const answer = await fetch(`http://127.0.0.1:${metricsPort ?? port}/metrics`);
    expect(answer.status).toBe(200);
    return (await answer.text()).split('\n').filter((line) => /^sightglass_(stored|quota)/.test(line));
  };
  return { store, service, stored };
}

it('tells what each organization stores, and the quotas of those that have one', async () => {
  const { store, service, stored } = await serve();
  const id = await uploadPicture(service.owner);
  await uploadPicture(service.stranger, { partId: 'ship-part' }, startTime, 'four');
  await uploadReading(service.owner, { kg: 1 });
  await store.access.setQuota('b', 5000);
  const [ofA] = await store.usage.of(['a']);
  expect(await stored()).toEqual([
    'sightglass_stored_items{organization="a",kind="files"} 1',
    'sightglass_stored_items{organization="a",kind="readings"} 1',
    'sightglass_stored_items{organization="a",kind="labelling"} 0',
    'sightglass_stored_items{organization="b",kind="files"} 1',
    'sightglass_stored_items{organization="b",kind="readings"} 0',
    'sightglass_stored_items{organization="b",kind="labelling"} 0',
    'sightglass_stored_bytes{organization="a",kind="files"} 6',
    `sightglass_stored_bytes{organization="a",kind="readings"} ${ofA!.readings.totalSizeBytes}`,
    'sightglass_stored_bytes{organization="a",kind="labelling"} 0',
    'sightglass_stored_bytes{organization="b",kind="files"} 4',
    'sightglass_stored_bytes{organization="b",kind="readings"} 0',
    'sightglass_stored_bytes{organization="b",kind="labelling"} 0',
    'sightglass_quota_bytes{organization="b"} 5000',
  ]);
  await service.owner.data.deleteBinaryDataByIDs({ binaryDataIds: [id] });
  await store.access.setQuota('b', null);
  const lines = await stored();
  expect(lines).toContain('sightglass_stored_bytes{organization="a",kind="files"} 0');
  expect(lines).toHaveLength(12);
});

it('names no organization on the port that strangers reach, and tells what all store', async () => {
  const { store, service, stored } = await serve({ onOwnPort: false });
  await uploadPicture(service.owner);
  await uploadPicture(service.stranger, { partId: 'ship-part' }, startTime, 'four');
  await store.access.setQuota('b', 5000);
  expect(await stored()).toEqual([
    'sightglass_stored_items{kind="files"} 2',
    'sightglass_stored_items{kind="readings"} 0',
    'sightglass_stored_items{kind="labelling"} 0',
    'sightglass_stored_bytes{kind="files"} 10',
    'sightglass_stored_bytes{kind="readings"} 0',
    'sightglass_stored_bytes{kind="labelling"} 0',
  ]);
});

it('leaves them out while the store fails, and goes on by itself', async () => {
  const { store, stored } = await serve();
  const { of } = store.usage;
  store.usage.of = () => Promise.reject(new Error('the database is away'));
  expect(await stored()).toEqual([]);
  store.usage.of = of;
  expect(await stored()).toHaveLength(12);
});
