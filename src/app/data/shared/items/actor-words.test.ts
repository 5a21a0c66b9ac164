import { expect, it } from 'vitest';
import { namesApart } from './actor-words.ts';

it('names two people of the same name with their ids', () => {
  const person = (id: string, name: string) => ({ kind: 'person', id, name });
  const people = [person('0123456789ab', 'Ada'), person('fedcba987654', 'Ada'), person('0', 'Ben')];
  expect(namesApart(people)).toEqual(['Ada (01234567)', 'Ada (fedcba98)', 'Ben']);
  expect(namesApart([])).toEqual([]);
});
