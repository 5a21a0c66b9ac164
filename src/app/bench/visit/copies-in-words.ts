import { byteText, counted, numberText } from '../../kit/words/figures.ts';
import { nameSome } from '../../kit/words/name-some.ts';
import type { CopyReport } from './copy-report.ts';

/** What a reload brings back of the pictures and videos, and in how much room; '': there is nothing to say. */
export function copiesInWords({ copied, waiting, onRequest, budgetBytes }: CopyReport): string {
  const budget = byteText(budgetBytes);
  const said: string[] = [];
  if (waiting > 0)
    said.push(`Copying for a reload: ${numberText(copied.length)} of ${numberText(copied.length + waiting)} …`);
  else if (copied.length > 0) {
    const bytes = byteText(copied.reduce((sum, { byteLength }) => sum + byteLength, 0));
    const files = `${counted(copied.length, 'file')} ${copied.length === 1 ? 'is' : 'are'}`;
    said.push(
      `${files} kept in this browser for a reload: ${bytes} of at most ${budget}; the oldest are dropped first.`,
    );
  }
  if (onRequest.length > 0) {
    const names = nameSome(onRequest.map(({ name }) => name));
    said.push(`No copy of ${names}, as it would be over ${budget}: after a reload, one click opens it again.`);
  }
  return said.join(' ');
}
