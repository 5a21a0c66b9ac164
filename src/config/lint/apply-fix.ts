import { applyTextEdits } from '../edit-json.ts';
import type { Fix } from './finding.ts';

/** The text with a fix in it. `fix` has to be of just this text. */
export function applyFix(text: string, fix: Fix): string {
  return applyTextEdits(text, fix.edits);
}
