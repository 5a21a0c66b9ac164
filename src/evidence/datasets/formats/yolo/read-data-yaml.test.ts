import { expect, it } from 'vitest';
import { readDataYaml } from './read-data-yaml.ts';

it.each(['', 'a: 1', '- names', 'names'])('takes %j for another file', (text) => {
  expect(readDataYaml(text)).toBeNull();
});

it.each([
  ['a list', '[cat, dog]', [[0, 'cat'], [1, 'dog']]],
  ['a map with gaps', '{0: cat, 7: dog}', [[0, 'cat'], [7, 'dog']]],
  ['words and numbers', '[true, 7, 1.5]', [[0, 'true'], [1, '7'], [2, '1.5']]],
  ['nothing', '[]', []],
])('reads %s of names', (_, names, entries) => {
  expect([...readDataYaml(`names: ${names}`)!.names]).toEqual(entries);
}); // prettier-ignore

it.each([
  ['dog', '“names” is neither a list nor a map, but “dog”'],
  ['null', '“names” is neither a list nor a map, but null'],
  ['[cat, null]', '“names” has no label for class 1, but null'],
  ['[[cat]]', '“names” has no label for class 0, but ["cat"]'],
  ['["  "]', '“names” has no label for class 0, but “  ”'],
  ['{a: cat}', '“names” has no label for class “a”, but “cat”'],
  ['{-1: cat}', '“names” has no label for class “-1”, but “cat”'],
  ['{0.5: cat}', '“names” has no label for class “0.5”, but “cat”'],
])('refuses the names %s', (names, message) => {
  expect(() => readDataYaml(`names: ${names}`)).toThrow(message);
});

it('reads paths and key points', () => {
  const text = 'names: [a]\npath: root\ntrain: [x, "", 3, y]\nval: v\nvalid: w\ntest: \nkpt_shape: [17, 3]';
  expect(readDataYaml(text)).toMatchObject({
    root: 'root',
    sources: [
      { split: 'train', path: 'x' },
      { split: 'train', path: 'y' },
      { split: 'val', path: 'v' },
      { split: 'val', path: 'w' },
    ],
    keyPointColumns: 51,
  });
});

it.each(['path: 7', 'kpt_shape: 17', 'kpt_shape: [17]', 'kpt_shape: [0, 3]'])('makes nothing of %s', (line) => {
  expect(readDataYaml(`names: [a]\n${line}`)).toMatchObject({ root: '', sources: [], keyPointColumns: 0 });
});
