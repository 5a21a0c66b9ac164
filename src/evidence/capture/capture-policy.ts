import { greyDifference } from './grey-difference.ts';

/** Rules that capture a frame automatically: a frame is kept if at least one rule holds. */
export type CaptureRule =
  | { readonly kind: 'interval'; readonly everyMs: number }
  /** a label appears that was absent for `absentForMs` (0: absent on the frame before) */
  | { readonly kind: 'label-appears'; readonly label: string; readonly absentForMs: number }
  /** a score lies in [low, high], so that uncertain frames are kept; `label` null: any label */
  | { readonly kind: 'score-between'; readonly label: string | null; readonly low: number; readonly high: number }
  /** the mean difference in grey levels from the last kept frame is at least this, 0..1 */
  | { readonly kind: 'differs'; readonly atLeast: number };

/** Limits on what rules keep; null: no limit. */
export interface CaptureBudget {
  readonly maxFrames: number | null;
  readonly maxBytes: number | null;
  /** beyond this rate, frames are skipped and the rules continue */
  readonly maxPerMinute: number | null;
}

export interface CapturePolicy {
  readonly rules: readonly CaptureRule[];
  readonly budget: CaptureBudget;
}

/** What the rules read of one frame. */
export interface Observation {
  readonly nowMs: number;
  /** labels and scores that passed the filter, of boxes and classes alike */
  readonly seen: readonly { readonly label: string; readonly score: number }[];
  /** labels and scores before the filter, for rules about uncertain scores */
  readonly scored: Iterable<{ readonly label: string; readonly score: number }>;
  /** grey levels of a small picture of the source frame; null: not available, and `differs` never holds */
  readonly grey: Uint8Array | null;
}

/** The state of running rules. The counts are shown to the person. */
export interface PolicyState {
  /** null: the rules are running */
  readonly stopped: { readonly because: 'frames' | 'bytes' | 'person'; readonly message: string } | null;
  readonly observedFrames: number;
  readonly keptFrames: number;
  readonly keptBytes: number;
  /** number of frames that a rule wanted and the rate limit refused */
  readonly passedOverFrames: number;
  /** by position in the policy's list: how many frames the rule has kept */
  readonly keptByRule: readonly number[];
  readonly lastKeptMs: number | null;
  readonly lastKeptGrey: Uint8Array | null;
  /** when each label was last seen */
  readonly lastSeenMs: ReadonlyMap<string, number>;
  /** labels of the frame before */
  readonly seenBefore: ReadonlySet<string>;
  /** times of the frames kept within the last minute */
  readonly recentKeptMs: readonly number[];
}

export interface PolicyDecision {
  readonly state: PolicyState;
  /** the rules that held; empty: the frame is not kept */
  readonly because: readonly CaptureRule[];
}

const minuteMs = 60_000;

export function startPolicy({ rules }: CapturePolicy): PolicyState {
  return {
    stopped: null,
    observedFrames: 0,
    keptFrames: 0,
    keptBytes: 0,
    passedOverFrames: 0,
    keptByRule: rules.map(() => 0),
    lastKeptMs: null,
    lastKeptGrey: null,
    lastSeenMs: new Map(),
    seenBefore: new Set(),
    recentKeptMs: [],
  };
}

/**
 * Decides for one frame whether it is kept and by which rules. A kept frame counts at once; its bytes are added by
 * `countBytes`.
 */
export function observeFrame(policy: CapturePolicy, state: PolicyState, observation: Observation): PolicyDecision {
  if (state.stopped) return { state, because: [] };
  const { nowMs } = observation;
  const fulfilled = policy.rules.map((rule) => isFulfilled(rule, state, observation));
  const lastSeenMs = new Map(state.lastSeenMs);
  for (const { label } of observation.seen) lastSeenMs.set(label, nowMs);
  const seenBefore = new Set(observation.seen.map(({ label }) => label));
  const observed = { ...state, lastSeenMs, seenBefore, observedFrames: state.observedFrames + 1 };
  if (!fulfilled.includes(true)) return { state: observed, because: [] };

  const recentKeptMs = state.recentKeptMs.filter((keptMs) => keptMs > nowMs - minuteMs);
  const { maxPerMinute } = policy.budget;
  if (maxPerMinute !== null && recentKeptMs.length >= maxPerMinute) {
    return { state: { ...observed, recentKeptMs, passedOverFrames: state.passedOverFrames + 1 }, because: [] };
  }
  const kept: PolicyState = {
    ...observed,
    keptFrames: state.keptFrames + 1,
    keptByRule: state.keptByRule.map((count, at) => count + (fulfilled[at] ? 1 : 0)),
    lastKeptMs: nowMs,
    lastKeptGrey: observation.grey ?? state.lastKeptGrey,
    recentKeptMs: [...recentKeptMs, nowMs],
  };
  return { state: stopAtBudget(policy, kept), because: policy.rules.filter((_, at) => fulfilled[at]) };
}

/** Adds the size of a kept frame, which is known once it is encoded. */
export function countBytes(policy: CapturePolicy, state: PolicyState, sizeBytes: number): PolicyState {
  return stopAtBudget(policy, { ...state, keptBytes: state.keptBytes + sizeBytes });
}

export function stopPolicy(state: PolicyState): PolicyState {
  return state.stopped ? state : { ...state, stopped: { because: 'person', message: 'Stopped.' } };
}

function isFulfilled(rule: CaptureRule, state: PolicyState, { nowMs, seen, scored, grey }: Observation): boolean {
  switch (rule.kind) {
    case 'interval':
      return state.lastKeptMs === null || nowMs - state.lastKeptMs >= rule.everyMs;
    case 'label-appears': {
      if (!seen.some(({ label }) => label === rule.label)) return false;
      if (state.seenBefore.has(rule.label)) return false;
      return nowMs - (state.lastSeenMs.get(rule.label) ?? -Infinity) >= rule.absentForMs;
    }
    case 'score-between':
      for (const { label, score } of scored) {
        if ((rule.label === null || rule.label === label) && score >= rule.low && score <= rule.high) return true;
      }
      return false;
    case 'differs':
      if (grey === null) return false;
      return state.lastKeptGrey === null || greyDifference(grey, state.lastKeptGrey) >= rule.atLeast;
  }
}

function stopAtBudget({ budget: { maxFrames, maxBytes } }: CapturePolicy, state: PolicyState): PolicyState {
  if (state.stopped) return state;
  if (maxFrames !== null && state.keptFrames >= maxFrames) {
    return { ...state, stopped: { because: 'frames', message: `Stopped: ${maxFrames} frames were kept.` } };
  }
  if (maxBytes !== null && state.keptBytes >= maxBytes) {
    const megabytes = (maxBytes / 1e6).toFixed(maxBytes < 1e7 ? 1 : 0);
    return { ...state, stopped: { because: 'bytes', message: `Stopped: ${megabytes} MB were kept.` } };
  }
  return state;
}
