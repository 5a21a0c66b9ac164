import { type DisabledStep, isEvidence, type ThresholdEvidence } from '../../../machine/config/face/edits.ts';
import type { HistoryEntry, HistorySteps } from '../../kit/edits/edit-history.svelte.ts';
import { isLabelContents, type LabelContents } from './label-files.svelte.ts';
import type { Choice, Tuning } from './tuning.ts';

/**
 * The undo and redo steps, each stored as the difference from its neighbour: the first of a list is the one next to
 * the present state.
 */
export interface PackedHistory {
  readonly past: readonly PackedStep[];
  readonly future: readonly PackedStep[];
}

interface PackedStep {
  readonly label: string;
  /**
   * the state that the step leads to, as differences from its neighbour towards the present; what is missing is
   * equal
   */
  readonly to: {
    readonly text?: Splice;
    /** relative to `text` */
    readonly importedText?: Splice;
    /** relative to `text` */
    readonly runs?: Splice | null;
    readonly disabled?: readonly DisabledStep[];
    readonly unreadFile?: string | null;
    readonly evidence?: readonly ThresholdEvidence[];
  };
  readonly before?: Choice | undefined;
  readonly after?: Choice | undefined;
  readonly labelsBefore?: LabelContents | undefined;
  readonly labelsAfter?: LabelContents | undefined;
}

/** A replacement of characters: position, number of removed characters, inserted text. */
type Splice = readonly [start: number, length: number, content: string];

/**
 * For each direction. A page has a few megabytes of storage; a configuration takes some kilobytes, and an edit some
 * bytes.
 */
const MOST_CHARACTERS = 200_000;

/** The history as stored over a reload: the latest steps, as many as fit. */
export function packHistory(now: Tuning, { past, future }: HistorySteps<Tuning>): PackedHistory {
  return { past: packSteps(now, past.toReversed(), 'before'), future: packSteps(now, future.toReversed(), 'after') };
}

/**
 * Side effects of a step outside of the configuration are lost with the page: the label says that undo does not
 * revert them.
 */
const ONLY_TEXT = ' (only in the configuration)';

/** Steps that were packed before, with the same neighbour. */
const packedBefore = new WeakMap<Tuning, { readonly near: Tuning; readonly step: PackedStep; readonly size: number }>();

function packSteps(
  now: Tuning,
  steps: readonly HistoryEntry<Tuning>[],
  side: 'before' | 'after',
): readonly PackedStep[] {
  const packed: PackedStep[] = [];
  let near = now;
  let room = MOST_CHARACTERS;
  for (const { label, beside, ...states } of steps) {
    const to = states[side];
    let known = packedBefore.get(to);
    if (known?.near !== near) {
      const named = beside && !label.endsWith(ONLY_TEXT) ? label + ONLY_TEXT : label;
      const { before, after } = states;
      const choices = { before: before.choice, after: after.choice };
      const labels = { labelsBefore: before.labelFiles, labelsAfter: after.labelFiles };
      const step = { label: named, to: packTuning(near, to), ...choices, ...labels };
      known = { near, step, size: JSON.stringify(step).length };
      packedBefore.set(to, known);
    }
    room -= known.size;
    if (room < 0) break;
    packed.push(known.step);
    near = to;
  }
  return packed;
}

function packTuning(near: Tuning, to: Tuning): PackedStep['to'] {
  const { text, importedText, runs, disabled, unreadFile, evidence } = to;
  return {
    ...(text !== near.text && { text: spliceOf(near.text, text) }),
    ...(importedText !== near.importedText && { importedText: spliceOf(text, importedText) }),
    ...(runs !== near.runs && { runs: runs === null ? null : spliceOf(text, runs) }),
    ...(disabled !== near.disabled && { disabled }),
    ...(unreadFile !== near.unreadFile && { unreadFile }),
    ...(evidence !== near.evidence && { evidence: evidence ?? [] }),
  };
}

/** Restores the history around the state that it was packed with. */
export function unpackHistory(now: Tuning, { past, future }: PackedHistory): HistorySteps<Tuning> {
  const unpack = (steps: readonly PackedStep[], side: 'before' | 'after'): HistoryEntry<Tuning>[] => {
    let near = now;
    return steps.map(({ label, to, before, after, labelsBefore, labelsAfter }) => {
      const far = unpackTuning(near, to);
      const [earlier, later] = side === 'before' ? [far, near] : [near, far];
      near = far;
      return {
        label,
        before: { ...earlier, choice: before, labelFiles: labelsBefore },
        after: { ...later, choice: after, labelFiles: labelsAfter },
      };
    });
  };
  return { past: unpack(past, 'before').toReversed(), future: unpack(future, 'after').toReversed() };
}

function unpackTuning(near: Tuning, to: PackedStep['to']): Tuning {
  const text = to.text ? spliced(near.text, to.text) : near.text;
  return {
    text,
    importedText: to.importedText ? spliced(text, to.importedText) : near.importedText,
    runs: to.runs === undefined ? near.runs : to.runs && spliced(text, to.runs),
    disabled: to.disabled ?? near.disabled,
    unreadFile: to.unreadFile === undefined ? near.unreadFile : to.unreadFile,
    evidence: to.evidence ?? near.evidence,
  };
}

function spliceOf(from: string, to: string): Splice {
  const shorter = Math.min(from.length, to.length);
  let start = 0;
  while (start < shorter && from[start] === to[start]) start++;
  let end = 0;
  while (end < shorter - start && from[from.length - 1 - end] === to[to.length - 1 - end]) end++;
  return [start, from.length - end - start, to.slice(start, to.length - end)];
}

function spliced(text: string, [start, length, content]: Splice): string {
  return text.slice(0, start) + content + text.slice(start + length);
}

/** Whether a stored value is a history. */
export function isPackedHistory(value: unknown): value is PackedHistory {
  const { past, future } = (value ?? {}) as Partial<Record<keyof PackedHistory, unknown>>;
  return [past, future].every((steps) => Array.isArray(steps) && steps.every(isStep));
}

function isStep(value: unknown): boolean {
  const { label, to, labelsBefore = {}, labelsAfter = {} } = (value ?? {}) as Partial<PackedStep>;
  if (![labelsBefore, labelsAfter].every(isLabelContents)) return false;
  if (typeof label !== 'string' || typeof to !== 'object' || to === null) return false;
  const { text, importedText, runs, disabled, unreadFile, evidence } = to;
  return (
    [text, importedText, runs ?? undefined].every((splice) => splice === undefined || isSplice(splice)) &&
    (disabled === undefined || Array.isArray(disabled)) &&
    (evidence === undefined || isEvidence(evidence)) &&
    ['undefined', 'string'].includes(typeof (unreadFile ?? undefined))
  );
}

function isSplice(value: unknown): boolean {
  if (!Array.isArray(value) || value.length !== 3) return false;
  const [start, length, content] = value as readonly unknown[];
  return Number.isInteger(start) && Number.isInteger(length) && typeof content === 'string';
}
