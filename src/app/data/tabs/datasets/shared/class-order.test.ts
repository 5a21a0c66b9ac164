import { describe, expect, it } from 'vitest';
import { memoryStorage } from '../../../../../../tests/memory-storage.ts';
import { ClassOrder, rememberClasses } from './class-order.svelte.ts';

const reading = { pictures: [{ boxes: [{ label: 'fork' }, { label: 'apple' }, { label: 'cup' }] }] as never };
const labels = ({ classes }: ClassOrder) => classes.map(({ label }) => label);

describe('the order of classes', () => {
  it('is by name until an import brings one, which stays', () => {
    const memory = memoryStorage();
    expect(labels(new ClassOrder(reading, memory, 'd'))).toEqual(['apple', 'cup', 'fork']);
    expect(new ClassOrder(reading, memory, 'd').given).toEqual([]);
    rememberClasses(memory, 'd', [{ label: 'plate', id: 4 }, { label: 'cup', id: 9 }]); // prettier-ignore
    const order = new ClassOrder(reading, memory, 'd');
    expect([labels(order), order.ids]).toEqual([
      ['plate', 'cup', 'apple', 'fork'],
      [4, 9, 10, 11],
    ]);
    rememberClasses(memory, 'd', [{ label: 'bowl', id: 9 }]);
    expect(new ClassOrder(reading, memory, 'd').ids).toEqual([4, 9, 10, 11, 12]);
    expect(labels(new ClassOrder(reading, memory, 'other'))).toEqual(['apple', 'cup', 'fork']);
  });

  it('is moved, and comes back as it was left', () => {
    const memory = memoryStorage();
    const order = new ClassOrder(reading, memory, 'd');
    order.move('fork', 0);
    order.move('fork', -1);
    order.move('apple', 3);
    order.move('nobody', 0);
    expect(labels(order)).toEqual(['fork', 'apple', 'cup']);
    expect(labels(new ClassOrder(reading, memory, 'd'))).toEqual(['fork', 'apple', 'cup']);
    order.sort();
    expect([labels(order), order.isGiven]).toEqual([['apple', 'cup', 'fork'], true]);
  });

  it('gives up ids when it is numbered anew', () => {
    const memory = memoryStorage();
    rememberClasses(memory, 'd', [{ label: 'cup', id: 90 }]);
    const order = new ClassOrder(reading, memory, 'd');
    expect(order.hasIds).toBe(true);
    order.renumber();
    expect([order.hasIds, order.ids, labels(order)]).toEqual([false, [1, 2, 3], ['cup', 'apple', 'fork']]);
  });
});
