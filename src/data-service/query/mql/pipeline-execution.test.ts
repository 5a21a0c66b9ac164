import { deserialize } from 'bson';
import { describe, expect, it } from 'vitest';
import { defaultQueryLimits } from '../query-limits.ts';
import type { QueryDocument, QueryValue, QueryStage } from '../query-document.ts';
import { PipelineExecution } from './pipeline-execution.ts';

const nowMs = Date.UTC(2026, 10, 21);

const readings: readonly QueryDocument[] = [
  { name: 'a', at: new Date('2026-01-01T00:00:00Z'), temp: 20, tags: ['x', 'y'], place: [13.4, 52.5] },
  { name: 'b', at: new Date('2026-01-01T01:00:00Z'), temp: 9.5, tags: [], place: [2.35, 48.86] },
  { name: 'a', at: new Date('2026-01-01T02:00:00Z'), temp: 100, tags: ['y'], place: [-0.13, 51.5] },
  { name: 'b', at: new Date('2026-01-01T03:00:00Z'), temp: null, tags: ['x'] },
  { name: 'a', at: new Date('2026-01-01T04:00:00Z'), temp: 3, tags: [] },
];

function run(stages: readonly QueryStage[], batchSize = 2, limits = defaultQueryLimits): unknown[] {
  const execution = new PipelineExecution(stages, limits, nowMs);
  for (let i = 0; i < readings.length; i += batchSize)
    if (!execution.add(structuredClone(readings.slice(i, i + batchSize)))) break;
  return execution.finish().map((bytes) => deserialize(bytes));
}

