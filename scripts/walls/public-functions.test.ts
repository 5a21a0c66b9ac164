import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { publicFunctions } from './public-functions.ts';
import { runExample } from './run-example.ts';
import { equals } from './test-equals.ts';

const root = join(import.meta.dirname, '../..');
const documented = [
  'src/machine/vision',
  'src/evidence/evaluation',
  'src/evidence/certificate',
  'src/evidence/drift',
  'src/evidence/events',
  'src/evidence/replay',
  'src/models/fit',
  'src/data-service',
  'src/cli',
  'src/machine/config',
  'src/models/onnx',
  'src/models/tflite',
];

const load = (path: string): Promise<object> => import(/* @vite-ignore */ path);

const functions = publicFunctions(documented);

it('documents parameters, result and an example of each function that another room calls', () => {
  const incomplete = functions.filter(
    ({ parameters, paramTags, returnsNothing, tags, examples }) =>
      paramTags < parameters || !(returnsNothing || tags.has('returns')) || examples.length === 0,
  );
  expect(incomplete.map(({ path, name }) => `${path} ${name}`)).toEqual([]);
});

describe.concurrent('examples', () => {
  const all = functions.flatMap(({ path, name, examples }) =>
    examples.map((code) => ({ title: `${path} ${name}`, path, name, code })),
  );

  it.each(all)('$title', async ({ path, name, code }) => {
    const { checks, mismatches } = await runExample(code, join(root, path), load, equals);
    expect(mismatches).toEqual([]);
    expect(checks).toBeGreaterThan(0);
    expect(code).toMatch(new RegExp(`\\b${name}\\b`));
  });
});

describe('an example that is wrong', () => {
  const own = '/folder/double.ts';
  const modules: Record<string, object> = {
    [own]: {
      double: (value: number) => {
        if (Number.isNaN(value)) throw new RangeError('no number');
        return 2 * value;
      },
    },
    '/folder/three.ts': { three: 3 },
  };
  const run = (code: string) => runExample(code, own, async (path) => modules[path]!, equals);

  it.each([
    ['double(2); // => 4'],
    ["import { three as given } from './three.ts';\nconst value = double(given);\nvalue + 1; // => 7"],
    ['await Promise.resolve(double(1)); // => 2'],
    ['double(NaN); // throws: no number'],
  ])('is none of these: %s', async (code) => {
    expect(await run(code)).toEqual({ checks: 1, mismatches: [] });
  });

  it.each([
    ['double(2); // => 5', { line: 'double(2); // => 5', expected: 5, received: 4 }],
    ['double(NaN); // throws: a letter', { expected: 'a letter', received: 'RangeError: no number' }],
    ['double(2); // throws: no number', { expected: 'no number', received: 'nothing was thrown' }],
  ])('is named: %s', async (code, mismatch) => {
    const { mismatches } = await run(code);
    expect(mismatches).toMatchObject([mismatch]);
  });

  it('fails where it does not parse or throws', async () => {
    await expect(run('double(2')).rejects.toThrow(SyntaxError);
    await expect(run('double(2) // => 4\n[1] // => [1]')).rejects.toThrow('2 lines say what they give, and 1 of them');
    await expect(run('double(NaN)')).rejects.toThrow('no number');
  });
});
