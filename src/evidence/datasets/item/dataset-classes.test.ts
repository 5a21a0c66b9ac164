import { describe, expect, it } from 'vitest';
import { classId, joinClasses, numberClasses, orderClasses } from './dataset-classes.ts';

describe('classes of a dataset', () => {
  it('keep their place and id, others follow sorted', () => {
    const given = [
      { label: 'plate', id: 7 },
      { label: 'cup', id: null },
    ];
    const classes = orderClasses(['fork', 'cup', 'a', 'fork'], given);
    expect(classes.map(({ label }) => label)).toEqual(['plate', 'cup', 'a', 'fork']);
    expect(numberClasses(classes)).toEqual([7, 8, 9, 10]);
  });

  it.each([
    [[], []],
    [
      [null, null],
      [1, 2],
    ],
    [
      [0, null, 1],
      [0, 2, 1],
    ],
    [
      [5, null, null],
      [5, 6, 7],
    ],
    [
      [2 ** 31 - 1, null, 1],
      [2 ** 31 - 1, 2, 1],
    ],
  ])('of the ids %j are numbered %j', (ids, numbers) => {
    expect(numberClasses(ids.map((id, at) => ({ label: `l${at}`, id })))).toEqual(numbers);
  });

  it('start from 1 where there is no room above the highest id', () => {
    const classes = [2 ** 31 - 3, null, null].map((id, at) => ({ label: `l${at}`, id }));
    expect(numberClasses(classes)).toEqual([2 ** 31 - 3, 1, 2]);
    classes[0]!.id = 2 ** 31 - 5;
    expect(numberClasses(classes)).toEqual([2 ** 31 - 5, 2 ** 31 - 4, 2 ** 31 - 3]);
  });

  it('take an id of a later list, keep their place, and give up one that is taken', () => {
    const lists = [[{ label: 'a', id: null }, { label: 'b', id: 0 }], [{ label: 'a', id: 0 }], [{ label: 'a', id: 3 }, { label: 'c', id: 3 }]]; // prettier-ignore
    expect(joinClasses(...lists)).toEqual([{ label: 'a', id: 3 }, { label: 'b', id: 0 }, { label: 'c', id: null }]); // prettier-ignore
  });

  it('are joined by label, and no two have one id', () => {
    const [a, b] = [{ label: 'a', id: 1 }, { label: 'b', id: 1 }]; // prettier-ignore
    expect(
      joinClasses(
        [a, b],
        [
          { label: 'b', id: 2 },
          { label: 'a', id: 9 },
        ],
      ),
    ).toEqual([a, { label: 'b', id: 2 }]);
  });

  it.each([
    [18, 18],
    ['18', 18],
    [0, 0],
    [2 ** 31, null],
    [-1, null],
    [1.5, null],
    ['x', null],
    [' ', null],
    [2 ** 31 - 1, 2 ** 31 - 1],
    ['-1', null],
    [true, null],
    ['', null],
    [null, null],
  ])('take %j for the id %j', (value, id) => {
    expect(classId(value)).toBe(id);
  });
});
