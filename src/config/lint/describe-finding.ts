import { displayPath } from '../json-path.ts';
import type { Finding, Severity } from './finding.ts';

/** A finding as a terminal prints it. */
export interface FindingLine {
  /** `services[0].attributes.label_confidences` */
  readonly path: string;
  readonly severity: Severity;
  readonly code: string;
  readonly message: string;
  /** what the one-click fix would do, null where there is none */
  readonly fix: string | null;
}

export function describeFinding({ path, severity, code, message, fix }: Finding): FindingLine {
  return { path: displayPath(path), severity, code, message, fix: fix?.title ?? null };
}
