import { relative } from 'node:path';
import type { Rule } from 'eslint';
import { filesOf, importsOf } from './imports-of.ts';
import { importVisitor } from './import-visitor.ts';

/** Read once a process: an editor that keeps ESLint running sees the others' imports as they were, its own file's as they are. */
const graph = new Map<string, readonly string[]>();

/** Refuses that a file reaches itself by imports, of types too: files that need each other are one idea in two places. */
export const noImportCycle: Rule.RuleModule = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    const found: { readonly node: Rule.Node; readonly targets: readonly string[] }[] = [];
    return {
      ...importVisitor((node, one) => {
        if (one && one.kind !== 'file')
          found.push({ node, targets: filesOf(context.filename, one.specifier, namesOf(node)) });
      }),
      'Program:exit'() {
        graph.set(
          context.filename,
          found.flatMap(({ targets }) => targets),
        );
        for (const { node, targets } of found) {
          const way = targets.map((target) => wayBetween(target, context.filename)).find((one) => one !== null);
          if (!way) continue;
          const names = [context.filename, ...way].map((path) => relative(context.cwd, path));
          context.report({ node, message: `A circle of imports: ${names.join(' → ')}` });
        }
      },
    };
  },
};

/** The names that an import or export takes; undefined where it takes all. */
function namesOf(node: Rule.Node): string[] | undefined {
  const { specifiers } = node as {
    readonly specifiers?: readonly { readonly imported?: Name; readonly local: Name }[];
  };
  const names = specifiers?.map(({ imported, local }) => (imported ?? local).name);
  return names?.every((name) => name !== undefined) ? (names as string[]) : undefined;
}

interface Name {
  readonly name?: string;
}

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
