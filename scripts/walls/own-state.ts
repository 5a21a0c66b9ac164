import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Rule } from 'eslint';

type NodeOf<Type extends Rule.Node['type']> = Extract<Rule.Node, { readonly type: Type }>;
type Target = NodeOf<'AssignmentExpression'>['left'] | NodeOf<'UpdateExpression'>['argument'];

/** A `$state` field of a class and its name; `public` in front says that whoever has the object may assign it. */
const stateField = /^ {2}(public )?(\w+)(?:: [^=\n]+)? =\s+\$state\b/gm;

/** The names of `$state` fields that only their class assigns; read once in a process. */
let ownNames: ReadonlySet<string> | undefined;

/** The names of the fields that none of these texts declares `public`. */
export function ownStateNames(texts: readonly string[]): ReadonlySet<string> {
  const fields = texts.flatMap((text) => Array.from(text.matchAll(stateField)));
  const shared = new Set(fields.filter(([, isPublic]) => isPublic).map(([, , name]) => name!));
  return new Set(fields.map(([, , name]) => name!).filter((name) => !shared.has(name)));
}

/**
 * Refuses an assignment to a `$state` field from outside its class. The page reads such fields without a getter each, which
 * TypeScript cannot make read-only to others; fields are told by their names, as the linter knows no types.
 */
export const ownState: Rule.RuleModule = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    ownNames ??= ownStateNames(
      globSync(join(context.cwd, 'src/app/**/*.svelte.ts')).map((path) => readFileSync(path, 'utf8')),
    );
    const names = ownNames;
    const check = (target: Target): void => {
      if (target.type !== 'MemberExpression' || target.object.type === 'ThisExpression') return;
      if (target.computed || target.property.type !== 'Identifier' || !names.has(target.property.name)) return;
      const { name } = target.property;
      context.report({
        node: target,
        message: `Only its class assigns ${name}: call a method, or declare the field "public ${name}".`,
      });
    };
    return {
      AssignmentExpression: ({ left }: NodeOf<'AssignmentExpression'>) => check(left),
      UpdateExpression: ({ argument }: NodeOf<'UpdateExpression'>) => check(argument),
    };
  },
};
