import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

/** The files that a file imports as values or types, by absolute path; those that are not there are left out. */
export function importsOf(path: string): string[] {
  return resolveImports(path, specifiersOf(path));
}

export function resolveImports(path: string, specifiers: readonly string[]): string[] {
  const relative = specifiers.filter((specifier) => specifier.startsWith('.'));
  return relative.map((specifier) => join(dirname(path), specifier.replace(/\?.*$/, ''))).filter(existsSync);
}

function specifiersOf(path: string): string[] {
  if (!/\.(ts|js|svelte)$/.test(path)) return [];
  return ts
    .preProcessFile(scriptOf(path, readFileSync(path, 'utf8')), true, true)
    .importedFiles.map(({ fileName }) => fileName);
}

/** What a file runs: all of its text, or what stands in the `<script>`s of a component. */
export function scriptOf(path: string, text: string): string {
  if (!path.endsWith('.svelte')) return text;
  return [...text.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)].map(([, script]) => script).join('\n');
}
