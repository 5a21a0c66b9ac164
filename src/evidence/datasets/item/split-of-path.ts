import type { Split } from './dataset-item.ts';

const words = new Map<string, Split>([
  ['train', 'train'],
  ['training', 'train'],
  ['val', 'val'],
  ['valid', 'val'],
  ['validation', 'val'],
  ['test', 'test'],
  ['testing', 'test'],
]);

/** The split that a path names (`valid/_annotations.coco.json`, `instances_train2017.json`). The last one counts; null if none. */
export function splitOfPath(path: string): Split | null {
  const found = path
    .toLowerCase()
    .split(/[^a-z]+/)
    .flatMap((word) => words.get(word) ?? []);
  return found.at(-1) ?? null;
}

/** The split that a word means, ignoring case; null for other words. */
export function splitOfWord(word: unknown): Split | null {
  return typeof word === 'string' ? (words.get(word.toLowerCase()) ?? null) : null;
}
