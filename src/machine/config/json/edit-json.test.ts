import { describe, expect, it } from 'vitest';
import { EditError, insertAt, moveItem, removeAt, setAt } from './edit-json.ts';

const config = `{
    "modules": [ {"name":"a",   "extra" : 1} ],
    "services": [
        {
            "name": "v",
            "attributes": { "mean": [1, 2, 3], "on": true }
        }
    ]
}`;

describe('setAt', () => {
  it.each([
    ['replaces a value', ['services', 0, 'attributes', 'on'], false, '"on": true', '"on": false'],
    ['keeps a list of numbers on one line', ['services', 0, 'attributes', 'mean'], [4, 5, 6], '[1, 2, 3]', '[4, 5, 6]'],
    [
      'appends a property in the style of its object',
      ['services', 0, 'attributes', 'x'],
      1,
      'true }',
      'true, "x": 1 }',
    ],
    [
      'breaks lines where its neighbours do',
      ['services', 0, 'model'],
      'm',
      '"on": true }',
      '"on": true },\n            "model": "m"',
    ],
  ])('%s and nothing else', (_, path, value, before, after) => {
    expect(setAt(config, path, value)).toBe(config.replace(before, after));
  });

  it('makes the objects on the way, indented as the rest', () => {
    expect(setAt('{\n\t"a": {}\n}\n', ['a', 'b', 'c'], 1)).toBe(
      '{\n\t"a": {\n\t\t"b": {\n\t\t\t"c": 1\n\t\t}\n\t}\n}\n',
    );
  });

  it.each([
    ['', '{\n  "a": {\n    "b": 1\n  }\n}'],
    ['{"a":null}', '{"a":{"b":1}}'],
    ['{"a":{"c":2}}', '{"a":{"c":2,"b":1}}'],
    ['{\r\n  "a": {\r\n    "c": 2\r\n  }\r\n}', '{\r\n  "a": {\r\n    "c": 2,\r\n    "b": 1\r\n  }\r\n}'],
  ])('writes a.b into %j', (text, expected) => {
    expect(setAt(text, ['a', 'b'], 1)).toBe(expected);
  });

  it('changes the property that counts where a key is given twice', () => {
    expect(setAt('{"a":1,"a":2}', ['a'], 3)).toBe('{"a":1,"a":3}');
  });

  it('refuses what JSON cannot hold', () => {
    expect(() => setAt('{}', ['a'], [NaN])).toThrow(EditError);
  });
});

describe('removeAt', () => {
  it.each([
    ['{"a":1,"b":2,"c":3}', ['a'], '{"b":2,"c":3}'],
    ['{"a":1,"b":2,"c":3}', ['b'], '{"a":1,"c":3}'],
    ['{"a":1,"b":2,"c":3}', ['c'], '{"a":1,"b":2}'],
    ['{\n  "a": 1\n}', ['a'], '{}'],
    ['[1,\n 2,\n 3]', [1], '[1,\n 3]'],
    ['{"a":1}', ['b'], '{"a":1}'],
    ['{"a":[]}', ['a', 3], '{"a":[]}'],
  ])('%s without %j is %s', (text, path, expected) => {
    expect(removeAt(text, path)).toBe(expected);
  });
});

describe('insertAt and moveItem', () => {
  it.each([
    ['[1, 2]', 0, '[0, 1, 2]'],
    ['[1, 2]', 1, '[1, 0, 2]'],
    ['[1, 2]', 9, '[1, 2, 0]'],
    ['[\n  1\n]', 1, '[\n  1,\n  0\n]'],
    ['[]', 0, '[0]'],
  ])('inserts 0 into %j at %i', (text, index, expected) => {
    expect(insertAt(text, [], index, 0)).toBe(expected);
  });

  it('writes a list item on one line where its neighbours are', () => {
    expect(insertAt('[\n  { "type": "crop" }\n]', [], 1, { type: 'resize', attributes: { width_px: 1 } })).toBe(
      '[\n  { "type": "crop" },\n  { "type": "resize", "attributes": { "width_px": 1 } }\n]',
    );
  });

  it('moves items, not separators', () => {
    expect(moveItem('{"l":[ 1,\n 2 , 3]}', ['l'], 0, 2)).toBe('{"l":[ 2,\n 3 , 1]}');
  });

  it('says where there is no list', () => {
    expect(() => insertAt('{"a":1}', ['a'], 0, 0)).toThrow('Nothing to edit at a.');
    expect(() => moveItem('{"a":[]}', ['a'], 2, 0)).toThrow(EditError);
  });
});
