import { labelDigits, type LabelDigit } from '../boxes/label-digits.ts';

/** When a key of the editor acts: two actions may share a key if their moments exclude each other. */
export type ActionMoment = 'always' | 'selected' | 'unselected';

export type ActionSection =
  'Boxes' | 'Predictions' | 'Tracks' | 'Move' | 'Resize' | 'Labels' | 'Images' | 'Work' | 'Window';

export interface EditorAction {
  readonly id: EditorActionId;
  readonly does: string;
  readonly section: ActionSection;
  /** the default keys */
  readonly chords: readonly string[];
  readonly moment: ActionMoment;
  readonly repeats?: boolean;
  /** acts while its key is held */
  readonly held?: boolean;
}

/** Actions on the task of an image, and on its comments. */
export type WorkActionId = 'task-done' | 'task-accept' | 'task-reject' | 'task-reopen' | 'add-comment' | 'next-comment';
/** The actions that are possible now. */
export type WorkCommands = Partial<Readonly<Record<WorkActionId, () => void>>>;

const sides = ['left', 'right', 'up', 'down'] as const;
export type ArrowSide = (typeof sides)[number];
const arrowOf = { left: 'ArrowLeft', right: 'ArrowRight', up: 'ArrowUp', down: 'ArrowDown' } as const;
const resizes = { left: 'narrower', right: 'wider', up: 'lower', down: 'higher' } as const;

export type EditorActionId =
  | 'draw'
  | 'next-box'
  | 'previous-box'
  | 'select-all'
  | 'delete'
  | 'duplicate'
  | 'copy'
  | 'paste'
  | 'propagate'
  | 'cancel'
  | 'undo'
  | 'redo'
  | 'accept'
  | 'reject'
  | `move-${ArrowSide}`
  | `move-${ArrowSide}-10`
  | `resize-${ArrowSide}`
  | `resize-${ArrowSide}-10`
  | `label-${LabelDigit}`
  | 'edit-label'
  | 'hide-labels'
  | 'previous-image'
  | 'next-image'
  | 'previous-image-unselected'
  | 'next-image-unselected'
  | 'run-model'
  | 'fit'
  | 'track'
  | 'key-frame'
  | 'end-track'
  | 'previous-frame'
  | 'next-frame'
  | 'previous-key-frame'
  | 'next-key-frame'
  | WorkActionId
  | 'help';

function arrowActions(
  section: 'Move' | 'Resize',
  nameOf: (side: ArrowSide) => string,
  idOf: (side: ArrowSide) => 'move-left' | 'resize-left',
  modifier: string,
): readonly EditorAction[] {
  return [1, 10].flatMap((byPx) =>
    sides.map((side): EditorAction => ({
      id: `${idOf(side)}${byPx === 10 ? '-10' : ''}` as EditorActionId,
      does: `${nameOf(side)} by ${byPx} px`,
      section,
      chords: [`${modifier}${byPx === 10 ? 'Shift+' : ''}${arrowOf[side]}`],
      moment: 'selected',
      repeats: true,
    })),
  );
}

/**
 * Everything that a key can do in the box editor, in the order of the help. Keys are those of CVAT where it has one.
 */
