import js from '@eslint/js';
import importX from 'eslint-plugin-import-x';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import { respectWalls } from './scripts/walls/respect-walls.ts';

export default ts.config(
  { ignores: ['dist', 'build', 'public', 'src/gen', 'assembly', 'node_modules', 'test-results', 'bench/peers'] },
  js.configs.recommended,
  ...ts.configs.recommended,
  ...svelte.configs.recommended,
  {
    plugins: { 'import-x': importX, walls: { rules: { 'respect-walls': respectWalls } } },
    languageOptions: { globals: { ...globals.browser, ...globals.node } },
    settings: { 'import-x/resolver-next': [createTypeScriptImportResolver({ project: ['tsconfig.json'] })] },
    rules: {
      'import-x/no-cycle': 'error',
      'walls/respect-walls': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/consistent-type-imports': 'error',
      eqeqeq: 'error',
      'no-console': 'error',
    },
  },
  {
    // Their types come with the web worker's, for Headers and AbortSignal; what only some hosts have stays out.
    files: ['src/data-service/**', 'src/capture/**', 'src/outbox/**'],
    ignores: ['**/*.test.ts'],
    rules: { 'no-restricted-globals': ['error', 'fetch', 'indexedDB', 'caches', 'navigator', 'self', 'crypto'] },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser } },
  },
  { files: ['scripts/**', 'bench/**', 'src/cli/**', 'bin/**', 'tests/**'], rules: { 'no-console': 'off' } },
);
