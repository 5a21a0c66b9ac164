import { describe, expect, it } from 'vitest';
import { memoryStorage } from '../../../../../tests/memory-storage.ts';
import { plainLabel } from '../../../../evidence/datasets/label-schemes/label-scheme.ts';
import { LabelList } from './label-list.svelte.ts';

const many = Array.from({ length: 80 }, (_, at) => `thing ${at}`);
/** "1 cup", "– hat" */
const first = (list: LabelList, count = 3): string[] =>
  list.labels.slice(0, count).map((label) => `${list.digitOf(label) || '–'} ${label}`);

describe('the digits of a list of labels', () => {
  it('go to those in use on the images that are open, and these come first', () => {
    const list = new LabelList(memoryStorage());
    list.know(many);
    expect(first(list)).toEqual(['1 thing 0', '2 thing 1', '3 thing 2']);
    list.learnUses(new Map([['thing 70', 4], ['thing 44', 9]])); // prettier-ignore
    expect(first(list)).toEqual(['1 thing 44', '2 thing 70', '3 thing 0']);
    expect(list.withDigit('2')).toBe('thing 70');
  });

  it('stay from the first label that is given on; new labels get what is free', () => {
    const list = new LabelList(memoryStorage());
    list.know(['cup', 'hat']);
    list.choose('cup');
    list.learnUses(new Map([['hat', 9], ['pan', 20]])); // prettier-ignore
    expect(first(list)).toEqual(['1 cup', '2 hat', '3 pan']);
  });

  it('are kept for the next visit, which has them for labels that are still in use', () => {
    const memory = memoryStorage();
    const before = new LabelList(memory);
    before.know(many);
    before.learnUses(new Map([['thing 70', 4], ['thing 44', 9]])); // prettier-ignore
    const list = new LabelList(memory);
    expect(first(list)).toEqual(first(before));
    list.learnUses(new Map([['thing 70', 40], ['thing 44', 9], ['thing 8', 20]])); // prettier-ignore
    expect(first(list)).toEqual(['1 thing 44', '2 thing 70', '3 thing 8']);
  });

  it('can be set, which wins over any use and is kept; the label that had it gets the other digit', () => {
    const memory = memoryStorage();
    const list = new LabelList(memory);
    list.know(['cup', 'hat', 'pan']);
    list.setDigit('pan', '1');
    expect(first(list)).toEqual(['1 pan', '2 hat', '3 cup']);
    list.setDigit('hat', '');
    expect(first(list)).toEqual(['1 pan', '3 cup', '– hat']);
    list.know(['bowl']);
    expect(first(list, 4)).toEqual(['1 pan', '2 bowl', '3 cup', '– hat']);

    const next = new LabelList(memory);
    next.learnUses(new Map([['hat', 90], ['cup', 50]])); // prettier-ignore
    expect(first(next, 4)).toEqual(['1 pan', '2 bowl', '3 cup', '– hat']);
  });

  it('do not survive the label', () => {
    const memory = memoryStorage();
    const list = new LabelList(memory);
    list.know(['cup', 'hat']);
    list.setDigit('cup', '7');
    list.forget('cup');
    list.know(['cup']);
    expect(first(list)).toEqual(['1 cup', '2 hat']);
    expect(first(new LabelList(memory))).toEqual(['1 cup', '2 hat']);
  });
});

describe('a label scheme', () => {
  const scheme = ['pan', 'cup'].map((name) => ({ ...plainLabel(name), description: `What a ${name} is.` }));

  it('is offered in its order with its digits, before labels that are not of it', () => {
    const list = new LabelList(memoryStorage());
    list.know(['hat', 'cup']);
    list.choose('hat');
    list.follow(scheme);
    expect(first(list)).toEqual(['1 pan', '2 cup', '– hat']);
    expect([list.withDigit('2'), list.withDigit('3'), list.current]).toEqual(['cup', undefined, 'pan']);
    expect(['pan', 'hat'].map((label) => [list.isOutsideScheme(label), list.prescribed(label)?.description])).toEqual([
      [false, 'What a pan is.'],
      [true, undefined],
    ]);
  });

  it('leaves digits as they were once it is no longer followed', () => {
    const list = new LabelList(memoryStorage());
    list.know(['hat', 'cup']);
    const before = first(list, 2);
    list.follow(scheme);
    list.follow(null);
    expect([first(list, 2), list.hasScheme, list.isOutsideScheme('hat')]).toEqual([before, false, false]);
  });
});
