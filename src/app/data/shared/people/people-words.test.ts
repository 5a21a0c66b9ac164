import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { expect, it } from 'vitest';
import { initialsOf, momentText, placeWords, roleTitle } from './people-words.ts';

it.each([
  ['Ada Lovelace', 'AL'],
  ['ada', 'A'],
  ['Grace Brewster Murray Hopper', 'GH'],
  [' 李 明 ', '李明'],
  ['', '?'],
])('the initials of "%s" are %s', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});

it('says role, place and time', () => {
  expect(roleTitle('owner')).toBe('Owner');
  expect(placeWords({ locationId: '', locationName: '' })).toBe('');
  expect(placeWords({ locationId: 'yard', locationName: 'Yard' })).toBe(', only Yard');
  expect(placeWords({ locationId: 'yard', locationName: '' })).toBe(', only yard');
  expect(momentText(timestampFromMs(1_773_205_200_000), '')).toBe('2026-03-11 05:00 UTC');
  expect(momentText(undefined, 'never')).toBe('never');
});
