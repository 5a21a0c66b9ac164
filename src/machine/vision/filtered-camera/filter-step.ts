import { decideImage, type FilterMatch, type ImageDecision, type SeenByServices } from './decide-image.ts';
import type { FilterRule } from './filter-rule.ts';

/**
 * Something that happens to a filtered camera, in the order in which it takes effect. Each asks the camera below for images, and its
 * time is when that camera says that it took them: the module's only clock.
 */
export type FilterEvent<I> =
  | {
      /** the background worker takes an image, `imageFrequencyHz` times a second */
      readonly kind: 'background';
      /** ms since any moment; whole ones compare exactly */
      readonly timeMs: number;
      /** images of one call: as many as the camera below has sources */
      readonly images: readonly I[];
    }
  | {
      /** the data manager asks for images, `capture_frequency_hz` times a second */
      readonly kind: 'capture';
      readonly timeMs: number;
      readonly images: readonly SeenImage<I>[];
    };

/** An image (whatever stands for one, such as its number) and what is seen on it. It is looked at only where the filter decides. */
export interface SeenImage<I> {
  readonly image: I;
  readonly seen: SeenByServices;
}

/** An image that the data manager is given. */
export interface KeptImage<I> {
  readonly image: I;
  readonly timeMs: number;
  /** `trigger`: the filter accepted it. `before` and `after`: a window around a trigger brought it. */
  readonly role: 'before' | 'trigger' | 'after';
  /** which trigger kept it, counted from 0 */
  readonly trigger: number;
  /** matches that annotate the image; [] for all but the trigger */
  readonly annotations: readonly FilterMatch[];
}

/** What an event does. */
export interface FilterOutcome<I> {
  /**
   * `stored`: a background image goes to what waits for the data manager. `buffered`: it goes to the ring buffer. Of a capture,
   * `window` and `cooldown`: the filter is not asked. `triggered`, `held-back`: it is. `failed`: a service does not answer.
   */
  readonly verdict: 'stored' | 'buffered' | 'window' | 'cooldown' | 'triggered' | 'held-back' | 'failed';
  /** decisions on the images that the filter was asked about, in order; those after a trigger or a failure are not asked about */
  readonly decisions: readonly ImageDecision[];
  /** images that the data manager is given, in order, also those that waited; [] for background events. An image may be kept twice. */
  readonly kept: readonly KeptImage<I>[];
  /** the time that the data manager notes for all of `kept`: that of the earliest; null: nothing is kept */
  readonly capturedAtMs: number | null;
}

/** What a filtered camera remembers. */
export interface FilterState<I> {
  /** sets of images outside any window, oldest first */
  readonly ring: readonly BufferedSet<I>[];
  /** images that the data manager is given when it next asks */
  readonly toSend: readonly BufferedSet<I>[];
  /** start of the last window, which includes both its ends; -Infinity: there was none */
  readonly fromMs: number;
  readonly tillMs: number;
  /** end of its cool-down, included */
  readonly cooldownTillMs: number;
  /** triggers so far */
  readonly triggers: number;
  /** time of the last trigger; -Infinity: there was none */
  readonly triggerMs: number;
}

interface BufferedSet<I> {
  readonly timeMs: number;
  readonly images: readonly KeptImage<I>[];
}

/**
 * A filtered camera that was just built.
 * @returns a state with empty buffers and no window
 * @example
 * filterStart().toSend; // => []
 */
export function filterStart<I>(): FilterState<I> {
  const never = -Infinity;
  return { ring: [], toSend: [], fromMs: never, tillMs: never, cooldownTillMs: never, triggers: 0, triggerMs: never };
}

/**
 * Takes a filtered camera one event further, as its module does.
 * @param rule of `filterRule`
 * @param state of `filterStart` or of the step before; it is not changed
 * @param event what happens; events are given in the order in which they take effect, and their times may run backwards
 * @returns the state after it, and what came of it
 * @example
 * const person = { vision: 'eyes', inhibit: false, classifications: {}, objects: { person: 0.5 } };
 * const rule = { camera: 'cam', inhibitors: [], acceptors: [person], beforeMs: 2000, afterMs: 0, cooldownMs: 0, imageFrequencyHz: 1, ringSize: 6 };
 * const seen = { eyes: { classifications: null, detections: [{ label: 'person', score: 0.9 }] } };
 * const waiting = filterStep(rule, filterStart(), { kind: 'background', timeMs: 1000, images: ['a'] });
 * const { outcome } = filterStep(rule, waiting.state, { kind: 'capture', timeMs: 1500, images: [{ image: 'b', seen }] });
 * outcome.kept.map(({ image, role }) => [image, role]); // => [['a', 'before'], ['b', 'trigger']]
 */
