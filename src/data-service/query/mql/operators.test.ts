import { deserialize } from 'bson';
import { Lazy } from 'mingo/lazy';
import type { Options } from 'mingo/types';
import { describe, expect, it } from 'vitest';
import { defaultQueryLimits } from '../query-limits.ts';
import type { QueryDocument, QueryStage, QueryValue } from '../query-document.ts';
import { $geoNear } from './operators/geo-near.ts';
import { PipelineExecution } from './pipeline-execution.ts';

function run(rows: readonly QueryDocument[], ...stages: QueryStage[]): Record<string, unknown>[] {
  const execution = new PipelineExecution(stages, defaultQueryLimits, 0);
  execution.add(structuredClone(rows));
  return execution.finish().map((bytes) => deserialize(bytes));
}
const numbers = (...values: QueryValue[]): QueryDocument[] => values.map((x) => ({ x }));
const refusal = (message: string) => expect.objectContaining({ code: 'invalid-query', message }) as Error;

describe('comparisons across types', () => {
  // each before the next, in MongoDB's order of types; a pair of equals stands in one list
  const ascending: readonly (readonly QueryValue[])[] = [
    [undefined],
    [null],
    [Number.NaN, -Infinity],
    [-1],
    [0, -0],
    [2],
    [10],
    [''],
    ['10'],
    ['2'],
    ['a'],
    [{ a: 1 }],
    [{ a: 1, b: 1 }],
    [{ a: 2 }],
    [{ b: 0 }],
    [[]],
    [[1]],
    [[1, 0]],
    [[2]],
    [new Uint8Array([1])],
    [new Uint8Array([1, 2])],
    [new Uint8Array([2])],
    [false],
    [true],
    [new Date(0)],
    [new Date(1)],
    [/a/],
    [/b/],
  ];
  const order = (a: QueryValue, b: QueryValue): unknown => {
    const compared = ['$cmp', '$eq', '$ne', '$lt', '$lte', '$gt', '$gte'].map((name) => [
      name,
      { [name]: ['$a', '$b'] },
    ]);
    return run([{ a, b }], {
      $project: Object.fromEntries(compared.map(([name, of]) => [(name as string).slice(1), of])),
    })[0];
  };
  const less = { cmp: -1, eq: false, ne: true, lt: true, lte: true, gt: false, gte: false };
  const equal = { cmp: 0, eq: true, ne: false, lt: false, lte: true, gt: false, gte: true };
  const greater = { cmp: 1, eq: false, ne: true, lt: false, lte: false, gt: true, gte: true };

  it.each(ascending.map((values, place) => [values, place] as const))('place %j', (values, place) => {
    for (const value of values) {
      for (const same of values) expect(order(value, same)).toEqual(equal);
      for (const [more] of ascending.slice(place + 1)) {
        expect(order(value, more)).toEqual(less);
        expect(order(more, value)).toEqual(greater);
      }
    }
  });

  it.each(['$a', ['$a'], ['$a', 1, 2]])('take two expressions, not %j', (expression) => {
    expect(() => run([{ a: 1 }], { $project: { x: { $gt: expression } } })).toThrow(
      refusal('$gt takes an array of two expressions.'),
    );
  });
});

describe('percentiles', () => {
  const of = (rows: QueryDocument[], p: number[], method: string) =>
    run(rows, { $group: { _id: null, p: { $percentile: { input: '$x', p, method } } } })[0]!.p;
  it.each([
    ['approximate', [0, 0.2, 0.21, 0.5, 0.99, 1], [1, 1, 2, 3, 10, 10]],
    ['discrete', [0.4, 0.41], [2, 3]],
    ['continuous', [0, 0.1, 0.5, 0.9, 1], [1, 1.4, 3, 7.6, 10]],
  ])('%s of %j', (method, p, expected) => {
    expect(of(numbers(10, 1, 'a', 4, 2, null, 3, Number.NaN), p, method)).toEqual(
      expected.map((value) => expect.closeTo(value, 9) as unknown),
    );
  });

  it('of no numbers are null', () => {
    expect(of(numbers('a'), [0, 1], 'continuous')).toEqual([null, null]);
  });

  it.each<[QueryValue, unknown]>([
    [{ $median: { input: [5, 1, 9] } }, 5],
    [{ $median: { input: 7, method: 'continuous' } }, 7],
    [{ $percentile: { input: [1, 2], p: [1] } }, [2]],
  ])('of one document: %j', (expression, value) => {
    expect(run([{}], { $project: { value: expression } })).toEqual([{ value }]);
  });

  it.each<[QueryValue, string]>([
    [{ $median: 5 }, '$median takes a document with an input.'],
    [{ $percentile: { p: [1] } }, '$percentile takes a document with an input.'],
    [
      { $median: { input: [1], method: 'best' } },
      '$median: the method is one of approximate, discrete, continuous, not "best".',
    ],
    [{ $median: { input: [1], method: 5 } }, '$median: the method is one of approximate, discrete, continuous, not 5.'],
    ...([[], [1.1], [-0.1], ['1']] as QueryValue[][]).map((p): [QueryValue, string] => [
      { $percentile: { input: [1], p } },
      `$percentile: p is an array of numbers between 0 and 1, not ${JSON.stringify(p)}.`,
    ]),
  ])('refuse %j', (expression, message) => {
    expect(() => run([{}], { $project: { value: expression } })).toThrow(refusal(message));
  });
});

