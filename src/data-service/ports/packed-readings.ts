import type { CaptureOrigin, StructObject, TabularRow } from './capture.ts';
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

/** What a query can see of where a reading came from. */
export type ReadingOrigin = Pick<CaptureOrigin, (typeof originFields)[number]>;

/**
 * Readings in order, packed: reading, moving and parsing a thousand rows one by one takes several times as long as
 * asking them something. Holds what structured cloning takes.
 */
export interface PackedReadings {
  readonly timesRequested: Float64Array;
  /** the payloads as the JSON text of an array; null stands for those in `unusual` */
  readonly payloads: string;
  /** payloads that JSON text would change (`payloadText`), by their place */
  readonly unusual: readonly (readonly [index: number, payload: StructObject])[];
  readonly origins: readonly ReadingOrigin[];
  /** the place in `origins` for each reading */
  readonly originOf: Uint32Array;
}

export interface PackedPage {
  readonly readings: PackedReadings;
  /** of the last reading; null when there is none */
  readonly last: Position | null;
}

/** One reading on its way into a pack: `text` is its payload's, null where there is none. */
export interface ReadingToPack extends Position {
  readonly origin: ReadingOrigin;
  readonly text: string | null;
  readonly payload: () => StructObject;
}

/** Equal origins should be one object: they are told apart by identity. */
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
    readings: { timesRequested, payloads: `[${texts.join()}]`, unusual, origins, originOf },
    last: last === undefined ? null : { time: last.time, id: last.id },
  };
}

/** For stores that keep no texts. */
export function packRows(rows: readonly TabularRow[]): PackedPage {
  const origins = new Map<string, ReadingOrigin>();
  const readings = rows.map((row): ReadingToPack => {
    const origin = originAlone(row);
    const key = JSON.stringify(origin);
    if (!origins.has(key)) origins.set(key, origin);
    return {
      ...positionOf(row),
      ...{ origin: origins.get(key)!, text: payloadText(row.payload), payload: () => row.payload },
    };
  });
  return packReadings(readings);
}

function originAlone(capture: ReadingOrigin): ReadingOrigin {
  return Object.fromEntries(originFields.map((field) => [field, capture[field]])) as unknown as ReadingOrigin;
}

/** The JSON text from which parsing makes an equal payload; null where none does: NaN, the infinities and -0. */
export function payloadText(payload: StructObject): string | null {
  let isExact = true;
  const text = JSON.stringify(payload, (name, value: unknown) => {
    if (typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0))) isExact = false;
    return value;
  });
  return isExact ? text : null;
}
