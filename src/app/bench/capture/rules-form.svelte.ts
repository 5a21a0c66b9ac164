import type { CapturePolicy, CaptureRule } from '../../../evidence/capture/capture-policy.ts';
import { recall, remember, type MemoryPort } from '../../kit/memory/remembered.ts';

/** The rules as typed in the form. */
export interface RulesDraft {
  readonly interval: { readonly on: boolean; readonly everySeconds: number };
  readonly appears: { readonly on: boolean; readonly label: string; readonly absentSeconds: number };
  /** `label` '': any label */
  readonly score: { readonly on: boolean; readonly label: string; readonly low: number; readonly high: number };
  readonly differs: { readonly on: boolean; readonly percent: number };
  /** null: no limit */
  readonly maxFrames: number | null;
  readonly maxMegabytes: number | null;
  readonly maxPerMinute: number | null;
}

const firstDraft: RulesDraft = {
  interval: { on: true, everySeconds: 5 },
  appears: { on: false, label: '', absentSeconds: 2 },
  score: { on: false, label: '', low: 0.3, high: 0.6 },
  differs: { on: false, percent: 5 },
  maxFrames: 500,
  maxMegabytes: 200,
  maxPerMinute: 60,
};

const memoryKey = 'capture-rules';

/**
 * The form of the capture rules, stored for the next visit. Stored rules do not run before they are started again.
 */
export class RulesForm {
  readonly #memory: MemoryPort;
  draft = $state.raw<RulesDraft>(firstDraft);

  constructor(memory: MemoryPort) {
    this.#memory = memory;
    this.draft = draftFrom(recall(memory, memoryKey));
  }

  change(part: Partial<RulesDraft>): void {
    this.draft = { ...this.draft, ...part };
    remember(this.#memory, memoryKey, this.draft);
  }

  /** Why the rules cannot be started; '': they can. */
  get trouble(): string {
    const { interval, appears, score, differs } = this.draft;
    if (![interval, appears, score, differs].some(({ on }) => on)) return 'Switch a rule on.';
    if (appears.on && appears.label.trim() === '') return 'Choose the label that should appear.';
    return '';
  }

  /** The form's content for the recorder. */
  get policy(): CapturePolicy {
    return policyOf(this.draft);
  }
}

export function policyOf(draft: RulesDraft): CapturePolicy {
  const { interval, appears, score, differs, maxFrames, maxMegabytes, maxPerMinute } = draft;
  const rules: CaptureRule[] = [];
  if (interval.on) rules.push({ kind: 'interval', everyMs: interval.everySeconds * 1000 });
  if (appears.on) {
    rules.push({ kind: 'label-appears', label: appears.label.trim(), absentForMs: appears.absentSeconds * 1000 });
  }
  if (score.on) {
    const [low, high] = [Math.min(score.low, score.high), Math.max(score.low, score.high)];
    rules.push({ kind: 'score-between', label: score.label.trim() || null, low, high });
  }
  if (differs.on) rules.push({ kind: 'differs', atLeast: differs.percent / 100 });
  const maxBytes = maxMegabytes === null ? null : maxMegabytes * 1e6;
  return { rules, budget: { maxFrames, maxBytes, maxPerMinute } };
}

/** The valid parts of a stored draft. */
function draftFrom(stored: unknown): RulesDraft {
  if (!stored || typeof stored !== 'object') return firstDraft;
  const known = Object.entries(firstDraft).map(([key, first]) => {
    const value: unknown = Reflect.get(stored, key);
    if (first && typeof first === 'object') return [key, withKnown(first, value)];
    return [key, value === null || (typeof value === 'number' && value > 0) ? value : first];
  });
  return Object.fromEntries(known) as RulesDraft;
}

function withKnown<Part extends object>(first: Part, value: unknown): Part {
  if (!value || typeof value !== 'object') return first;
  const fits = ([key, known]: [string, unknown]): boolean => typeof Reflect.get(value, key) === typeof known;
  const kept = Object.entries(first).filter(fits);
  return { ...first, ...Object.fromEntries(kept.map(([key]) => [key, Reflect.get(value, key)])) };
}
