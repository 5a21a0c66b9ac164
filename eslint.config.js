import js from '@eslint/js';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';
import { noImportCycle } from './scripts/walls/no-import-cycle.ts';
import { respectWalls } from './scripts/walls/respect-walls.ts';

export default ts.config(
  { ignores: ['dist', 'build', 'public', 'src/gen', 'assembly', 'node_modules', 'test-results', 'bench/peers'] },
  js.configs.recommended,
  ...ts.configs.recommended,
  ...svelte.configs.recommended,
  {
    plugins: { walls: { rules: { 'respect-walls': respectWalls, 'no-import-cycle': noImportCycle } } },
    languageOptions: { globals: { ...globals.browser, ...globals.node } },
    rules: {
      'walls/respect-walls': 'error',
      'walls/no-import-cycle': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/consistent-type-imports': 'error',
      eqeqeq: 'error',
      'no-console': 'error',
    },
  },
  {
    // Their types come with the web worker's, for Headers, AbortSignal and TextEncoder; what only some hosts have stays out.
    files: [
      'src/data-service/**',
      'src/capture/**',
      'src/outbox/**',
      'src/live-machine/**',
      'src/account/**',
      'src/fit/**',
    ],
    ignores: ['**/*.test.ts'],
    rules: { 'no-restricted-globals': ['error', 'fetch', 'indexedDB', 'caches', 'navigator', 'self', 'crypto'] },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser } },
  },
  {
    // What is asked of types, of all but components.
    files: ['{src,workers,tests,scripts,bench}/**/*.ts'],
    // No project holds these two.
    ignores: ['tests/clients/connect-1/**', 'workers/service-worker/**/*.test.ts'],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    },
  },
  { files: ['scripts/**', 'bench/**', 'src/cli/**', 'bin/**', 'tests/**'], rules: { 'no-console': 'off' } },
);
