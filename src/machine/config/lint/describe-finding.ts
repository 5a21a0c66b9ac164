import { positionAt } from '../json/json-mistakes.ts';
import { displayPath } from '../json/json-path.ts';
import type { Finding, Severity } from './rule/finding.ts';

/** A finding as a terminal prints it. */
export interface FindingLine {
  /** `services[0].attributes.label_confidences` */
  readonly path: string;
  /** where it stands in the text, both from 1 */
  readonly line: number;
  readonly column: number;
  readonly severity: Severity;
  readonly code: string;
  readonly message: string;
  /** what the one-click fix would do, null where there is none */
  readonly fix: string | null;
}

/**
 * Describes a finding as a terminal prints it.
 * @param finding of `lint`
 * @param text that was linted
 * @returns its place, in words and numbers, and what a fix would do
 * @example
 * const text = '{\n  "services": 1\n}';
 * const finding = { path: ['services'], offset: 16, length: 1, severity: 'error', code: 'x', message: 'No list.' };
 * describeFinding(finding, text).line; // => 2
 */
export function describeFinding({ path, offset, severity, code, message, fix }: Finding, text: string): FindingLine {
  return { path: displayPath(path), ...positionAt(text, offset), severity, code, message, fix: fix?.title ?? null };
}
