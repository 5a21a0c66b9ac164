import { relative } from 'node:path';
import type { Rule } from 'eslint';
import { importsOf, resolveImports } from './imports-of.ts';
import { importVisitor } from './import-visitor.ts';

/** Read once a process: an editor that keeps ESLint running sees the others' imports as they were, its own file's as they are. */
const graph = new Map<string, readonly string[]>();

/** Refuses that a file reaches itself by imports, of types too: files that need each other are one idea in two places. */
export const noImportCycle: Rule.RuleModule = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    const found: { readonly node: Rule.Node; readonly specifier: string }[] = [];
    return {
      ...importVisitor((node, one) => {
        if (one && one.kind !== 'file') found.push({ node, specifier: one.specifier });
      }),
      'Program:exit'() {
        const targets = found.map(({ specifier }) => resolveImports(context.filename, [specifier])[0]);
        graph.set(
          context.filename,
          targets.filter((target) => target !== undefined),
        );
        found.forEach(({ node }, at) => {
          const way = targets[at] && wayBetween(targets[at], context.filename);
          if (!way) return;
          const names = [context.filename, ...way].map((path) => relative(context.cwd, path));
          context.report({ node, message: `A circle of imports: ${names.join(' → ')}` });
        });
      },
    };
  },
};

/** The shortest chain of imports from one file to another, both included; null if there is none. */
function wayBetween(from: string, to: string): string[] | null {
  const cameFrom = new Map<string, string | null>([[from, null]]);
  for (const path of cameFrom.keys()) {
    if (path === to) return backFrom(path, cameFrom);
    for (const next of importsFrom(path)) if (!cameFrom.has(next)) cameFrom.set(next, path);
  }
  return null;
}

function backFrom(path: string, cameFrom: ReadonlyMap<string, string | null>): string[] {
  const before = cameFrom.get(path);
  return before ? [...backFrom(before, cameFrom), path] : [path];
}

function importsFrom(path: string): readonly string[] {
  const known = graph.get(path) ?? importsOf(path);
  graph.set(path, known);
  return known;
}
