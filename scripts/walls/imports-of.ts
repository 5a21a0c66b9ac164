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
  const text = readFileSync(path, 'utf8');
  const script = path.endsWith('.svelte') ? scriptsOf(text) : text;
  return ts.preProcessFile(script, true, true).importedFiles.map(({ fileName }) => fileName);
}

function scriptsOf(component: string): string {
  return [...component.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)].map(([, script]) => script).join('\n');
}