describe('$bucket', () => {
  const bucket = (changes: object) => ({ $bucket: { groupBy: '$x', boundaries: [0, 5, 10], ...changes } });
  it('counts from each boundary up to the next, and may gather the others', () => {
    expect(run(numbers(0, 4.9, 5, 9), bucket({}))).toEqual([
      { _id: 0, count: 2 },
      { _id: 5, count: 2 },
    ]);
    expect(run(numbers(10, -1, 3), bucket({ default: 'else', output: { sum: { $sum: '$x' } } }))).toEqual([
      { _id: 0, sum: 3 },
      { _id: 'else', sum: 9 },
    ]);
  });

  it.each<[object, string]>([
    [{ groupBy: '$x', boundaries: [0] }, '$bucket: boundaries is an array of at least two values.'],
    [{ groupBy: '$x' }, '$bucket: boundaries is an array of at least two values.'],
    [{ groupBy: '$x', boundaries: [0, 0] }, '$bucket: the boundaries must ascend.'],
    [{ groupBy: '$x', boundaries: [0, 9, 5] }, '$bucket: the boundaries must ascend.'],
    [{ boundaries: [0, 1] }, '$bucket takes a document with a groupBy.'],
    [
      { groupBy: '$x', boundaries: [0, 1] },
      '$bucket: a value lies outside the boundaries, and there is no default for it.',
    ],
  ])('refuses %j', (spec, message) => {
    expect(() => run(numbers(1), { $bucket: spec as QueryDocument })).toThrow(refusal(message));
  });
});

describe('$geoNear', () => {
  const places = [
    { name: 'far', at: { type: 'Point', coordinates: [0, 2] } },
    { name: 'near', at: [0, 1] },
    { name: 'named', at: { lon: 3, lat: 0 } },
    { name: 'nowhere', at: 'x' },
    { name: 'half', at: [1] },
  ];
  const near = (changes: object) =>
    run(places, { $geoNear: { near: [0, 0], key: 'at', distanceField: 'd.to', ...changes } }).map((row) => [
      row.name,
      (row.d as { to: number }).to,
    ]);
  const degreeM = (6_378_100 * Math.PI) / 180;
  const close = (name: string, distance: number) => [name, expect.closeTo(distance, 6) as unknown];

  it.each<[object, readonly (readonly unknown[])[]]>([
    [{}, [close('near', 1), close('far', 2), close('named', 3)]],
    [{ spherical: true }, [1, 2, 3].map((d, i) => close(['near', 'far', 'named'][i]!, (d * Math.PI) / 180))],
    [
      { near: { type: 'Point', coordinates: [0, 0] } },
      [close('near', degreeM), close('far', 2 * degreeM), close('named', 3 * degreeM)],
    ],
    [{ distanceMultiplier: 10, minDistance: 2, maxDistance: 2 }, [close('far', 20)]],
    [{ query: { name: 'named' } }, [close('named', 3)]],
    [{ near: [3, 4], query: { name: 'named' } }, [close('named', 4)]],
  ])('with %j', (changes, expected) => expect(near(changes)).toEqual(expected));

  it('leaves the documents that it reads as they were', () => {
    const source = [{ at: [0, 1], d: { kept: 1 } }];
    const spec = { near: [0, 0], key: 'at', distanceField: 'd.to' };
    expect($geoNear(Lazy(source), spec, {} as Options).collect()).toEqual([{ at: [0, 1], d: { kept: 1, to: 1 } }]);
    expect(source).toEqual([{ at: [0, 1], d: { kept: 1 } }]);
  });

  it('shows where what it found is', () => {
    const [row] = run([{ at: [0, 1], d: { kept: 1 } }], {
      $geoNear: { near: [0, 0], key: 'at', distanceField: 'd.to', includeLocs: 'd.at' },
    });
    expect(row).toEqual({ at: [0, 1], d: { kept: 1, to: 1, at: [0, 1] } });
  });

  it.each<[QueryValue, string]>([
    [5, '$geoNear takes a document.'],
    [{ near: 'x' }, '$geoNear: near is a GeoJSON Point or a pair [longitude, latitude].'],
    [{ near: [0, 0] }, '$geoNear needs a distanceField.'],
    [{ near: [0, 0], distanceField: 'd' }, '$geoNear needs key, the path of the field that holds the place.'],
  ])('refuses %j', (spec, message) => {
    expect(() => run(places, { $geoNear: spec })).toThrow(refusal(message));
  });
});

