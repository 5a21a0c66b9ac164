import { builtinModules } from 'node:module';
import js from '@eslint/js';
import importX from 'eslint-plugin-import-x';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';

// Who may import whom: CONTRIBUTING.md has the table in words.
const zone = (target, from, message) => ({ target, from, message });
const pureFolders = ['./src/vision', './src/onnx', './src/config', './src/datasets', './src/capture', './src/outbox'];
const zones = [
  ...pureFolders.flatMap((target) => [
    ...['./src/platform', './src/app', './src/cli', './workers'].map((from) =>
      zone(target, from, 'Pure folders know no host: take a port instead.'),
    ),
  ]),
  ...['./src/cli'].map((from) =>
    zone('./src/platform', from, 'Platform code implements ports; it does not know who uses them.'),
  ),
  ...['./src/platform', './src/cli'].map((from) =>
    zone('./src/app', from, 'The app talks to clients and ports; main.ts wires the platform in.'),
  ),
  ...['./src/platform', './src/app', './src/cli', './src/server', './workers'].map((from) =>
    zone('./src/data-service', from, 'The data service knows its ports only: every host and store implements those.'),
  ),
  ...['./src/app', './src/cli', './workers'].map((from) =>
    zone('./src/server', from, 'The server hosts the data service; pages and commands are not its business.'),
  ),
  zone('./workers', './src/app', 'Workers know no components.'),
];

export default ts.config(
  { ignores: ['dist', 'build', 'public', 'src/gen', 'assembly', 'node_modules', 'test-results', 'bench/peers'] },
  js.configs.recommended,
  ...ts.configs.recommended,
  ...svelte.configs.recommended,
  {
    plugins: { 'import-x': importX },
    languageOptions: { globals: { ...globals.browser, ...globals.node } },
    settings: { 'import-x/resolver-next': [createTypeScriptImportResolver({ project: ['tsconfig.json'] })] },
    rules: {
      'import-x/no-cycle': 'error',
      'import-x/no-restricted-paths': ['error', { zones }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/consistent-type-imports': 'error',
      eqeqeq: 'error',
      'no-console': 'error',
    },
  },
  {
    files: ['src/vision/**', 'src/onnx/**', 'src/config/**', 'src/datasets/**'],
    ignores: ['**/*.test.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: ['onnxruntime-*', 'svelte', 'svelte/*', 'idb', 'comlink', '@connectrpc/*', 'node:*'] },
      ],
    },
  },
  {
    files: ['src/data-service/**', 'src/capture/**', 'src/outbox/**'],
    ignores: ['**/*.test.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: [...builtinModules, 'idb', 'pino', 'prom-client', 'sirv', 'comlink', 'svelte'],
          patterns: ['node:*', 'onnxruntime-*', 'svelte/*', '@connectrpc/connect-*'],
        },
      ],
      // Its types come with the web worker's, for Headers and AbortSignal; what only some hosts have stays out.
      'no-restricted-globals': ['error', 'fetch', 'indexedDB', 'caches', 'navigator', 'self', 'crypto'],
    },
  },
  {
    files: ['src/server/**'],
    ignores: ['**/*.test.ts', 'src/server/test-*.ts', 'src/server/*/test-*.ts'],
    rules: {
      'no-restricted-imports': ['error', { patterns: ['svelte', 'svelte/*', 'idb', 'comlink', 'onnxruntime-*'] }],
    },
  },
  {
    files: ['src/app/**'],
    rules: { 'no-restricted-imports': ['error', { patterns: ['onnxruntime-*', 'idb', 'comlink'] }] },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser } },
  },
  { files: ['scripts/**', 'bench/**', 'src/cli/**', 'bin/**', 'tests/**'], rules: { 'no-console': 'off' } },
);
