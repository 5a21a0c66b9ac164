import { Code, createContextValues, type HandlerContext } from '@connectrpc/connect';
import { describe, expect, it } from 'vitest';
import { anonymousReceipt, binaryRecord } from '../../../tests/contract/data-store/captures.ts';
import { memoryDataStore } from '../../../tests/memory-store/memory-data-store.ts';
import { DataService } from '../../gen/app/data/v1/data_pb.ts';
import { serviceActor } from '../ports/audit-store.ts';
import { principalKey, principalOf } from './principal.ts';
import type { Principal } from '../ports/principal.ts';
import { reachableIds, requireBinaryAccess, requireOrganization, withinReach } from './require-access.ts';

const ofAll: Principal = {
  keyId: 'k',
  membershipId: '',
  organizationId: 'a',
  locationId: null,
  partId: null,
  role: 'operator',
  actor: serviceActor,
};
const ofLab: Principal = { ...ofAll, locationId: 'lab' };
const ofArm: Principal = { ...ofLab, partId: 'arm' };

describe('the organization of a request', () => {
  it.each([
    ['a', null, ''],
    ['b', Code.PermissionDenied, 'This key is not of organization b; use a key of that organization.'],
    ['', Code.InvalidArgument, 'organization_id is empty; it must be given.'],
  ])('%j', (organizationId, code, rawMessage) => {
    const requiring = () => requireOrganization(ofAll, organizationId);
    if (code === null) expect(requiring).not.toThrow();
    else expect(requiring).toThrow(expect.objectContaining({ code, rawMessage }));
  });
});

describe('binary data', () => {
  const noLookUp = { get: () => Promise.reject(new Error('A look-up costs every call.')) };
  const cases: readonly [string, Principal, readonly string[], string | null][] = [
    ['of the organization', ofAll, ['a/lab/1', 'a/yard/2'], null],
    ['of another organization', ofAll, ['a/lab/1', 'b/lab/2'], 'Binary data b/lab/2 belongs to another organization'],
    ['of the location', ofLab, ['a/lab/1'], null],
    ['of another location', ofLab, ['a/lab/1', 'a/yard/2'], 'Binary data a/yard/2 belongs to another location'],
    ['of no location', ofLab, ['a/'], 'Binary data a/ belongs to another location'],
    ['of the same location elsewhere', ofLab, ['b/lab/1'], 'Binary data b/lab/1 belongs to another organization'],
    // the id names nobody's data: that it is not found tells nothing
    ['that names no organization', ofLab, ['guess', '/lab/1', ''], null],
  ];
  it.each(cases)('%s is told by its id', async (_, principal, ids, message) => {
    const requiring = requireBinaryAccess({ binary: noLookUp as never }, principal, ids);
    if (message === null) await expect(requiring).resolves.toBeUndefined();
    else await expect(requiring).rejects.toThrow(`[permission_denied] ${message} than this key.`);
  });

  it.each([
    ['its own', ['a/lab/arm', 'guess', ''], null],
    ['that of another part', ['a/lab/arm', 'a/lab/leg'], 'Binary data a/lab/leg belongs to another part'],
    // the same answer as for another part's: that it is not there tells nothing of others
    ['what is not there', ['a/lab/none'], 'Binary data a/lab/none belongs to another part'],
    ['that of another location', ['a/yard/arm'], 'Binary data a/yard/arm belongs to another location'],
    ['that of another organization', ['b/lab/arm'], 'Binary data b/lab/arm belongs to another organization'],
  ])('of a part is looked up: %s', async (_, ids, message) => {
    const { store } = await filled();
    const requiring = requireBinaryAccess(store, ofArm, ids);
    if (message === null) await expect(requiring).resolves.toBeUndefined();
    else await expect(requiring).rejects.toThrow(`[permission_denied] ${message} than this key.`);
  });

  it('that a caller reaches is chosen', async () => {
    const { store } = await filled();
    const all = ['a/lab/arm', 'a/lab/leg', 'a/yard/arm', ''];
    expect([...(await reachableIds(store, ofArm, all))]).toEqual(['a/lab/arm', '']);
    expect([...(await reachableIds(store, ofLab, all))]).toEqual(['a/lab/arm', 'a/lab/leg', '']);
  });

  async function filled() {
    const store = memoryDataStore({ now: () => 0 });
    const records = ['arm', 'leg'].map((partId) =>
      binaryRecord(`a/lab/${partId}`, { organizationId: 'a', locationId: 'lab', partId }),
    );
    await store.binary.insert(records, anonymousReceipt());
    return { store };
  }
});

describe('what a key sees', () => {
  it.each([
    [ofAll, [], '', [], ''],
    [ofAll, ['lab', 'ship'], 'arm', ['lab', 'ship'], 'arm'],
    [ofLab, [], '', ['lab'], ''],
    [ofLab, ['lab', 'lab'], 'leg', ['lab'], 'leg'],
    [ofArm, [], '', ['lab'], 'arm'],
    [ofArm, ['lab'], 'arm', ['lab'], 'arm'],
  ])('%j of locations %j and part "%s"', (principal, locationIds, partId, seen, seenPart) => {
    expect(withinReach(principal, { locationIds, partId })).toEqual({ locationIds: seen, partId: seenPart });
  });

  it.each([
    [ofLab, { locationIds: ['lab', 'yard'], partId: '' }, 'location yard'],
    [ofArm, { locationIds: ['yard'], partId: 'arm' }, 'location yard'],
    [ofArm, { locationIds: [], partId: 'leg' }, 'part leg'],
  ])('%j does not reach %j', (principal, asked, what) => {
    expect(() => withinReach(principal, asked)).toThrow(`[permission_denied] This key does not reach ${what}.`);
  });
});

describe('who calls', () => {
  const method = DataService.method.tagsByFilter;
  it('is known behind the access gate alone', () => {
    const values = createContextValues();
    const context = { method, values } as unknown as HandlerContext;
    expect(() => principalOf(context)).toThrow('TagsByFilter is not behind the access gate.');
    values.set(principalKey, ofLab);
    expect(principalOf(context)).toBe(ofLab);
  });
});
