import { expect, it } from 'vitest';
import { changedSettings } from './changed-settings.ts';

const text = (services: readonly object[]) => JSON.stringify({ components: [], services });
const service = (name: string, attributes: object) => ({
  name,
  api: 'rdk:service:vision',
  model: 'mlmodel',
  attributes,
});

it.each([
  ['a value', { a: 1 }, { a: 2 }, [['face: a', 'a', '1', '2']]],
  [
    'a value inside a list',
    { pipeline: [{ x: 1 }] },
    { pipeline: [{ x: 3 }] },
    [['face: pipeline[0].x', 'x', '1', '3']],
  ],
  ['a key that came', {}, { 'b/c~': 'x' }, [['face: ["b/c~"]', 'b/c~', '', '"x"']]],
  ['a key that went', { a: [1, 2] }, {}, [['face: a', 'a', '[1,2]', '']]],
  ['nothing but the order of keys', { a: 1, b: 2 }, { b: 2, a: 1 }, []],
])('says %s with the name of its resource', (_, first, second, expected) => {
  const found = changedSettings(text([service('face', first)]), text([service('face', second)]));
  expect(found.map(({ place, key, first: one, second: other }) => [place, key, one, other])).toEqual(expected);
});

it('names a resource that only one of them has, though the lists have moved', () => {
  const [face, hand] = [service('face', {}), service('hand', {})];
  expect(changedSettings(text([face]), text([hand, face])).map(({ place, first }) => [place, first])).toEqual([
    ['hand', ''],
  ]);
  expect(changedSettings(text([hand, face]), text([face])).map(({ place, second }) => [place, second])).toEqual([
    ['hand', ''],
  ]);
});

it('finds no name in what is no configuration', () => {
  expect(changedSettings('{}', '[]').map(({ place }) => place)).toEqual(['all of it']);
});
