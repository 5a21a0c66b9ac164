import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { RowDigests } from './row-digests.ts';

const sha256 = () => {
  const hash = createHash('sha256');
  return { update: (bytes: Uint8Array) => void hash.update(bytes), end: () => hash.digest('hex') };
};

function digestsOf(rows: readonly (readonly [organizationId: string, text: string])[]): RowDigests {
  const digests = new RowDigests(sha256);
  for (const row of rows) digests.add(...row);
  return digests;
}

const rows = [
  ['a', 'one'],
  ['b', 'two'],
  ['a', 'three'],
] as const;

it('is the SHA-256 of a single row', () => {
  const digest = createHash('sha256').update('one').digest('hex');
  expect(digestsOf([rows[0]]).of('a')).toEqual({ rows: 1, digest });
  expect(digestsOf([rows[0]]).total()).toEqual({ rows: 1, digest });
});

it('is the same in any order, by organization and in all', () => {
  const [one, other] = [digestsOf(rows), digestsOf(rows.toReversed())];
  expect(other.total()).toEqual(one.total());
  expect(one.total().rows).toBe(3);
  expect(new Set(one.organizationIds)).toEqual(new Set(['a', 'b']));
  for (const id of ['a', 'b', 'nobody']) expect(other.of(id)).toEqual(one.of(id));
  expect(one.of('nobody')).toEqual({ rows: 0, digest: '0'.repeat(64) });
});

it.each([
  ['one less', rows.slice(1)],
  ['one twice', [...rows, rows[0]]],
  ['two more of the same', [...rows, ['a', 'four'], ['a', 'four']]],
  ['another text', [...rows.slice(0, 2), ['a', 'tree']]],
] as const)('is another one with %s', (_, changed) => {
  expect(digestsOf(changed).of('a').digest).not.toBe(digestsOf(rows).of('a').digest);
  expect(digestsOf(changed).total().digest).not.toBe(digestsOf(rows).total().digest);
});

it('stays within 256 bits', () => {
  const many = digestsOf(Array.from({ length: 50 }, (_, n) => ['a', String(n)] as const));
  expect(many.of('a').digest).toMatch(/^[0-9a-f]{64}$/);
  expect(many.total().digest).toMatch(/^[0-9a-f]{64}$/);
});
