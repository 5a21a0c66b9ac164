import { applyTextEdits } from '../json/edit-json.ts';
import type { Fix } from './rule/finding.ts';

/**
 * Applies the fix of a lint finding.
 * @param text the very text in which the finding was made
 * @param fix of the finding
 * @returns the new text
 * @example
 * applyFix('{"a":1}', { title: 'Set a to 2', edits: [{ offset: 5, length: 1, content: '2' }] }); // => '{"a":2}'
 */
export function applyFix(text: string, fix: Fix): string {
  return applyTextEdits(text, fix.edits);
}
