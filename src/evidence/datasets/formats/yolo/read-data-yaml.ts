import { parse } from 'yaml';
import type { Split } from '../../item/dataset-item.ts';
import { shown } from '../../item/dataset-report.ts';
import { isRecord } from '../importing.ts';
import { splitOfWord } from '../../item/split-of-path.ts';

/** The content of `data.yaml` (docs.ultralytics.com, "Dataset YAML"). */
export interface DataYaml {
  /** class names by index; gaps in a list are undefined */
  readonly names: ReadonlyMap<number, string>;
  /** the folder that `sources` are relative to, a path of the training machine; '' for the folder of the file */
  readonly root: string;
  /** folders of pictures, or .txt files that list them */
  readonly sources: readonly { readonly split: Split; readonly path: string }[];
  /** number of columns for key points after a box; 0 if there are none */
  readonly keyPointColumns: number;
}

/**
 * Parses a `data.yaml`; null for another YAML file, one without `names`.
 *
 * @throws the parser's Error with line and column, or an Error if `names` is neither a list nor a map
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
    // `names: [on, 7]`: YAML parses a boolean and a number, but Ultralytics uses them as text.
    const label = typeof name === 'string' ? name : name === null || typeof name === 'object' ? '' : String(name);
    if (!Number.isInteger(number) || number < 0 || label.trim() === '') {
      throw new TypeError(`“names” has no label for class ${shown(key)}, but ${shown(name)}`);
    }
    names.set(number, label);
  }
  return names;
}