export function filterStep<I>(
  rule: FilterRule,
  state: FilterState<I>,
  event: FilterEvent<I>,
): { readonly state: FilterState<I>; readonly outcome: FilterOutcome<I> } {
  const { timeMs } = event;
  if (event.kind === 'background') {
    const set = setOf(state, timeMs, event.images);
    const verdict = isInWindow(state, timeMs) ? 'stored' : 'buffered';
    return { state: store(rule, state, set), outcome: { verdict, decisions: [], kept: [], capturedAtMs: null } };
  }
  if (isInWindow(state, timeMs)) {
    const images = event.images.map(({ image }) => image);
    const sets = state.toSend.length > 0 ? state.toSend : [setOf(state, timeMs, images)];
    return give({ ...state, toSend: sets }, 'window', []);
  }
  if (isCoolingDown(state, timeMs)) return give(state, 'cooldown', []);
  const decisions: ImageDecision[] = [];
  for (const { image, seen } of event.images) {
    const decision = decideImage(rule, seen);
    decisions.push(decision);
    if (decision.verdict === 'failed')
      return { state, outcome: { verdict: 'failed', decisions, kept: [], capturedAtMs: null } };
    if (decision.verdict !== 'accepted') continue;
    const triggered = openWindow(rule, state, timeMs);
    const trigger = { image, timeMs, role: 'trigger' as const, trigger: state.triggers, annotations: decision.matches };
    return give(store(rule, triggered, { timeMs, images: [trigger] }), 'triggered', decisions);
  }
  return give(state, 'held-back', decisions);
}

/** The data manager is given all that waits. */
function give<I>(
  state: FilterState<I>,
  verdict: FilterOutcome<I>['verdict'],
  decisions: readonly ImageDecision[],
): ReturnType<typeof filterStep<I>> {
  const { toSend } = state;
  const times = toSend.map(({ timeMs }) => timeMs);
  const capturedAtMs = times.length > 0 ? times.reduce((least, timeMs) => Math.min(least, timeMs)) : null;
  const kept = toSend.flatMap(({ images }) => images);
  return { state: { ...state, toSend: [] }, outcome: { verdict, decisions, kept, capturedAtMs } };
}

/**
 * @param state of `filterStart` or `filterStep`
 * @param timeMs the moment, on the clock of the events
 * @returns whether the window of a trigger is open; both its ends are included
 * @example isInWindow({ ...filterStart(), fromMs: 0, tillMs: 2000 }, 2000); // => true
 */
export function isInWindow({ fromMs, tillMs }: FilterState<unknown>, timeMs: number): boolean {
  return (timeMs < tillMs && timeMs > fromMs) || timeMs === tillMs || timeMs === fromMs;
}

/**
 * @param state of `filterStart` or `filterStep`
 * @param timeMs the moment, on the clock of the events
 * @returns whether nothing triggers although no window is open; the last moment is included
 * @example isCoolingDown({ ...filterStart(), tillMs: 2000, cooldownTillMs: 5000 }, 2000); // => false
 */
export function isCoolingDown({ tillMs, cooldownTillMs }: FilterState<unknown>, timeMs: number): boolean {
  return timeMs > tillMs && timeMs <= cooldownTillMs;
}

function setOf<I>(state: FilterState<I>, timeMs: number, images: readonly I[]): BufferedSet<I> {
  return { timeMs, images: images.map((image) => ({ image, timeMs, ...roleOf(state, timeMs), annotations: [] })) };
}

/** What an image is to the last trigger. */
function roleOf(state: FilterState<unknown>, timeMs: number): Pick<KeptImage<unknown>, 'role' | 'trigger'> {
  return { role: timeMs > state.triggerMs ? 'after' : 'before', trigger: state.triggers - 1 };
}

/** Images of the window wait for the data manager, others in the ring buffer, of which the oldest are dropped. */
function store<I>(rule: FilterRule, state: FilterState<I>, set: BufferedSet<I>): FilterState<I> {
  if (isInWindow(state, set.timeMs)) return { ...state, toSend: [...state.toSend, set] };
  const ring = [...state.ring, set];
  return { ...state, ring: ring.slice(Math.max(0, ring.length - rule.ringSize)) };
}

/** A trigger opens a window, and takes what the ring buffer has of it. */
function openWindow<I>(rule: FilterRule, state: FilterState<I>, timeMs: number): FilterState<I> {
  const tillMs = timeMs + rule.afterMs;
  // Where time ran back to before the last window, the window still begins where it began.
  const fromMs = state.tillMs < timeMs ? timeMs - rule.beforeMs : state.fromMs;
  const next = {
    ...state,
    fromMs,
    tillMs,
    cooldownTillMs: tillMs + rule.cooldownMs,
    triggers: state.triggers + 1,
    triggerMs: timeMs,
  };
  const isWanted = (set: BufferedSet<I>): boolean => set.timeMs >= fromMs && set.timeMs <= tillMs;
  const moved = state.ring
    .filter(isWanted)
    .map((set) => ({
      ...set,
      images: set.images.map((kept) => ({ ...kept, ...(kept.role !== 'trigger' && roleOf(next, set.timeMs)) })),
    }));
  return { ...next, ring: state.ring.filter((set) => !isWanted(set)), toSend: [...state.toSend, ...moved] };
}
