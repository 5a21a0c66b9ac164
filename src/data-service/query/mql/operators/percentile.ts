import { evalExpr } from 'mingo/core';
import { $push } from 'mingo/operators/accumulator';
import type { Options } from 'mingo/types';
import { isDocument } from '../../query-document.ts';
import { invalidQuery } from '../../query-error.ts';

const methods = ['approximate', 'discrete', 'continuous'];

/**
 * $percentile and $median as MongoDB defines them: values that are not numbers are left out, none left gives null.
 * `approximate` and `discrete` answer with a value that was there, the one of rank ⌈p·n⌉; `continuous` interpolates
 * between neighbours. (mingo's own sort numbers as text.)
 */
function percentile(values: readonly unknown[], p: number, method: string): number | null {
  const sorted = Float64Array.from(
    values.filter((value) => typeof value === 'number' && !Number.isNaN(value)) as number[],
  );
  if (sorted.length === 0) return null;
  sorted.sort();
  if (method !== 'continuous') return sorted[Math.max(0, Math.ceil(p * sorted.length) - 1)]!;
  const rank = p * (sorted.length - 1);
  const below = sorted[Math.floor(rank)]!;
  return below + (sorted[Math.ceil(rank)]! - below) * (rank - Math.floor(rank));
}

interface Arguments {
  readonly input: unknown;
  readonly ps: readonly number[];
  readonly method: string;
}

function readArguments(name: string, expr: unknown, ps: unknown): Arguments {
  if (!isDocument(expr) || !('input' in expr)) throw invalidQuery(`${name} takes a document with an input.`);
  const method = expr.method ?? 'approximate';
  if (typeof method !== 'string' || !methods.includes(method))
    throw invalidQuery(`${name}: the method is one of ${methods.join(', ')}, not ${JSON.stringify(method)}.`);
  if (!Array.isArray(ps) || ps.length === 0 || !ps.every((p) => typeof p === 'number' && p >= 0 && p <= 1))
    throw invalidQuery(`${name}: p is an array of numbers between 0 and 1, not ${JSON.stringify(ps)}.`);
  return { input: expr.input, ps: ps as number[], method };
}

/** The operators for groups and windows (of the documents' input) and for one document (of its array). */
export const percentileAccumulators = {
  $percentile: (documents: unknown[], expr: unknown, options: Options) =>
    overGroup('$percentile', documents, expr, options),
  $median: (documents: unknown[], expr: unknown, options: Options) =>
    overGroup('$median', documents, expr, options)[0]!,
};

export const percentileExpressions = {
  $percentile: (document: unknown, expr: unknown, options: Options) =>
    overArray('$percentile', document, expr, options),
  $median: (document: unknown, expr: unknown, options: Options) => overArray('$median', document, expr, options)[0]!,
};

function overGroup(name: string, documents: readonly unknown[], expr: unknown, options: Options): (number | null)[] {
  const { input, ps, method } = readArguments(name, expr, wanted(name, expr, documents[0], options));
  const values = $push(documents as unknown[], input, options);
  return ps.map((p) => percentile(values, p, method));
}

function overArray(name: string, document: unknown, expr: unknown, options: Options): (number | null)[] {
  // mingo asks for the expression first, also inside $group, with the group's documents in the place of one.
  if (Array.isArray(document)) return overGroup(name, document, expr, options);
  const { input, ps, method } = readArguments(name, expr, wanted(name, expr, document, options));
  const value = evalExpr(document, input, options);
  return ps.map((p) => percentile(Array.isArray(value) ? value : [value], p, method));
}

function wanted(name: string, expr: unknown, document: unknown, options: Options): unknown {
  if (name === '$median') return [0.5];
  return isDocument(expr) ? evalExpr(document, expr.p, options) : undefined;
}
