import { expect, it } from 'vitest';
import lock from '../../package-lock.json' with { type: 'json' };
import { shippedPackages, type PackageLock } from './shipped-packages.ts';

const package_ = (dependencies: Record<string, string> = {}) => ({ version: '1.0.0', license: 'MIT', dependencies });

it('follows dependencies as Node finds them, and nothing that only developers need', () => {
  const packages = {
    '': { dependencies: { a: '1' }, devDependencies: { tool: '1' } },
    'node_modules/a': { ...package_({ b: '1', shared: '1' }), optionalDependencies: { absent: '1' } },
    'node_modules/a/node_modules/b': package_({ shared: '2' }),
    'node_modules/a/node_modules/b/node_modules/shared': package_(),
    'node_modules/b': package_(),
    'node_modules/shared': package_({ a: '1' }),
    'node_modules/tool': package_(),
  };
  expect(shippedPackages({ packages }).map(({ path }) => path)).toEqual([
    'node_modules/a',
    'node_modules/a/node_modules/b',
    'node_modules/a/node_modules/b/node_modules/shared',
    'node_modules/shared',
  ]);
});

it('fails where the lock tells no licence', () => {
  const packages = { '': { dependencies: { a: '1' } }, 'node_modules/a': { version: '1.0.0' } };
  expect(() => shippedPackages({ packages })).toThrow(/no version or licence of node_modules\/a/);
});

it('reaches what workers and the server use', () => {
  const names = shippedPackages(lock as unknown as PackageLock).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['svelte', 'comlink', 'bson', 'onnxruntime-common', 'pino', 'tdigest']));
  expect(names).not.toContain('vitest');
});
