import { counted } from '../../kit/words/figures.ts';
import { tick } from 'svelte';
import { StageViewport } from '../../kit/picture/stage-viewport.svelte.ts';
import type { FrameSize } from '../../../machine/vision/face/frames.ts';
import type { PixelWindow } from '../../../machine/vision/face/cameras.ts';
import type { WindowHandle } from '../../kit/picture/pixel-window.ts';
import { changesTo, isComputed, removalOf, normalizedBox, type AnnotatedBox } from './boxes/annotated-box.ts';
import {
  asKeyFrame,
  corrected,
  duplicated,
  middleWindow,
  moveBoxes,
  resizeBox,
  withSide,
  type BoxSide,
} from './boxes/box-edits.ts';
import { computedWords, nameOf } from './boxes/box-words.ts';
import type { BoxClipboard } from './boxes/box-clipboard.ts';
import type { BoxesState } from './boxes/boxes-state.svelte.ts';
import { CopiesState } from './boxes/copies-state.svelte.ts';
import type { EditorActionId } from './keys/editor-actions.ts';
import type { KeySettings } from './keys/key-settings.svelte.ts';
import type { LabelDigit } from './boxes/label-digits.ts';
import type { LabelList } from './boxes/label-list.svelte.ts';
import { PredictionsState } from './review/predictions-state.svelte.ts';
import type { PredictionRun } from '../../captures/run-model.ts';
import { TracksState, type TracksPorts } from './tracks/tracks-state.svelte.ts';

export interface EditorPorts {
  readonly labels: LabelList;
  readonly keys: KeySettings;
  readonly boxes: () => BoxesState;
  readonly size: () => FrameSize;
  /** null if there is no model to run */
  readonly runModel: () => (() => Promise<PredictionRun>) | null;
  readonly clipboard: BoxClipboard;
  /** Goes to the next image; null at the last one. */
  readonly next: () => (() => void) | null;
  readonly sequence: TracksPorts['sequence'];
  readonly imageId: TracksPorts['imageId'];
  readonly go: TracksPorts['go'];
}

/** The actions of the box editor, for mouse, keys and lists alike. Each announces what it did. */
export class EditorState {
  readonly #ports: EditorPorts;
  readonly viewport = new StageViewport();
  readonly predictions: PredictionsState;
  readonly copies: CopiesState;
  readonly tracks: TracksState;
  #tool = $state<'select' | 'draw'>('select');
  /** Drawing goes on box after box and image after image until it is switched off. */
  public keepsDrawing = $state(true);
  public labelsHidden = $state(false);
  /** While Space is held, a drag pans whatever it starts on. */
  public panning = $state(false);
  /** the first corner of a box that is being drawn, in pixels of the image */
  public corner = $state.raw<{ readonly x: number; readonly y: number } | null>(null);
  /** the window drawn so far */
  public drawing = $state.raw<PixelWindow | null>(null);
  public keysOpen = $state(false);
  /** The last announcement. */
  said: string = $state('');
  #labelField: HTMLInputElement | null = null;

  constructor(ports: EditorPorts) {
    this.#ports = ports;
    const say = (sentence: string): void => this.say(sentence);
    this.predictions = new PredictionsState({ ...ports, say });
    this.tracks = new TracksState({ ...ports, say });
    this.copies = new CopiesState({ ...ports, isDrawing: () => this.tool === 'draw', say });
  }

  /** Where nothing may be drawn the pointer selects; whoever draws goes on with the next image. */
  get tool(): 'select' | 'draw' {
    return this.boxes.lock === '' ? this.#tool : 'select';
  }
  set tool(tool: 'select' | 'draw') {
    this.#tool = tool;
  }

  get boxes(): BoxesState {
    return this.#ports.boxes();
  }
  get size(): FrameSize {
    return this.#ports.size();
  }
  get labels(): LabelList {
    return this.#ports.labels;
  }
  get keys(): KeySettings {
    return this.#ports.keys;
  }
  /** The name of an action with its key, for a tooltip. */
  withKey(does: string, id: EditorActionId): string {
    return `${does} (${this.keys.capsOf(id)})`;
  }

  /** Announces what was done; where the boxes are locked, why it was not. */
  say(words: string): void {
    const sentence = this.boxes.takeRefusal() ? this.boxes.lock : words;
    // A live region reads a repeated sentence only if the text changes in between.
    this.said = this.said === sentence ? `${sentence}\u00a0` : sentence;
  }

  startDrawing(): void {
    this.tool = 'draw';
    this.boxes.select([]);
    this.say(`Draw a box${this.labels.current && ` of ${this.labels.current}`}: drag, or click two corners.`);
  }

  /** Ends drawing, otherwise clears the selection. */
  cancel(): void {
    this.boxes.preview([]);
    this.dropDrawing();
    if (this.tool === 'draw') this.tool = 'select';
    else this.boxes.select([]);
  }

  dropDrawing(): void {
    this.corner = null;
    this.drawing = null;
  }

