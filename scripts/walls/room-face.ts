import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { importedNames } from './public-functions.ts';
import { roomOf } from './refuse-import.ts';

const root = join(import.meta.dirname, '../..');

/**
 * Lists a room's face: the files that other rooms import, and of each the names that they take, with the first sentence
 * of its comment.
 * @param room path of the room from the repository's root
 * @returns Markdown
 */
export function roomFace(room: string): string {
  const files = [...importedNames('types too')]
    .filter(([path]) => roomOf(path)?.path === room)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const parts = files.map(([path, names]) => {
    const said = sentencesOf(path);
    const lines = [...names].sort().map((name) => `- \`${name}\`${said.get(name) ? `: ${said.get(name)}` : ''}`);
    return [`## ${path.slice(room.length + 1)}`, '', ...lines].join('\n');
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
