import { Code, createContextValues, type HandlerContext } from '@connectrpc/connect';
import { describe, expect, it } from 'vitest';
import { DataService } from '../../gen/app/data/v1/data_pb.ts';
import { serviceActor } from '../ports/audit-store.ts';
import { principalKey, principalOf, type Principal } from './principal.ts';
import { requireBinaryAccess, requireOrganization, visibleLocations } from './require-access.ts';

const ofAll: Principal = {
  keyId: 'k',
  membershipId: '',
  organizationId: 'a',
  locationId: null,
  role: 'operator',
  actor: serviceActor,
};
const ofLab: Principal = { ...ofAll, locationId: 'lab' };

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
  const cases: readonly [string, Principal, readonly string[], string | null][] = [
    ['of the organization', ofAll, ['a/lab/1', 'a/yard/2'], null],
    ['of another organization', ofAll, ['a/lab/1', 'b/lab/2'], 'Binary data b/lab/2 is of another organization'],
    ['of the location', ofLab, ['a/lab/1'], null],
    ['of another location', ofLab, ['a/lab/1', 'a/yard/2'], 'Binary data a/yard/2 is of another location'],
    ['of no location', ofLab, ['a/'], 'Binary data a/ is of another location'],
    ['of the same location elsewhere', ofLab, ['b/lab/1'], 'Binary data b/lab/1 is of another organization'],
    // it names nobody's data: that it is not found tells nothing
    ['that names no organization', ofLab, ['guess', '/lab/1', ''], null],
  ];
  it.each(cases)('%s', (_, principal, ids, message) => {
    const requiring = () => requireBinaryAccess(principal, ids);
    if (message === null) expect(requiring).not.toThrow();
    else
      expect(requiring).toThrow(expect.objectContaining({ message: `[permission_denied] ${message} than this key.` }));
  });
});

describe('the locations a key sees', () => {
  it.each([
    [ofAll, [], []],
    [ofAll, ['lab', 'ship'], ['lab', 'ship']],
    [ofLab, [], ['lab']],
    [ofLab, ['lab', 'lab'], ['lab']],
  ])('%j of %j', (principal, asked, visible) => {
    expect(visibleLocations(principal, asked)).toEqual(visible);
  });

  it('are refused where one is not its own', () => {
    expect(() => visibleLocations(ofLab, ['lab', 'yard'])).toThrow(
      '[permission_denied] This key does not reach location yard.',
    );
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
