import { parse } from 'yaml';
import type { Split } from '../../dataset-item.ts';
import { shown } from '../../dataset-report.ts';
import { isRecord } from '../../importing.ts';
import { splitOfWord } from '../../split-of-path.ts';

/** What `data.yaml` says (docs.ultralytics.com, "Dataset YAML"). */
export interface DataYaml {
  /** by class number; a list's gaps are undefined */
  readonly names: ReadonlyMap<number, string>;
  /** root of the paths below, as the training machine saw it; '' for the folder of the file */
  readonly root: string;
  /** folders of pictures, or .txt files that list them */
  readonly sources: readonly { readonly split: Split; readonly path: string }[];
  /** columns that key points add behind a box; 0 without key points */
  readonly keyPointColumns: number;
}

/**
 * Reads the text of a `data.yaml`; null for a YAML that has no `names` and is something else.
 *
 * @throws Error of the parser with line and column, or for names that are neither list nor map
 */
export function readDataYaml(text: string): DataYaml | null {
  const value: unknown = parse(text, { schema: 'core', logLevel: 'error' });
  if (!isRecord(value) || !('names' in value)) return null;
  const shape = Array.isArray(value['kpt_shape']) ? (value['kpt_shape'] as unknown[]) : [];
  const [points, values] = shape.map(Number);
  return {
    names: readNames(value['names']),
    root: typeof value['path'] === 'string' ? value['path'] : '',
    sources: ['train', 'val', 'valid', 'test'].flatMap((key) => {
      const listed = Array.isArray(value[key]) ? (value[key] as unknown[]) : [value[key]];
      const split = splitOfWord(key)!;
      return listed.flatMap((path) => (typeof path === 'string' && path !== '' ? [{ split, path }] : []));
    }),
    keyPointColumns: points && values ? points * values : 0,
  };
}

function readNames(value: unknown): Map<number, string> {
  const entries = Array.isArray(value)
    ? value.map((name, i) => [i, name] as const)
    : isRecord(value)
      ? Object.entries(value)
      : null;
  if (entries === null) throw new TypeError(`“names” is neither a list nor a map, but ${shown(value)}`);
  const names = new Map<number, string>();
  for (const [key, name] of entries) {
    const number = Number(key);
    // `names: [on, 7]`: YAML reads words and numbers, the trainer their texts.
    const label = typeof name === 'string' ? name : name === null || typeof name === 'object' ? '' : String(name);
    if (!Number.isInteger(number) || number < 0 || label.trim() === '') {
      throw new TypeError(`“names” has no label for class ${shown(key)}, but ${shown(name)}`);
    }
    names.set(number, label);
  }
  return names;
}
