import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

export interface NamedImport {
  /** the path or package as it is written */
  readonly specifier: string;
  readonly names: readonly string[];
}

/**
 * The files that a file imports as values or types, by absolute path; those that are not there are left out. A file of a
 * room's face stands for those behind it that declare what is taken.
 */
export function importsOf(path: string): string[] {
  if (!/\.(ts|js|svelte)$/.test(path)) return [];
  const text = scriptOf(path, readFileSync(path, 'utf8'));
  const names = new Map<string, string[]>();
  for (const one of namedImports(text)) names.set(one.specifier, [...(names.get(one.specifier) ?? []), ...one.names]);
  const specifiers = new Set(ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName));
  return [...specifiers].flatMap((specifier) => filesOf(path, specifier, names.get(specifier)));
}

/** The files that an import leads to: none of a package; of a face those that declare the names, or all without names. */
export function filesOf(path: string, specifier: string, names?: readonly string[]): string[] {
  if (!specifier.startsWith('.')) return [];
  const target = join(dirname(path), specifier.replace(/\?.*$/, ''));
  if (!existsSync(target)) return [];
  if (!isFace(target) || isFace(path)) return [target];
  const behind = behindFace(target);
  return [...new Set(names ? names.flatMap((name) => behind.get(name) ?? []) : behind.values())];
}

/** Whether a file belongs to a room's face: it passes on names that other rooms take. */
export const isFace = (path: string): boolean => /(^|\/)face\/[^/]+\.ts$/.test(path);

/** The names that a file of a face passes on, and the file that declares each, by absolute path. */
export function behindFace(path: string): ReadonlyMap<string, string> {
  const files = namedImports(readFileSync(path, 'utf8')).map(
    ({ specifier, names }) => [join(dirname(path), specifier), names] as const,
  );
  return new Map(files.flatMap(([file, names]) => names.map((name) => [name, file])));
}

/** What a text imports, or passes on, by name from files of the project. */
export function namedImports(text: string, which: 'values' | 'types too' = 'types too'): NamedImport[] {
  const imports = text.matchAll(/(?:im|ex)port\s*(type\s*)?\{([^}]*)\}\s*from\s*'(\.[^'?]+\.ts)'/g);
  return [...imports].flatMap(([, type, names, specifier]) => {
    if (type !== undefined && which === 'values') return [];
    const all = names!.split(',').map((name) => name.trim().replace(/\s+as\s+.*$/, ''));
    return {
      specifier: specifier!,
      names: all.map((name) => name.replace(/^type\s+/, '')).filter((name) => name !== ''),
    };
  });
}

/** What a file runs: all of its text, or what stands in the `<script>`s of a component. */
export function scriptOf(path: string, text: string): string {
  if (!path.endsWith('.svelte')) return text;
  return [...text.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)].map(([, script]) => script).join('\n');
}
