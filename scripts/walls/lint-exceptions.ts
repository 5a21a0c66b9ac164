import type { Linter } from 'eslint';

/** Files that one rule leaves alone, and why. No comment in a file can switch a rule off: an exception stands here. */
interface Exception {
  readonly why: string;
  readonly rule: string;
  readonly files: readonly string[];
}

export const exceptions: readonly Exception[] = [
  {
    why: "LiteRT's loader is a file of the page, loaded by its URL: bundled, it would not start threads.",
    rule: 'walls/respect-walls',
    files: ['src/platform/browser/litert/litert.ts'],
  },
  {
    why: 'These maps and sets are not shown, or one version number stands for all of their rows: a signal for each row would be slow.',
    rule: 'svelte/prefer-svelte-reactivity',
    files: [
      'src/app/data/annotate/boxes/boxes-state.svelte.ts',
      'src/app/data/annotate/tracks/tracks-state.svelte.ts',
      'src/app/bench/session/frame-history.svelte.ts',
      'src/app/data/shared/import/import-queue.svelte.ts',
      'src/app/data/shared/items/paged-rows.svelte.ts',
      'src/app/data/shared/grid/row-selection.svelte.ts',
      'src/app/data/shared/stored/item-list.svelte.ts',
      'src/app/data/shared/stored/StoredList.svelte',
      'src/app/data/tabs/images/PictureStage.svelte',
      'src/app/data/tabs/images/neighbourhood.svelte.ts',
    ],
  },
  {
    why: 'A test gives a generator that fails before it yields.',
    rule: 'require-yield',
    files: ['src/evidence/datasets/round-trip.test.ts', 'tests/browser/dataset-archives.test.ts'],
  },
  {
    why: 'The colours of labels reach each swatch of an area, without a prop through all that lies between.',
    rule: 'no-restricted-syntax',
    files: ['src/app/kit/colours/label-colours.svelte.ts'],
  },
  {
    why: 'What the mutation runner serves is run as it was written.',
    rule: 'no-new-func',
    files: ['scripts/mutation/served-text.test.ts'],
  },
  {
    why: 'Vitest reads the names of the fixtures from the pattern of the first argument.',
    rule: 'no-empty-pattern',
    files: ['scripts/mutation/worker-setup.ts'],
  },
];

export const lintExceptions: Linter.Config[] = exceptions.map(({ files, rule }) => ({
  files: [...files],
  rules: { [rule]: 'off' },
}));
