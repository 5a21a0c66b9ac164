import type { ServiceFilterRule } from '../../../machine/vision/face/filters.ts';

/** What the tuned service is compared with on the stage. */
export type Second =
  | { readonly kind: 'pin'; readonly visionName: string; readonly rule: ServiceFilterRule; readonly atMs: number }
  | { readonly kind: 'service'; readonly visionName: string };

/** The second configuration, "B". */
export interface SecondChoice {
  /** null: the stage shows the tuned service alone */
  readonly chosen: Second | null;
  choose(second: Second | null): void;
  /** Keeps the thresholds of this moment as B. */
  pin(): void;
}

/** Whether a stored value is one. */
export function isSecond(value: unknown): value is Second {
  const { kind, visionName, rule, atMs } = (value ?? {}) as Partial<Record<string, unknown>>;
  if (typeof visionName !== 'string') return false;
  if (kind === 'service') return true;
  const { defaultMinimumConfidence, labelConfidences } = (rule ?? {}) as Partial<Record<string, unknown>>;
  const isList = typeof labelConfidences === 'object' && labelConfidences !== null;
  const isNumber = (one: unknown): boolean => typeof one === 'number';
  return (
    kind === 'pin' &&
    isNumber(atMs) &&
    isNumber(defaultMinimumConfidence) &&
    isList &&
    Object.values(labelConfidences).every(isNumber)
  );
}
