import { describe, expect, it } from 'vitest';
import type { TabularRow } from '../ports/stored-captures.ts';
import { packRows } from '../ports/packed-readings.ts';
import { arePacked, partsOf, passReadings, readingDocuments, unpackReadings } from './reading-document.ts';

const row: TabularRow = {
  id: '1',
  organizationId: 'a',
  locationId: 'lab',
  robotId: 'r',
  robotName: 'R',
  partId: 'p',
  partName: 'P',
  componentType: 'sensor',
  componentName: 'scale',
  methodName: 'Readings',
  methodParameters: {},
  timeRequested: 1_700_000_000_123_999,
  timeReceived: 1_700_000_000_456_001,
  timeSynced: 0,
  internal: false,
  tags: ['x'],
  additionalParameters: '{"k":1}',
  sizeBytes: 1,
  payload: { readings: { kg: 1, list: [{ a: 1, b: 2 }], deep: { x: 1, y: 2 } }, other: null },
};
const origin = {
  organization_id: 'a',
  location_id: 'lab',
  robot_id: 'r',
  part_id: 'p',
  component_type: 'sensor',
  component_name: 'scale',
  method_name: 'Readings',
};
const time_requested = new Date(1_700_000_000_123);

it('makes the whole document of a row, its times cut to the millisecond', () => {
  expect(readingDocuments(null)(row)).toEqual({
    ...origin,
    time_requested,
    time_received: new Date(1_700_000_000_456),
    tags: ['x'],
    additional_parameters: { k: 1 },
    data: row.payload,
  });
  expect(readingDocuments(null)({ ...row, additionalParameters: '' })).toMatchObject({ additional_parameters: {} });
});

describe('of paths', () => {
  const cases: readonly [readonly string[], object][] = [
    [[], {}],
    [Object.keys(origin), origin],
    [['part_id.x', 'time_requested'], { part_id: 'p', time_requested }],
    [['data'], { data: row.payload }],
    [['data', 'data.readings.kg'], { data: row.payload }],
    [['data.readings.kg', 'data.other'], { data: { readings: { kg: 1 }, other: null } }],
    [['data.readings.deep.y', 'data.readings.deep.x.z'], { data: { readings: { deep: { x: 1, y: 2 } } } }],
    [['data.readings.list.a'], { data: { readings: { list: [{ a: 1, b: 2 }] } } }],
    [['data.none', 'data.toString', 'database'], { data: {} }],
  ];
  it.each(cases)('%j, makes what is below them', (paths, document) => {
    expect(readingDocuments(paths)(row)).toEqual(document);
    expect(unpackReadings(packRows([row]).readings, paths)).toEqual([document]);
    const passed = Array.from(passReadings(packRows([row]).readings, paths), (one) => ({ ...one }));
    expect(passed).toMatchObject([document]);
  });

  it('takes each reading with its own origin, and odd payloads as they are', () => {
    const odd = { readings: { kg: Infinity } };
    const rows = [row, { ...row, id: '2', partId: 'q', payload: odd }];
    expect(unpackReadings(packRows(rows).readings, ['part_id', 'data.readings.kg'])).toEqual([
      { part_id: 'p', data: { readings: { kg: 1 } } },
      { part_id: 'q', data: odd },
    ]);
  });

  it('passes readings on in documents that it fills anew, with whole payloads', () => {
    const rows = ['p', 'q', 'p'].map((partId, n) => ({ ...row, id: `${n}`, partId, payload: { n, m: -n } }));
    const documents = [...passReadings(packRows(rows).readings, ['part_id', 'time_requested', 'data.n'])];
    const seen = Array.from(passReadings(packRows(rows).readings, ['part_id', 'time_requested', 'data.n']), (one) => ({
      ...one,
    }));
    expect(seen).toEqual(rows.map(({ partId, payload }) => ({ part_id: partId, time_requested, data: payload })));
    expect(documents[0]).toBe(documents[2]);
  });

  it('says which parts of packed readings they are read from', () => {
    const none = { times: false, origins: false, payloads: false, rest: false };
    expect(partsOf(null)).toEqual({ times: true, origins: true, payloads: true, rest: true });
    expect(partsOf(['x', 'database'])).toEqual(none);
    expect(partsOf(['time_requested'])).toEqual({ ...none, times: true });
    expect(partsOf(['part_id.x', 'data.n'])).toEqual({ ...none, origins: true, payloads: true });
    expect(partsOf(['tags'])).toEqual({ ...none, rest: true });
  });

  it.each([
    [null, false],
    [[], true],
    [['part_id', 'data.tags'], true],
    [['tags'], false],
    [['part_id', 'time_received.x'], false],
    [['additional_parameters.k'], false],
  ])('%j are packed: %s', (paths, packed) => {
    expect(arePacked(paths)).toBe(packed);
  });
});
