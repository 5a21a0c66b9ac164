import { describe, expect, it } from 'vitest';
import { collect, codeOf, startDataService } from '../../../tests/data-service-fixture.ts';
import { QueryError } from '../ports/query-runner.ts';
import { StoreError, type StoreErrorCode } from '../ports/store-error.ts';

describe('an error of a store', () => {
  it.each<[StoreErrorCode, string]>([
    ['not-found', 'NotFound'],
    ['already-exists', 'AlreadyExists'],
    ['conflict', 'Aborted'],
    ['resource-exhausted', 'ResourceExhausted'],
    ['unavailable', 'Unavailable'],
    ['unsupported', 'InvalidArgument'],
  ])('%s is answered as %s, in its words', async (code, expected) => {
    const service = await startDataService();
    service.dependencies.store.binary.distinctTags = () => Promise.reject(new StoreError(code, 'The disk said no.'));
    const call = service.owner.data.tagsByFilter({});
    expect(await codeOf(call)).toBe(expected);
    await expect(call).rejects.toThrow('The disk said no.');
    expect(service.defects).toEqual([]);
  });

  it('that tells of damage is for the host, whose paths no client learns', async () => {
    const service = await startDataService();
    const damage = new StoreError('damaged', 'The database "/srv/data/sightglass.db" is damaged.');
    service.dependencies.store.binary.distinctTags = () => Promise.reject(damage);
    const call = service.owner.data.tagsByFilter({});
    expect(await codeOf(call)).toBe('DataLoss');
    await expect(call).rejects.not.toThrow('/srv');
    expect(service.defects).toEqual([damage]);
  });

  it('is answered too when it comes before the handler, or in the middle of a stream', async () => {
    const service = await startDataService();
    const { access, tabular } = service.dependencies.store;
    const busy = () => Promise.reject(new StoreError('unavailable', 'Locked.'));
    tabular.page = busy;
    const resource = { partId: 'p', resourceName: 'r', resourceSubtype: 's', methodName: 'm' };
    expect(await codeOf(collect(service.owner.data.exportTabularData(resource)))).toBe('Unavailable');
    access.getKey = busy;
    expect(await codeOf(service.owner.data.tagsByFilter({}))).toBe('Unavailable');
  });
});

it('answers a query that was ended with the reason', async () => {
  const run = () => Promise.reject(new QueryError('deadline-exceeded', 'Over 30 s.'));
  const service = await startDataService({ queryRunner: { run, async *stream() {} } });
  expect(
    await codeOf(service.owner.data.tabularDataBySQL({ organizationId: 'a', sqlQuery: 'SELECT a FROM readings' })),
  ).toBe('DeadlineExceeded');
});

it('reports a defect to the host and tells the client only that there is one', async () => {
  const service = await startDataService();
  const defect = new TypeError('secret internals');
  service.dependencies.store.binary.distinctTags = () => Promise.reject(defect);
  const call = service.owner.data.tagsByFilter({});
  expect(await codeOf(call)).toBe('Internal');
  await expect(call).rejects.not.toThrow('secret internals');
  expect(service.defects).toEqual([defect]);
});
