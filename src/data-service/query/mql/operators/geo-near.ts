import { Query } from 'mingo/query';
import { Lazy, type Iterator } from 'mingo/lazy';
import type { Options } from 'mingo/types';
import { resolve, setValue } from 'mingo/util';
import { isDocument, type QueryDocument } from '../../query-document.ts';
import { invalidQuery } from '../../query-error.ts';

/** MongoDB's equatorial radius, in metres: its distances are computed on this sphere. */
const earthRadiusM = 6_378_100;

/**
 * $geoNear over a field named by `key`, which is required: there are no geospatial indexes to find it by. `near` is a
 * GeoJSON Point (distances in metres) or a pair (radians when `spherical`, plane units when not). Nearest first.
 */
export function $geoNear(rows: Iterator, expr: unknown, options: Options): Iterator {
  const spec = readSpec(expr);
  const query = new Query(spec.query, options);
  return rows.transform((documents: QueryDocument[]) => {
    const found: { document: Record<string, unknown>; distance: number }[] = [];
    for (const document of documents) {
      if (!query.test(document as Record<string, unknown>)) continue;
      const location = resolve(document as Record<string, unknown>, spec.key);
      const place = readPoint(location);
      if (!place) continue;
      const distance = spec.distanceTo(place);
      if (distance < spec.minDistance || distance > spec.maxDistance) continue;
      const output = copyDocument(document);
      setValue(output, spec.distanceField, distance * spec.multiplier);
      if (spec.includeLocs !== undefined) setValue(output, spec.includeLocs, location);
      found.push({ document: output, distance });
    }
    found.sort((a, b) => a.distance - b.distance);
    return Lazy(found.map(({ document }) => document));
  });
}

type Point = readonly [longitude: number, latitude: number];

interface GeoNear {
  readonly key: string;
  readonly distanceField: string;
  readonly includeLocs: string | undefined;
  readonly minDistance: number;
  readonly maxDistance: number;
  readonly multiplier: number;
  readonly query: Record<string, unknown>;
  readonly distanceTo: (place: Point) => number;
}

function readSpec(expr: unknown): GeoNear {
  if (!isDocument(expr)) throw invalidQuery('$geoNear takes a document.');
  const near = readPoint(expr.near);
  if (!near) throw invalidQuery('$geoNear: near is a GeoJSON Point or a pair [longitude, latitude].');
  if (typeof expr.distanceField !== 'string') throw invalidQuery('$geoNear needs a distanceField.');
  if (typeof expr.key !== 'string')
    throw invalidQuery('$geoNear needs key, the path of the field that holds the place.');
  const geoJson = isDocument(expr.near) && 'type' in expr.near;
  const spherical = geoJson || expr.spherical === true;
  const unit = geoJson ? earthRadiusM : 1;
  return {
    key: expr.key,
    distanceField: expr.distanceField,
    includeLocs: typeof expr.includeLocs === 'string' ? expr.includeLocs : undefined,
    minDistance: typeof expr.minDistance === 'number' ? expr.minDistance : 0,
    maxDistance: typeof expr.maxDistance === 'number' ? expr.maxDistance : Infinity,
    multiplier: typeof expr.distanceMultiplier === 'number' ? expr.distanceMultiplier : 1,
    query: isDocument(expr.query) ? (expr.query as Record<string, unknown>) : {},
    distanceTo: (place) =>
      spherical ? unit * angleBetween(near, place) : Math.hypot(near[0] - place[0], near[1] - place[1]),
  };
}

/** A GeoJSON Point, a pair, or a document whose first two fields are numbers; undefined for anything else. */
function readPoint(value: unknown): Point | undefined {
  const pair = isDocument(value) ? (value.type === 'Point' ? value.coordinates : Object.values(value)) : value;
  if (!Array.isArray(pair) || typeof pair[0] !== 'number' || typeof pair[1] !== 'number') return undefined;
  return [pair[0], pair[1]];
}

/** The haversine formula, in radians. */
function angleBetween([longitude1, latitude1]: Point, [longitude2, latitude2]: Point): number {
  const radians = Math.PI / 180;
  const half = (degrees: number) => Math.sin((degrees * radians) / 2) ** 2;
  const cosines = Math.cos(latitude1 * radians) * Math.cos(latitude2 * radians);
  const h = half(latitude2 - latitude1) + cosines * half(longitude2 - longitude1);
  return 2 * Math.asin(Math.min(1, Math.sqrt(h)));
}

/** Copies the documents on the way to the new fields, so that the source stays as it was. */
function copyDocument(document: QueryDocument): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(document).map(([field, value]) => [field, isDocument(value) ? copyDocument(value) : value]),
  );
}
