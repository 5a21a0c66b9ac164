import { relative, sep } from 'node:path';
import type { Rule } from 'eslint';
import { importVisitor } from './import-visitor.ts';
import { everything } from './import-walls.ts';
import { refuseImport, refuseTogether, roomOf } from './refuse-import.ts';

/** Refuses what the table of walls does not allow, in scripts and in components. */
export const respectWalls: Rule.RuleModule = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    const path = relative(context.cwd, context.filename).split(sep).join('/');
    const program = context.sourceCode.ast;
    const refuse = (node: Rule.Node | typeof program, message: string | null): void => {
      if (message) context.report({ node, message });
    };
    const room = roomOf(path);
    if (!room) return { Program: () => refuse(program, refuseImport(path, { specifier: '.', kind: 'value' })) };

    const specifiers: string[] = [];
    return {
      ...importVisitor((node, found) => {
        if (found) {
          specifiers.push(found.specifier);
          refuse(node, refuseImport(path, found));
        } else if (!room.values?.includes(everything)) {
          refuse(node, 'Written so, nobody can tell what is imported: give its path as it is.');
        }
      }),
      'Program:exit': () => refuse(program, refuseTogether(path, specifiers)),
    };
  },
};
