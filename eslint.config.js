import js from '@eslint/js';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';
import { lintExceptions } from './scripts/walls/lint-exceptions.ts';
import { noImportCycle } from './scripts/walls/no-import-cycle.ts';
import { noPartialWebApi } from './scripts/walls/partial-web-apis.ts';
import { ownState } from './scripts/walls/own-state.ts';
import { plainComment } from './scripts/walls/plain-comment.ts';
import { respectWalls } from './scripts/walls/respect-walls.ts';

/** What browsers have and some other hosts of the pure folders have not. */
const ofSomeHosts = ['fetch', 'indexedDB', 'caches', 'navigator', 'self', 'crypto'];

/** Under another name, or cast to another type, the global object would hide which of its properties are read. */
const noGlobalObject = {
  selector: ":not(TSQualifiedName, MemberExpression[computed=false]) > Identifier[name='globalThis']",
  message: 'Name what is read of the global object: only so can a rule tell whether every host has it.',
};

/** A literal spread into a literal says nothing that its entries do not: write the entries. */
const noLiteralSpread = {
  selector:
    "ObjectExpression > SpreadElement[argument.type='ObjectExpression'], :not(ObjectExpression) > SpreadElement[argument.type='ArrayExpression'], :not(ObjectExpression) > SpreadElement[argument.type='TSAsExpression'][argument.expression.type='ArrayExpression'][argument.typeAnnotation.typeName.name='const']",
  message: 'Write the entries themselves: a literal that is only spread adds nothing but dots.',
};

/** A property that is tried on other values in each run fails by chance, and passes again when somebody looks. */
const seededProperty = {
  selector:
    "CallExpression[callee.object.name='fc'][callee.property.name='assert']:not([arguments.1.properties.0.key.name='seed'])",
  message: 'Name a seed first, so that each run tries the same values: fc.assert(property, { seed: 7 }).',
};

/** The table of walls reads which file a worker runs from `new URL`. */
const workerByPath = {
  selector: 'NewExpression[callee.name=/^(Shared)?Worker$/] > :matches(Literal, TemplateLiteral).arguments:first-child',
  message: "Name the file by new URL('…', import.meta.url): only so does the table of walls see which one runs.",
};

const everywhere = [noLiteralSpread, seededProperty, workerByPath];

/** Ways by which rooms of the page could talk past the table of walls. */
const pastTheWalls = [
  {
    selector:
      'MemberExpression[object.name=/^(local|session)Storage$/], MemberExpression[property.name=/^(local|session)Storage$/]',
    message: 'Give the storage to openMemory: it knows what a full or forbidden one answers, and whose key is whose.',
  },
  {
    selector:
      "MemberExpression[object.name=/^(window|self)$/][computed=true], ImportDeclaration[source.value='svelte'] > ImportSpecifier[imported.name=/^(get|set|has|getAll)Contexts?$/]",
    message: 'Give it as a prop or to a constructor: what rooms say to each other stands in the table of walls.',
  },
];

export default ts.config(
  {
    ignores: [
      'dist',
      'build',
      'public',
      'src/gen',
      'assembly',
      'node_modules',
      'test-results',
      'bench/peers',
      '.svelte-check',
    ],
  },
  js.configs.recommended,
  ...ts.configs.recommended,
  ...svelte.configs.recommended,
  {
    plugins: {
      walls: {
        rules: { 'respect-walls': respectWalls, 'no-import-cycle': noImportCycle, 'plain-comment': plainComment },
      },
    },
    languageOptions: { globals: { ...globals.browser, ...globals.node } },
    linterOptions: { noInlineConfig: true },
    rules: {
      'walls/respect-walls': 'error',
      'walls/no-import-cycle': 'error',
      'walls/plain-comment': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/consistent-type-imports': 'error',
      eqeqeq: 'error',
      'no-console': 'error',
      'no-restricted-syntax': ['error', ...everywhere],
      'no-new-func': 'error',
      'no-implied-eval': 'error',
      // It would let a comment in the markup switch rules off.
      'svelte/comment-directive': 'off',
    },
  },
  {
    // Their types come with the web worker's, for Headers, AbortSignal and TextEncoder; what only some hosts have stays out.
    files: [
      'src/data-service/**',
      'src/evidence/capture/**',
      'src/remote/outbox/**',
      'src/remote/live-machine/**',
      'src/remote/account/**',
      'src/evidence/certificate/**',
      'src/models/**',
      'src/platform/ports/**',
      'src/base/schedule/**',
    ],
    ignores: ['**/*.test.ts'],
    rules: {
      'no-restricted-globals': ['error', ...ofSomeHosts],
      'no-restricted-properties': ['error', ...ofSomeHosts.map((property) => ({ object: 'globalThis', property }))],
      'no-restricted-syntax': ['error', ...everywhere, noGlobalObject],
    },
  },
  { files: ['**/*.svelte', '**/*.svelte.ts'], languageOptions: { parserOptions: { parser: ts.parser } } },
  {
    // One module says how the page writes figures: for every reader alike, and times in UTC.
    files: ['src/app/**'],
    ignores: ['src/app/kit/words/figures.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...everywhere,
        ...pastTheWalls,
        {
          selector:
            "CallExpression[callee.property.name=/^toLocale(Date|Time)?String$/], MemberExpression[object.name='Intl'][property.name=/^(Number|RelativeTime|Duration|DateTime)Format$/]:not(CallExpression[arguments.length=0] > *)",
          message: 'Use src/app/kit/words/figures.ts: the page writes numbers, sizes and times alike in every place.',
        },
      ],
    },
  },
  {
    files: ['src/app/**'],
    ignores: ['**/*.test.ts'],
    plugins: { state: { rules: { 'own-state': ownState } } },
    rules: { 'state/own-state': 'error' },
  },
  {
    // What the page runs, in every browser.
    files: ['src/**', 'workers/**'],
    ignores: ['**/*.test.ts', 'src/server/**', 'src/cli/**', 'src/platform/node/**'],
    plugins: { 'web-apis': { rules: { 'no-partial': noPartialWebApi } } },
    rules: { 'web-apis/no-partial': 'error' },
  },
  { files: ['scripts/**', 'bench/**', 'src/cli/**', 'bin/**', 'tests/**'], rules: { 'no-console': 'off' } },
  ...lintExceptions,
);