  /** Adds a box with the current label and selects it; without any label it asks for one. */
  add(window: PixelWindow): void {
    const label = this.labels.current;
    const key = crypto.randomUUID();
    const box = { key, label, ...normalizedBox(window, this.size), confidence: null, predicted: false };
    this.boxes.edit('Add a box', changesTo([box]));
    this.boxes.select([key]);
    if (!this.keepsDrawing) this.tool = 'select';
    const { xMin, yMin, xMax, yMax } = window;
    this.say(`${label || 'Box without a label'} added: ${xMax - xMin} by ${yMax - yMin} pixels at ${xMin}, ${yMin}.`);
    if (label === '') void this.editLabel();
  }

  addInTheMiddle(): void {
    this.add(middleWindow(this.size));
  }

  duplicate(): void {
    const copies = duplicated(this.boxes.selection, this.size, () => crypto.randomUUID());
    this.boxes.edit('Duplicate', changesTo(copies));
    this.boxes.select(copies.map(({ key }) => key));
    this.say(`${counted(copies.length, 'box')} duplicated.`);
  }

  /** A box between key frames is computed: it cannot be removed alone, so its track is ended. */
  remove(chosen = this.boxes.selection): void {
    const boxes = chosen.filter((box) => !isComputed(box));
    if (boxes.length === 0) return this.say(computedWords);
    this.boxes.edit(`Remove ${counted(boxes.length, 'box')}`, removalOf(boxes));
    this.say(`${counted(boxes.length, 'box')} removed.`);
  }

  /** Consecutive moves of the same boxes are one undo step. */
  nudge(xPx: number, yPx: number): void {
    const boxes = this.boxes.selection;
    this.boxes.edit('Move', changesTo(moveBoxes(boxes, xPx, yPx, this.size)), keyOf('move', boxes));
  }

  /** Moves the right and the lower edge. */
  resize(xPx: number, yPx: number): void {
    const boxes = this.boxes.selection;
    const handle: WindowHandle = xPx !== 0 ? 'e' : 's';
    const resized = boxes.map((box) => resizeBox(box, handle, xPx, yPx, this.size));
    this.boxes.edit('Resize', changesTo(resized), keyOf('resize', boxes));
  }

  setSide(box: AnnotatedBox, side: BoxSide, px: number): void {
    this.boxes.edit(`Set ${side}`, changesTo([withSide(box, side, px, this.size)]));
  }

  /** null = none */
  setConfidence(box: AnnotatedBox, confidence: number | null): void {
    const value = confidence === null ? null : Math.min(1, Math.max(0, confidence));
    if (value === box.confidence) return;
    this.boxes.edit('Set the confidence', changesTo([{ ...asKeyFrame(box), confidence: value }]));
  }

  /** Labels the selected boxes, and sets the label of the next ones. */
  label(label: string, boxes = this.boxes.selection): void {
    const wanted = label.trim();
    if (wanted === '') return;
    this.labels.choose(wanted);
    this.boxes.edit(`Label ${wanted}`, changesTo(boxes.map((box) => corrected(box, { label: wanted }))));
    this.say(boxes.length > 0 ? `${counted(boxes.length, 'box')} labelled ${wanted}.` : `The next box is ${wanted}.`);
  }

  labelByDigit(digit: LabelDigit): void {
    const label = this.labels.withDigit(digit);
    if (label === undefined) this.say(`No label has the digit ${digit}. Choose it beside a label in the list.`);
    else this.label(label);
  }

  /** Sets the digit that gives a label; '': none. */
  setDigit(label: string, digit: LabelDigit | ''): void {
    this.labels.setDigit(label, digit);
    this.say(digit ? `${digit} gives ${label}.` : `No digit gives ${label}.`);
  }

  /** Registers the label field of the selected box; returns a function that removes it. */
  ownLabelField(field: HTMLInputElement): () => void {
    this.#labelField = field;
    return () => {
      if (this.#labelField === field) this.#labelField = null;
    };
  }

  async editLabel(): Promise<void> {
    await tick();
    this.#labelField?.focus();
    this.#labelField?.select();
  }

  undo(): void {
    const undone = this.boxes.undo();
    this.say(undone === null ? 'Nothing to undo.' : `Undone: ${undone}.`);
  }

  redo(): void {
    const redone = this.boxes.redo();
    this.say(redone === null ? 'Nothing to redo.' : `Redone: ${redone}.`);
  }

  selectNext(by: 1 | -1): void {
    this.boxes.selectNext(by);
    const { single } = this.boxes;
    if (single)
      this.say(
        `${nameOf(single)}, ${this.boxes.boxes.findIndex(({ key }) => key === single.key) + 1} of ${this.boxes.boxes.length}`,
      );
  }

  selectAll(): void {
    this.boxes.select(this.boxes.boxes.map(({ key }) => key));
    this.say(`${counted(this.boxes.boxes.length, 'box')} selected.`);
  }
}

const keyOf = (does: string, boxes: readonly AnnotatedBox[]): string =>
  `${does} ${boxes.map(({ key }) => key).join(' ')}`;
