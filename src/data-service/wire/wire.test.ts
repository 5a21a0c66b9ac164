import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { AnySchema, anyPack, StructSchema, ValueSchema } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from 'vitest';
import { fromCursor, toCursor } from './cursor.ts';
import {
  canonicalParameters,
  packParameters,
  parametersText,
  requestedParameters,
  unpackParameters,
} from './method-parameters.ts';
import { pageLimit } from './page-limit.ts';

describe('cursors', () => {
  it.each([
    { time: 0, id: 'a/lab/1' },
    { time: -5, id: 'x-000001' },
    { time: 1_773_205_200_123_456, id: 'f3a1c2d4-0000-4000-8000-000000000000' },
  ])('carry %j there and back', (position) => {
    expect(fromCursor(toCursor(position))).toEqual(position);
  });

  it('begin where there is none', () => {
    expect(fromCursor('')).toBeNull();
  });
});

describe('method parameters', () => {
  const value = (text: string) =>
    anyPack(ValueSchema, create(ValueSchema, { kind: { case: 'stringValue', value: text } }));

  it('are equal text when they are equal, in whatever order they came', () => {
    expect(parametersText({ b: value('2'), a: value('1') })).toBe('{"a":"1","b":"2"}');
    expect(requestedParameters({ b: '2', a: '1' })).toBe('{"a":"1","b":"2"}');
    expect(canonicalParameters({ z: { y: [1, { b: 1, a: 2 }] } })).toBe('{"z":{"y":[1,{"a":2,"b":1}]}}');
  });

  it('are no text when there are none, and constrain nothing', () => {
    expect(parametersText({})).toBe('');
    expect(requestedParameters({})).toBeNull();
    expect(requestedParameters(undefined)).toBeNull();
  });

  it('leave out what cannot be compared, but keep it', () => {
    const foreign = create(AnySchema, { typeUrl: 'type.example/other.Message', value: Uint8Array.of(1, 2) });
    const broken = create(AnySchema, {
      typeUrl: `type.googleapis.com/${StructSchema.typeName}`,
      value: Uint8Array.of(255),
    });
    expect(parametersText({ foreign, broken })).toBe('');
    expect(unpackParameters(packParameters({ foreign, broken }))).toEqual({ foreign, broken });
    expect(fromBinary(AnySchema, toBinary(AnySchema, foreign))).toEqual(foreign);
  });
});

it.each([
  [0n, false, 50],
  [1n, true, 1],
  [100n, true, 100],
  [101n, true, 100],
  [1000n, false, 1000],
  [2n ** 64n - 1n, false, 1000],
])('a page of %d (with bytes: %s) has %d', (limit, withBytes, expected) => {
  expect(pageLimit(limit, withBytes)).toBe(expected);
});
