import ts from 'typescript';
import { editText, type Edit } from './edit-text.ts';
import type { Mutant } from './mutants-of.ts';

// The names that `worker-setup.ts` gives the page's global object.

/** The text of a file in which each mutated site reports when it runs. */
export function markedText(text: string, mutants: ReadonlyMap<number, Mutant>): string {
  const [opening, closing]: Edit[][] = [[], []];
  for (const [number, { site }] of mutants) {
    const mark = `__reached[${number}] = 1`;
    const isPoint = site.start === site.end;
    opening!.push({ start: site.start, end: site.start, text: isPoint ? `${mark};` : `(${mark}, ` });
    if (!isPoint) closing!.push({ start: site.end, end: site.end, text: ')' });
  }
  return editText(text, [...closing!, ...opening!]);
}

/** The file with one change or none, whose loops count their turns: a change must not make one endless. */
export function countedText(path: string, text: string, change: Edit | null): string {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TS);
  const counts: Edit[] = [];
  const visit = (node: ts.Node): void => {
    const turn = turnOf(node, file);
    if (turn) counts.push(turn);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return editText(text, change ? [...counts, change] : counts);
}

function turnOf(node: ts.Node, file: ts.SourceFile): Edit | null {
  const before = (at: number, text: string): Edit => ({ start: at, end: at, text });
  if (ts.isWhileStatement(node) || ts.isDoStatement(node)) return before(node.expression.getStart(file), '__turn(), ');
  if (!ts.isForStatement(node)) return null;
  if (node.condition) return before(node.condition.getStart(file), '__turn(), ');
  return ts.isBlock(node.statement) ? before(node.statement.getStart(file) + 1, '__turn();') : null;
}
