import { positionAt } from '../json-mistakes.ts';
import { displayPath } from '../json-path.ts';
import type { Finding, Severity } from './finding.ts';

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

/** @param text what was linted */
export function describeFinding({ path, offset, severity, code, message, fix }: Finding, text: string): FindingLine {
  return { path: displayPath(path), ...positionAt(text, offset), severity, code, message, fix: fix?.title ?? null };
}
