import ts from 'typescript';
import type { Edit } from './edit-text.ts';
import { mutationsOf } from './mutations-of.ts';

/** One small change of a file that some test should notice. */
export interface Mutant {
  readonly path: string;
  /** from 1 */
  readonly line: number;
  readonly edit: Edit;
  /** What the edit takes away, on one line. */
  readonly was: string;
  /** The expression that has to run for a test to reach the mutant; a statement may be put where both ends are one. */
  readonly site: { readonly start: number; readonly end: number };
}

/** All mutants of a TypeScript file in the order of their sites; nothing of types and imports, which do not run. */
export function mutantsOf(path: string, text: string): Mutant[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TS);
  const mutants: Mutant[] = [];
  const visit = (node: ts.Node): void => {
    if (!runs(node)) return;
    for (const { edit, site } of mutationsOf(node, file)) {
      const line = file.getLineAndCharacterOfPosition(edit.start).line + 1;
      const was = text.slice(edit.start, edit.end).replace(/\s+/g, ' ');
      mutants.push({ path, line, edit, was, site });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return mutants;
}

/** Whether a node is more than types, names of modules and what no value gets to. */
function runs(node: ts.Node): boolean {
  if (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node)) return false;
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return false;
  if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return false;
  if (ts.isExpressionStatement(node) || ts.isReturnStatement(node))
    return !node.expression?.getText().startsWith('assertNever(');
  return !(ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword);
}
