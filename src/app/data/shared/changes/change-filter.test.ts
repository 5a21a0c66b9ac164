import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { expect, it } from 'vitest';
import { changeRequest, everyChange, readChangeFilter, writeChangeFilter } from './change-filter.ts';

const some = { who: 'key:a:b', what: 'tags', object: 'a/l/1', start: '2026-03-11T05:00:00', end: '' };

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
  });
  expect(changeRequest('a', some)).toEqual({
    organizationId: 'a',
    actorKind: 'key',
    actorId: 'a:b',
    what: 'tags',
    objectId: 'a/l/1',
    start: timestampFromDate(new Date('2026-03-11T05:00:00Z')),
  });
  expect(changeRequest('a', { ...everyChange, who: 'service:' })).toMatchObject({ actorKind: 'service', actorId: '' });
});
