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
  const organization = { locationId: '', locationName: '', partId: '', partName: '' };
  expect(placeWords(organization)).toBe('');
  const location = { ...organization, locationId: 'yard' };
  expect(placeWords(location)).toBe(', only yard');
  expect(placeWords({ ...location, locationName: 'Yard' })).toBe(', only Yard');
  expect(placeWords({ ...location, locationName: 'Yard', partId: 'p' })).toBe(', only p');
  expect(placeWords({ ...location, partId: 'p', partName: 'rover / arm' })).toBe(', only rover / arm');
  expect(momentText(timestampFromMs(1_773_205_200_000), '')).toBe('2026-03-11 05:00 UTC');
  expect(momentText(undefined, 'never')).toBe('never');
});
