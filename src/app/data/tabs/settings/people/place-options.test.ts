import { expect, it } from 'vitest';
import { locationOf, optionOf, otherPlace, placeOptions } from './place-options.ts';

it('offers the whole organization, each location, and another one', () => {
  expect(placeOptions([{ id: 'y', name: 'Yard' }])).toEqual([
    { value: '', text: 'The whole organization' },
    { value: 'at y', text: 'Yard' },
    { value: otherPlace, text: 'Another location …' },
  ]);
});

it.each(['', 'yard', otherPlace])('a location "%s" is found again by its option', (id) => {
  expect(locationOf(optionOf(id), 'typed')).toBe(id);
  expect(locationOf(otherPlace, ' typed ')).toBe('typed');
});