describe('what cuts', () => {
  it.each<[QueryStage, string]>([
    [{ $limit: 0 }, '$limit takes a whole number of at least 1, not 0.'],
    [{ $limit: 1.5 }, '$limit takes a whole number of at least 1, not 1.5.'],
    [{ $skip: -1 }, '$skip takes a whole number of at least 0, not -1.'],
    [{ $skip: '1' }, '$skip takes a whole number of at least 0, not "1".'],
    [{ $sample: 5 }, '$sample takes {size}, a whole number of at least 1, not 5.'],
    [{ $sample: { size: 0 } }, '$sample takes {size}, a whole number of at least 1, not {"size":0}.'],
  ])('refuses %j', (stage, message) => {
    expect(() => run(numbers(1), stage)).toThrow(refusal(message));
  });

  it.each<[QueryStage, number[]]>([
    [{ $limit: 1 }, [1]],
    [{ $limit: 9 }, [1, 2, 3]],
    [{ $skip: 0 }, [1, 2, 3]],
    [{ $skip: 2 }, [3]],
  ])('%j of three', (stage, left) => {
    expect(run(numbers(1, 2, 3), stage).map(({ x }) => x)).toEqual(left);
  });

  it('draws as many as asked for, none twice', () => {
    const all = Array.from({ length: 20 }, (_, x) => x);
    for (let i = 0; i < 20; i++) {
      const drawn = run(numbers(...all), { $sample: { size: 19 } }).map(({ x }) => x as number);
      expect(new Set(drawn).size).toBe(19);
      expect(all).toEqual(expect.arrayContaining(drawn));
    }
  });
});

describe('$addToSet', () => {
  it('takes each different value once, also a document with a field that every object has', () => {
    const values: QueryValue[] = [
      { constructor: 1 },
      { a: 1, b: 2 },
      0,
      { b: 2, a: 1 },
      -0,
      '0',
      { constructor: 1 },
      null,
      [1],
      [1],
    ];
    const different: unknown[] = [{ constructor: 1 }, { a: 1, b: 2 }, 0, '0', null, [1]];
    expect(run(numbers(...values), { $group: { _id: null, set: { $addToSet: '$x' } } })[0]!.set).toEqual(different);
  });
});

describe('$dateTrunc', () => {
  const cut = (date: string, args: QueryDocument): unknown =>
    run([{ date: new Date(date) }], { $project: { _id: 0, x: { $dateTrunc: { date: '$date', ...args } } } })[0]!.x;

  it.each<[string, QueryDocument, string]>([
    ['1999-01-31', { unit: 'month' }, '1999-01-01'],
    ['1970-01-01', { unit: 'quarter' }, '1970-01-01'],
    ['1999-12-31T23:59:59.999Z', { unit: 'year' }, '1999-01-01'],
    ['1999-12-31', { unit: 'month', binSize: 5 }, '1999-08-01'],
    ['2026-03-01', { unit: 'year', binSize: 10 }, '2020-01-01'],
    ['2026-03-01T05:30:00Z', { unit: 'hour', binSize: 2 }, '2026-03-01T04:00:00Z'],
  ])('of %s by %j', (date, args, start) => expect(cut(date, args)).toEqual(new Date(start)));

  it('refuses what is no time, and bins of nothing', () => {
    expect(() => run(numbers('2026'), { $project: { x: { $dateTrunc: { date: '$x', unit: 'day' } } } })).toThrow(
      '$dateTrunc failed on {"date":"2026","unit":"day"}: only a time can be cut',
    );
    expect(() => cut('2026-03-01', { unit: 'month', binSize: 0 })).toThrow('binSize');
  });
});
