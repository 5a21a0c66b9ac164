import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';
import { behindFace } from './imports-of.ts';

const root = join(import.meta.dirname, '../..');

/**
 * Lists a room's face: the names that its files pass on, with the first sentence of each one's comment.
 * @param room path of the room from the repository's root
 * @returns Markdown
 */
export function roomFace(room: string): string {
  const parts = readdirSync(join(root, room, 'face'))
    .sort()
    .map((file) => {
      const names = [...behindFace(join(root, room, 'face', file))].sort(([a], [b]) => (a < b ? -1 : 1));
      const lines = names.map(([name, path]) => {
        const said = sentencesOf(relative(root, path)).get(name);
        return `- \`${name}\`${said ? `: ${said}` : ''}`;
      });
      return [`## ${file}`, '', ...lines].join('\n');
    });
  return [`# What other rooms import from ${room}`, ...parts, ''].join('\n\n').trimEnd() + '\n';
}

/** The first sentence of the comment of each name that a file declares; '' where it has none. */
function sentencesOf(path: string): Map<string, string> {
  const file = ts.createSourceFile(path, readFileSync(join(root, path), 'utf8'), ts.ScriptTarget.Latest, true);
  const said = new Map<string, string>();
  for (const statement of file.statements) {
    const [comment] = ts.getJSDocCommentsAndTags(statement).filter(ts.isJSDoc);
    const text = ts.getTextOfJSDocComment(comment?.comment)?.replace(/\s+/g, ' ') ?? '';
    const [first = ''] = /^.*?[.:;?](?=\s|$)/.exec(text) ?? [text];
    for (const name of namesOf(statement)) if (!said.get(name)) said.set(name, first.replace(/[.:;]$/, ''));
  }
  return said;
}

function namesOf(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  const { name } = statement as ts.Statement & { readonly name?: ts.Node };
  return name && ts.isIdentifier(name) ? [name.text] : [];
}
