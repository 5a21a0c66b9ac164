import type { Shortcut } from '../../kit/keys/shortcut-registry.svelte.ts';
import {
  editorActions,
  type ArrowSide,
  type EditorAction,
  type EditorActionId,
  type WorkActionId,
  type WorkCommands,
} from './keys/editor-actions.ts';
import type { EditorState } from './editor-state.svelte.ts';
import { labelDigits } from './boxes/label-digits.ts';
import type { KeySettings } from './keys/key-settings.svelte.ts';

/** A shortcut; whoever registers it decides its area and its heading in the help. */
export type EditorShortcut = Omit<Shortcut, 'area' | 'group'>;

export interface EditorNavigation {
  readonly previous: (() => void) | null;
  readonly next: (() => void) | null;
  /** Whether Tab goes through the boxes: when the focus is on the stage, or nowhere. */
  readonly tabIsFree: () => boolean;
  /** what can be done with the task of the image now; absent: nothing */
  readonly work?: WorkCommands | undefined;
}

/** The shortcuts of the editor with their current keys. While they are registered, no other shortcuts are active. */
export function editorShortcuts(
  editor: EditorState,
  keys: KeySettings,
  ways: EditorNavigation,
): readonly EditorShortcut[] {
  const runs = commandsOf(editor, ways);
  const shortcuts = editorActions.map((action): EditorShortcut => ({
    chords: keys.chordsOf(action),
    does: action.does,
    exclusive: true,
    repeats: action.repeats ?? false,
    enabled: () => isMoment(editor, action.moment) && (conditions(editor, ways)[action.id]?.() ?? true),
    run: () => (edits(action) && editor.boxes.refuses() ? editor.say('') : runs[action.id]()),
    ...(action.held && { release: () => (editor.labelsHidden = false) }),
  }));
  const pan: EditorShortcut = {
    chords: ['Space'],
    caps: ['Space', 'held'],
    does: 'Pan by dragging',
    exclusive: true,
    run: () => (editor.panning = true),
    release: () => (editor.panning = false),
  };
  return [...shortcuts, pan];
}

function isMoment({ boxes }: EditorState, moment: (typeof editorActions)[number]['moment']): boolean {
  return moment === 'always' || boxes.selection.length > 0 === (moment === 'selected');
}

const withoutEdit: readonly EditorActionId[] = [
  'next-box',
  'previous-box',
  'select-all',
  'copy',
  'propagate',
  'cancel',
  'previous-frame',
  'next-frame',
  'previous-key-frame',
  'next-key-frame',
  'hide-labels',
];

/** Whether an action draws: it does nothing where the person may not draw, and says why. */
const edits = ({ id, section }: EditorAction): boolean =>
  section !== 'Images' && section !== 'Work' && section !== 'Window' && !withoutEdit.includes(id);

const workIds = editorActions.filter(({ section }) => section === 'Work').map(({ id }) => id as WorkActionId);

/** Conditions under which a key keeps its usual meaning. */
function conditions(editor: EditorState, ways: EditorNavigation): Partial<Record<EditorActionId, () => boolean>> {
  return {
    ...Object.fromEntries(workIds.map((id) => [id, () => ways.work?.[id] !== undefined])),
    'next-box': () => ways.tabIsFree() && editor.boxes.hasNext(1),
    'previous-box': () => ways.tabIsFree() && editor.boxes.hasNext(-1),
    // With marked text, Ctrl+C copies the text.
    copy: () => document.getSelection()?.isCollapsed ?? true,
    cancel: () => editor.tool === 'draw' || editor.boxes.selection.length > 0,
  };
}

const steps: Readonly<Record<ArrowSide, readonly [number, number]>> = {
  left: [-1, 0],
  right: [1, 0],
  up: [0, -1],
  down: [0, 1],
};

function commandsOf(
  editor: EditorState,
  { previous, next, work }: EditorNavigation,
): Readonly<Record<EditorActionId, () => void>> {
  const arrows = Object.entries(steps).flatMap(([side, [x, y]]) => [
    [`move-${side}`, () => editor.nudge(x, y)],
    [`move-${side}-10`, () => editor.nudge(10 * x, 10 * y)],
    [`resize-${side}`, () => editor.resize(x, y)],
    [`resize-${side}-10`, () => editor.resize(10 * x, 10 * y)],
  ]);
  const tasks = workIds.map((id) => [id, () => work?.[id]?.()]);
  const labels = labelDigits.map((digit) => [`label-${digit}`, () => editor.labelByDigit(digit)]);
  const goPrevious = (): void => (previous ? previous() : editor.say('This is the first image.'));
  const goNext = (): void => (next ? next() : editor.say('This is the last image.'));
  return {
    ...(Object.fromEntries([...arrows, ...labels, ...tasks]) as Record<EditorActionId, () => void>),
    draw: () => editor.startDrawing(),
    'next-box': () => editor.selectNext(1),
    'previous-box': () => editor.selectNext(-1),
    'select-all': () => editor.selectAll(),
    delete: () => editor.remove(),
    duplicate: () => editor.duplicate(),
    copy: () => editor.copies.copy(),
    paste: () => editor.copies.paste(),
    propagate: () => editor.copies.propagate(),
    track: () => editor.tracks.toggle(),
    'key-frame': () => editor.tracks.toggleKey(),
    'end-track': () => editor.tracks.toggleEnd(),
    'previous-frame': () => editor.tracks.step(-1),
    'next-frame': () => editor.tracks.step(1),
    'previous-key-frame': () => editor.tracks.stepKey(-1),
    'next-key-frame': () => editor.tracks.stepKey(1),
    cancel: () => editor.cancel(),
    undo: () => editor.undo(),
    redo: () => editor.redo(),
    accept: () => editor.predictions.accept(),
    reject: () => editor.predictions.reject(),
    'edit-label': () => void editor.editLabel(),
    'hide-labels': () => (editor.labelsHidden = true),
    'previous-image': goPrevious,
    'next-image': goNext,
    'previous-image-unselected': goPrevious,
    'next-image-unselected': goNext,
    'run-model': () => void editor.predictions.run(),
    fit: () => editor.viewport.fit(),
    help: () => (editor.keysOpen = true),
  };
}
