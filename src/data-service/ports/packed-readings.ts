import type { CaptureOrigin, StructObject, StructValue, TabularRow } from './stored-captures.ts';
import { positionOf, type Position } from './capture-filter.ts';

const originFields = [
  'organizationId',
  'locationId',
  'robotId',
  'partId',
  'componentType',
  'componentName',
  'methodName',
] as const;

/** The part of a reading's origin that queries can read. */
export type ReadingOrigin = Pick<CaptureOrigin, (typeof originFields)[number]>;

/**
 * Many readings in one object, in order: transferring and parsing a thousand rows one by one takes several times as
 * long as querying them. Survives structured cloning. A part that the reader did not ask for is empty.
 */
export interface PackedReadings {
  readonly count: number;
  readonly timesRequested: Float64Array;
  /** the payloads as the JSON text of an array; null stands for those in `unusual` */
  readonly payloads: string;
  /** payloads that JSON text would change (`payloadText`), with their index */
  readonly unusual: readonly (readonly [index: number, payload: StructObject])[];
  readonly origins: readonly ReadingOrigin[];
  /** index into `origins` for each reading */
  readonly originOf: Uint32Array;
  /** absent: the reader did not ask for whole documents */
  readonly rest?: PackedRest;
}

/** Which parts of readings are read. */
export interface ReadingParts {
  readonly times: boolean;
  readonly origins: boolean;
  readonly payloads: boolean;
  readonly rest: boolean;
}

/** The parts of readings that only whole documents have. */
export interface PackedRest {
  readonly timesReceived: Float64Array;
  /** details of the readings that have any, with the reading's index */
  readonly details: readonly (readonly [index: number, details: ReadingDetails])[];
}

/** The parts that few readings have. */
export type ReadingDetails = Pick<TabularRow, 'tags' | 'additionalParameters'>;

export interface PackedPage {
  readonly readings: PackedReadings;
  /** position of the last reading; null: there is none */
  readonly last: Position | null;
}

/** A reading to be packed: `text` is the JSON text of its payload, null if there is none. */
export interface ReadingToPack extends Position {
  readonly origin: ReadingOrigin;
  readonly text: string | null;
  readonly payload: () => StructObject;
}

/**
 * Packs readings so that they cross to a worker as a few arrays. Equal origins should be the same object: they are
 * compared by identity.
 * @param readings with time (microseconds), origin and payload
 * @returns times in one array, each origin once, and the payloads as one text
 * @example
 * const origin = { partId: 'p' };
 * const reading = { time: 5, timeReceived: 5, origin, text: '{"kg":1}', payload: () => ({ kg: 1 }) };
 * const { readings } = packReadings([reading, reading]);
 * [...readings.timesRequested]; // => [5, 5]
 * readings.origins.length; // => 1
 */
export function packReadings(readings: readonly ReadingToPack[]): PackedPage {
  const timesRequested = new Float64Array(readings.length);
  const originOf = new Uint32Array(readings.length);
  const places = new Map<ReadingOrigin, number>();
  const texts = new Array<string>(readings.length);
  const unusual: [number, StructObject][] = [];
  for (let index = 0; index < readings.length; index++) {
    const { time, origin, text, payload } = readings[index]!;
    timesRequested[index] = time;
    texts[index] = text ?? 'null';
    if (text === null) unusual.push([index, payload()]);
    let place = places.get(origin);
    if (place === undefined) places.set(origin, (place = places.size));
    originOf[index] = place;
  }
  const origins = Array.from(places.keys(), originAlone);
  const last = readings.at(-1);
  return {
    readings: { count: readings.length, timesRequested, payloads: `[${texts.join()}]`, unusual, origins, originOf },
    last: last === undefined ? null : { time: last.time, id: last.id },
  };
}

/**
 * Packs rows, for stores that do not keep payloads as text.
 * @param rows readings of a store
 * @returns as `packReadings`
 * @example
 * packRows([]).last; // => null
 */
export function packRows(rows: readonly TabularRow[]): PackedPage {
  const origins = new Map<string, ReadingOrigin>();
  const readings = rows.map((row): ReadingToPack => {
    const origin = originAlone(row);
    const key = JSON.stringify(origin);
    if (!origins.has(key)) origins.set(key, origin);
    return {
      ...positionOf(row),
      origin: origins.get(key)!,
      text: payloadText(row.payload),
      payload: () => row.payload,
    };
  });
  return packReadings(readings);
}

function originAlone(capture: ReadingOrigin): ReadingOrigin {
  return Object.fromEntries(originFields.map((field) => [field, capture[field]])) as unknown as ReadingOrigin;
}

/**
 * Writes a payload as JSON that parses back to the same value.
 * @param payload the values of a reading
 * @returns the text; null: JSON cannot express it, because of NaN, infinities or -0
 * @example
 * payloadText({ kg: 1.5 }); // => '{"kg":1.5}'
 * payloadText({ kg: NaN }); // => null
 */
export function payloadText(payload: StructObject): string | null {
  return isExactInJson(payload) ? JSON.stringify(payload) : null;
}

/** By itself, since JSON.stringify with a function that looks at each value takes twice as long. */
function isExactInJson(value: StructValue): boolean {
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0);
  if (typeof value !== 'object' || value === null) return true;
  for (const key in value) if (!isExactInJson((value as StructObject)[key]!)) return false;
  return true;
}
