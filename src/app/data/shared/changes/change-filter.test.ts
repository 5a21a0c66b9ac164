import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { expect, it } from 'vitest';
import { create } from '@bufbuild/protobuf';
import { ChangeSchema } from '../../../../gen/sightglass/audit/v1/audit_pb.ts';
import { changeRequest, everyChange, filterOfSum, readChangeFilter, writeChangeFilter } from './change-filter.ts';

const some = { who: 'key:a:b', what: 'tags', object: 'a/l/1', start: '2026-03-11T05:00:00', end: '', each: 'yes' };

it('is in the address, and read from it', () => {
  expect(writeChangeFilter(everyChange)).toBe('');
  expect(writeChangeFilter(some)).toContain('?who=key:a:b&what=tags&object=a%2Fl%2F1');
  for (const filter of [everyChange, some])
    expect(readChangeFilter(`/changes${writeChangeFilter(filter)}`)).toEqual(filter);
});

it('is asked of the service', () => {
  expect(changeRequest('a', everyChange)).toEqual({
    organizationId: 'a',
    actorKind: '',
    actorId: '',
    what: '',
    objectId: '',
    each: false,
  });
  expect(changeRequest('a', some)).toEqual({
    organizationId: 'a',
    actorKind: 'key',
    actorId: 'a:b',
    what: 'tags',
    objectId: 'a/l/1',
    each: true,
    start: timestampFromDate(new Date('2026-03-11T05:00:00Z')),
  });
  expect(changeRequest('a', { ...everyChange, who: 'service:' })).toMatchObject({ actorKind: 'service', actorId: '' });
});

it('finds the changes that a sum sums', () => {
  const time = timestampFromDate(new Date('2026-03-11T23:59:59.750Z'));
  const sum = create(ChangeSchema, { what: 'tags', count: 12, time, actor: { kind: 'key', id: 'k' } });
  expect(filterOfSum(sum)).toEqual({
    who: 'key:k',
    what: 'tags',
    object: '',
    start: '2026-03-11T23:59:59',
    end: '2026-03-12T00:00:00',
    each: 'yes',
  });
});