export const editorActions: readonly EditorAction[] = [
  { id: 'draw', does: 'Draw a box', section: 'Boxes', chords: ['N'], moment: 'always' },
  { id: 'next-box', does: 'Select the next box', section: 'Boxes', chords: ['Tab'], moment: 'always', repeats: true },
  {
    id: 'previous-box',
    does: 'Select the previous box',
    section: 'Boxes',
    chords: ['Shift+Tab'],
    moment: 'always',
    repeats: true,
  },
  { id: 'select-all', does: 'Select all boxes', section: 'Boxes', chords: ['Mod+A'], moment: 'always' },
  { id: 'duplicate', does: 'Duplicate', section: 'Boxes', chords: ['Mod+D'], moment: 'selected' },
  { id: 'copy', does: 'Copy the selected boxes, or all', section: 'Boxes', chords: ['Mod+C'], moment: 'always' },
  { id: 'paste', does: 'Paste boxes', section: 'Boxes', chords: ['Mod+V'], moment: 'always' },
  {
    id: 'propagate',
    does: 'Copy the selected boxes, or all, to the next image',
    section: 'Boxes',
    chords: ['Mod+B'],
    moment: 'always',
  },
  { id: 'delete', does: 'Remove', section: 'Boxes', chords: ['Delete', 'Backspace'], moment: 'selected' },
  { id: 'cancel', does: 'Stop drawing, or select nothing', section: 'Boxes', chords: ['Escape'], moment: 'always' },
  { id: 'undo', does: 'Undo', section: 'Boxes', chords: ['Mod+Z'], moment: 'always', repeats: true },
  { id: 'redo', does: 'Redo', section: 'Boxes', chords: ['Mod+Shift+Z', 'Mod+Y'], moment: 'always', repeats: true },
  { id: 'run-model', does: 'Run the model', section: 'Predictions', chords: ['M'], moment: 'always' },
  { id: 'accept', does: 'Accept a prediction', section: 'Predictions', chords: ['A'], moment: 'always' },
  { id: 'reject', does: 'Reject a prediction', section: 'Predictions', chords: ['R'], moment: 'always' },
  {
    id: 'track',
    does: 'Begin a track with the box, or take it out of its track',
    section: 'Tracks',
    chords: ['T'],
    moment: 'selected',
  },
  { id: 'key-frame', does: 'Set or remove the key frame', section: 'Tracks', chords: ['K'], moment: 'selected' },
  {
    id: 'end-track',
    does: 'End the track here, or let it go on',
    section: 'Tracks',
    chords: ['E'],
    moment: 'selected',
  },
  { id: 'previous-frame', does: 'Previous frame', section: 'Tracks', chords: [','], moment: 'always', repeats: true },
  { id: 'next-frame', does: 'Next frame', section: 'Tracks', chords: ['.'], moment: 'always', repeats: true },
  {
    id: 'previous-key-frame',
    does: 'Previous key frame',
    section: 'Tracks',
    chords: ['PageUp'],
    moment: 'always',
    repeats: true,
  },
  {
    id: 'next-key-frame',
    does: 'Next key frame',
    section: 'Tracks',
    chords: ['PageDown'],
    moment: 'always',
    repeats: true,
  },
  { id: 'edit-label', does: 'Edit the label', section: 'Labels', chords: ['L'], moment: 'selected' },
  ...labelDigits.map((digit): EditorAction => ({
    id: `label-${digit}`,
    does: `Give the label with digit ${digit}`,
    section: 'Labels',
    chords: [digit],
    moment: 'always',
  })),
  { id: 'hide-labels', does: 'Hide the labels', section: 'Labels', chords: ['Shift'], moment: 'always', held: true },
  ...arrowActions(
    'Move',
    (side) => `Move ${side}`,
    (side) => `move-${side}` as 'move-left',
    '',
  ),
  ...arrowActions(
    'Resize',
    (side) => `Make it ${resizes[side]}`,
    (side) => `resize-${side}` as 'resize-left',
    'Mod+',
  ),
  { id: 'previous-image', does: 'Previous image', section: 'Images', chords: ['D'], moment: 'always', repeats: true },
  { id: 'next-image', does: 'Next image', section: 'Images', chords: ['F'], moment: 'always', repeats: true },
  {
    id: 'previous-image-unselected',
    does: 'Previous image, while nothing is selected',
    section: 'Images',
    chords: ['ArrowLeft'],
    moment: 'unselected',
    repeats: true,
  },
  {
    id: 'next-image-unselected',
    does: 'Next image, while nothing is selected',
    section: 'Images',
    chords: ['ArrowRight'],
    moment: 'unselected',
    repeats: true,
  },
  { id: 'task-done', does: 'Hand in the task, and go on', section: 'Work', chords: ['Mod+Enter'], moment: 'always' },
  { id: 'task-accept', does: 'Accept the task, and go on', section: 'Work', chords: ['Shift+A'], moment: 'always' },
  { id: 'task-reject', does: 'Send the task back …', section: 'Work', chords: ['Shift+R'], moment: 'always' },
  { id: 'task-reopen', does: 'Reopen the task', section: 'Work', chords: ['Shift+O'], moment: 'always' },
  { id: 'add-comment', does: 'Comment on a spot in the image', section: 'Work', chords: ['C'], moment: 'always' },
  { id: 'next-comment', does: 'Go to the next comment', section: 'Work', chords: ['Shift+C'], moment: 'always' },
  { id: 'fit', does: 'Fit the image', section: 'Window', chords: ['Z'], moment: 'always' },
  { id: 'help', does: 'List and change the keys', section: 'Window', chords: ['?'], moment: 'always' },
];
