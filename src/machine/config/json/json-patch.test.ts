import fc from 'fast-check';
import { expect, it } from 'vitest';
import { diffJson, type PatchOperation } from './json-patch.ts';

/** Applies a patch as RFC 6902 says. */
function patched(value: unknown, operations: readonly PatchOperation[]): unknown {
  const root = { value: structuredClone(value) };
  for (const operation of operations) {
    const keys = ['value', ...operation.path.split('/').slice(1)].map((key) =>
      key.replaceAll('~1', '/').replaceAll('~0', '~'),
    );
    const last = keys.pop()!;
    const parent = keys.reduce<Record<string, unknown>>((at, key) => at[key] as Record<string, unknown>, root);
    if (!Array.isArray(parent)) {
      if (operation.op === 'remove') delete parent[last];
      else parent[last] = operation.value;
    } else if (operation.op === 'replace') parent[Number(last)] = operation.value;
    else if (operation.op === 'remove') parent.splice(Number(last), 1);
    else parent.splice(Number(last), 0, operation.value);
  }
  return root.value;
}

it.each<[unknown[], unknown[], number]>([
  [[1, 1], [1], 1],
  [[1], [1, 1], 1],
  [[1, 2, 1], [1, 1], 1],
  [[1, 2, 3], [1, 9, 2, 3], 1],
  [[1, 2], [1, 2], 0],
])('turns %j into %j in %i operations', (from, to, count) => {
  const operations = diffJson(from, to);
  expect([patched(from, operations), operations.length]).toEqual([to, count]);
});

it('turns any value into any other', () => {
  const leaf = fc.constantFrom(null, 0, 1, 'a');
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small' },
      leaf,
      fc.array(tie('tree'), { maxLength: 4 }),
      fc.dictionary(fc.constantFrom('a', 'b', 'c/d', 'e~f'), tie('tree'), { noNullPrototype: true }),
    ),
  }));
  fc.assert(
    fc.property(tree, tree, (from, to) => {
      expect(patched(from, diffJson(from, to))).toEqual(to);
    }),
    { seed: 7, numRuns: 500 },
  );
});