const cases: readonly [string, readonly QueryStage[], unknown[]][] = [
  ['counts', [{ $count: 'n' }], [{ n: 5 }]],
  ['counts nothing by nothing', [{ $match: { name: 'c' } }, { $count: 'n' }], []],
  [
    'matches across batches',
    [{ $match: { temp: { $gt: 5 } } }, { $project: { temp: 1 } }],
    [{ temp: 20 }, { temp: 9.5 }, { temp: 100 }],
  ],
  [
    'skips and limits across batches',
    [{ $skip: 1 }, { $limit: 3 }, { $project: { temp: 1 } }],
    [{ temp: 9.5 }, { temp: 100 }, { temp: null }],
  ],
  [
    'unwinds and limits',
    [{ $unwind: '$tags' }, { $limit: 3 }, { $project: { tags: 1 } }],
    [{ tags: 'x' }, { tags: 'y' }, { tags: 'y' }],
  ],
  [
    'groups',
    [
      { $group: { _id: '$name', n: { $sum: 1 }, mean: { $avg: '$temp' }, top: { $max: '$temp' } } },
      { $sort: { _id: 1 } },
    ],
    [
      { _id: 'a', n: 3, mean: 41, top: 100 },
      { _id: 'b', n: 2, mean: 9.5, top: 9.5 },
    ],
  ],
  [
    'takes percentiles of numbers in the order of numbers',
    [
      {
        $group: {
          _id: null,
          median: { $median: { input: '$temp', method: 'approximate' } },
          quartiles: {
            $percentile: { input: { $multiply: ['$temp', 2] }, p: [0, 0.25, 0.75, 1], method: 'approximate' },
          },
          between: { $median: { input: '$temp', method: 'continuous' } },
          none: { $median: { input: '$missing', method: 'approximate' } },
        },
      },
    ],
    [{ _id: null, median: 9.5, quartiles: [6, 6, 40, 200], between: 14.75, none: null }],
  ],
  [
    'takes percentiles of an array in a document',
    [{ $limit: 1 }, { $project: { m: { $median: { input: [10, 9, 100], method: 'approximate' } } } }],
    [{ m: 10 }],
  ],
  [
    'makes no bucket that nothing fell into',
    [
      { $match: { temp: { $ne: null } } },
      { $bucket: { groupBy: '$temp', boundaries: [0, 5, 10, 15, 50], default: 'more', output: { n: { $sum: 1 } } } },
    ],
    [
      { _id: 0, n: 1 },
      { _id: 5, n: 1 },
      { _id: 15, n: 1 },
      { _id: 'more', n: 1 },
    ],
  ],
  [
    'knows no deviation of too few numbers',
    [{ $match: { name: 'b' } }, { $group: { _id: null, s: { $stdDevSamp: '$temp' }, p: { $stdDevPop: '$missing' } } }],
    [{ _id: null, s: null, p: null }],
  ],
  [
    'compares across types, and tells missing from null',
    [
      { $match: { name: 'b' } },
      {
        $project: {
          known: { $gt: ['$temp', null] },
          text: { $lt: [1, 'a'] },
          gone: { $eq: ['$gone', null] },
          list: { $gt: ['$tags', 9] },
        },
      },
    ],
    [
      { known: true, text: true, gone: false, list: true },
      { known: false, text: true, gone: false, list: true },
    ],
  ],
  [
    'prunes documents whole',
    [{ $redact: { $cond: [{ $eq: ['$name', 'b'] }, '$$KEEP', '$$PRUNE'] } }, { $count: 'n' }],
    [{ n: 2 }],
  ],
  [
    'takes the one on top',
    [{ $group: { _id: null, t: { $top: { output: '$temp', sortBy: { at: -1 } } } } }],
    [{ _id: null, t: 3 }],
  ],
  [
    'slides windows without enabling scripts',
    [
      {
        $setWindowFields: {
          sortBy: { at: 1 },
          output: { n: { $sum: 1, window: { documents: ['unbounded', 'current'] } } },
        },
      },
      { $project: { n: 1 } },
    ],
    [{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }, { n: 5 }],
  ],
  [
    'carries the last value forward',
    [{ $fill: { sortBy: { at: 1 }, output: { temp: { method: 'locf' } } } }, { $project: { temp: 1 } }],
    [{ temp: 20 }, { temp: 9.5 }, { temp: 100 }, { temp: 100 }, { temp: 3 }],
  ],
  [
    'finds what is near, in metres',
    [
      {
        $geoNear: {
          near: { type: 'Point', coordinates: [2.35, 48.86] },
          key: 'place',
          distanceField: 'far',
          maxDistance: 400_000,
        },
      },
      { $project: { name: 1, km: { $round: [{ $divide: ['$far', 1000] }, 0] } } },
    ],
    [
      { name: 'b', km: 0 },
      { name: 'a', km: 343 },
    ],
  ],
  [
    'sees one moment as now',
    [{ $limit: 2 }, { $project: { now: '$$NOW' } }],
    [{ now: new Date(nowMs) }, { now: new Date(nowMs) }],
  ],
  ['samples no document twice', [{ $sample: { size: 99 } }, { $count: 'n' }], [{ n: 5 }]],
  [
    'answers in plain types',
    [
      { $limit: 1 },
      {
        $project: {
          whole: { $add: ['$temp', 0] },
          big: { $literal: 2 ** 40 },
          pattern: { $literal: /^a/i },
          gone: '$missing',
        },
      },
    ],
    [{ whole: 20, big: 2 ** 40, pattern: '/^a/i' }],
  ],
];

describe('a pipeline over rows that come in batches', () => {
  it.each(cases)('%s', (_, stages, expected) => {
    for (const batchSize of [1, 2, 5]) expect(run(stages, batchSize)).toEqual(expected);
  });

  it('wants no more rows once a $limit has its own', () => {
    const execution = new PipelineExecution([{ $match: { name: 'a' } }, { $limit: 2 }], defaultQueryLimits, nowMs);
    expect(execution.add(readings.slice(0, 2))).toBe(true);
    expect(execution.add(readings.slice(2, 3))).toBe(false);
  });

  const refusals: readonly [string, readonly QueryStage[], string, Partial<typeof defaultQueryLimits>][] = [
    ['more rows than allowed', [{ $match: {} }], 'resource-exhausted', { maxRows: 4 }],
    ['a range that fills the memory', [{ $project: { x: { $range: [0, 1e12] } } }], 'resource-exhausted', {}],
    ['arrays that double', [doubling('$concatArrays', [1])], 'resource-exhausted', {}],
    ['texts that double', [doubling('$concat', 'aaaaaaaa')], 'resource-exhausted', {}],
    [
      'rows that multiply',
      [{ $addFields: { r: { $range: [0, 1000] } } }, { $unwind: '$r' }, { $count: 'n' }],
      'resource-exhausted',
      { maxMemoryBytes: 256 * 2000 },
    ],
    ['a division by zero', [{ $project: { x: { $divide: ['$temp', 0] } } }], 'invalid-query', {}],
    ['a stage without its arguments', [{ $densify: {} }], 'invalid-query', {}],
    ['a value in no bucket', [{ $bucket: { groupBy: '$temp', boundaries: [0, 5] } }], 'invalid-query', {}],
    ['boundaries that fall', [{ $bucket: { groupBy: '$temp', boundaries: [5, 0] } }], 'invalid-query', {}],
    [
      'a time zone that there is not',
      [{ $project: { x: { $dateToString: { date: '$at', timezone: 'Mars/Olympus' } } } }],
      'invalid-query',
      {},
    ],
    ['a limit of nothing', [{ $limit: 0 }], 'invalid-query', {}],
    [
      'a percentile beyond 1',
      [{ $group: { _id: null, p: { $percentile: { input: '$temp', p: [2], method: 'approximate' } } } }],
      'invalid-query',
      {},
    ],
  ];

  it.each(refusals)('refuses %s', (_, stages, code, limits) => {
    expect(() => run(stages, 2, { ...defaultQueryLimits, ...limits })).toThrow(expect.objectContaining({ code }));
  });
});

