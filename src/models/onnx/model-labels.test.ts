import { describe, expect, it } from 'vitest';
import { readBoxOrder, readLabels } from './model-labels.ts';

describe('readLabels', () => {
  it.each<[Record<string, string>, string[] | null, string]>([
    [{ names: "{0: 'person', 1: 'bicycle'}" }, ['person', 'bicycle'], 'Python dictionary (ultralytics)'],
    [{ names: `{0: "driver's seat", 1: 'a, b: {c}'}` }, ["driver's seat", 'a, b: {c}'], 'both kinds of quotes'],
    [{ names: String.raw`['caf\u00e9', 'it\'s', 'tab\there']` }, ['café', "it's", 'tab\there'], 'escapes'],
    [{ id2label: '{"1": "dog", "0": "cat"}' }, ['cat', 'dog'], 'JSON object, out of order (Hugging Face)'],
    [{ classes: '["a", "b",]' }, ['a', 'b'], 'JSON list with a trailing comma'],
    [{ labels: "('a', 'b')" }, ['a', 'b'], 'tuple'],
    [{ labels: 'cat\r\ndog\n\nbig bird\n' }, ['cat', 'dog', 'big bird'], 'lines'],
    [{ class_names: 'cat, dog' }, ['cat', 'dog'], 'commas'],
    [{ names: "{0: 'a', 2: 'c'}" }, ['a', '1', 'c'], 'a gap keeps its number'],
    [{ names: "{'cat': 0}" }, null, 'label → index is not what is asked'],
    [{ names: '{0: [1' }, null, 'cut short'],
    [{ names: '{999999999: "x"}' }, null, 'an id, not an index'],
    [{ names: '{}' }, null, 'empty'],
    [{ names: '', labels: 'cat' }, ['cat'], 'an empty key does not hide the next'],
    [{ author: 'somebody' }, null, 'no label key'],
  ])('%j → %j (%s)', (metadata, labels) => {
    expect(readLabels(metadata)?.labels ?? null).toEqual(labels);
  });
});

describe('readBoxOrder', () => {
  it.each([
    [{ xmin_ymin_xmax_ymax_order: '[1, 0, 3, 2]' }, [1, 0, 3, 2]],
    [{ boxOrder: '[0,1,2,3]' }, [0, 1, 2, 3]],
    [{ boxOrder: '[0,1,2,2]' }, null],
    [{ boxOrder: '[0,1,2,3,0]' }, null],
    [{ boxOrder: 'yxyx' }, null],
    [{}, null],
  ])('%j → %j', (metadata, order) => {
    expect(readBoxOrder(metadata as Record<string, string>)).toEqual(order);
  });
});