it.each<[string, QueryStage[]]>([
  ['$range makes a value longer than 8000 elements or characters.', [{ $project: { x: { $range: [9000, 0, -1] } } }]],
  ['$concat makes a value longer than 8000 elements or characters.', [doubling('$concat', 'aaaaaaaa')]],
  ['$unwind makes more than 2000 documents.', [{ $addFields: { r: { $range: [0, 401] } } }, { $unwind: '$r' }, { $count: 'n' }]],
])('names what makes too much: %s', (message, stages) => {
  const small = { ...defaultQueryLimits, maxMemoryBytes: 256 * 2000 };
  expect(() => run(stages, 5, small)).toThrow(message);
}); // prettier-ignore

it('takes what fills its bounds', () => {
  const stages = [{ $addFields: { r: { $range: [0, 400] } } }, { $unwind: '$r' }, { $count: 'n' }];
  expect(run(stages, 5, { ...defaultQueryLimits, maxMemoryBytes: 256 * 2000 })).toEqual([{ n: 2000 }]);
});

it.each<[QueryValue, string]>([
  [{ $add: ['$name', 1] }, '$add failed on ["a",1]: $add expression must'],
  [{ $divide: ['$temp', 0] }, '$divide failed on [20,0]: $divide cannot divide by zero'],
  [{ $multiply: [{ $concat: ['$name', 'x'.repeat(200)] }, 2] }, 'xx…'],
  [{ $convert: { input: '$name', to: 'double' } }, '$convert failed on {"input":"a","to":"double"}: the one cannot'],
])('tells what %j was given where it fails', (expression, message) => {
  expect(() => run([{ $project: { x: expression } }])).toThrow(message);
});

it('tells of a value of a wrong type in words of queries', () => {
  const stages = [{ $project: { x: { $switch: {} } } }];
  expect(() => run(stages)).toThrow('an operator was given a value of a type that it does not take');
});

function doubling(operator: string, start: string | number[]): QueryStage {
  const twice = { [operator]: ['$$value', '$$value'] };
  return { $project: { x: { $reduce: { input: { $range: [0, 60] }, initialValue: start, in: twice } } } };
}

it.each<[string, boolean, readonly QueryStage[]]>([
  ['of a plain group', false, [{ $group: { _id: '$name', n: { $sum: 1 } } }, { $sort: { n: 1 } }]],
  ['of a match and a plain group', false, [{ $match: { temp: 3 } }, { $group: { _id: '$name', top: { $max: '$temp' } } }]],
  ['of a group that mingo runs', true, [{ $group: { _id: '$name', all: { $push: '$temp' } } }]],
  ['of a stage that passes documents on', true, [{ $set: { n: 1 } }, { $group: { _id: '$name', last: { $last: '$n' } } }]],
  ['of a sort', true, [{ $sort: { temp: 1 } }]],
  ['that it answers', true, []],
])('tells whether it keeps documents %s: %s', (_, isKept, stages) => {
  expect(new PipelineExecution(stages, defaultQueryLimits, nowMs).keepsDocuments).toBe(isKept);
}); // prettier-ignore
