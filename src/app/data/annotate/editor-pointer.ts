import type { StageDrag } from '../../kit/picture/stage-gestures.ts';
import type { WindowHandle } from '../../kit/picture/pixel-window.ts';
import type { Rect } from '../../kit/picture/place-chips.ts';
import { toPixels, type AnnotatedBox, type BoxChange } from './boxes/annotated-box.ts';
import { moveBoxes, resizeBox, windowBetween } from './boxes/box-edits.ts';
import type { EditorState } from './editor-state.svelte.ts';
import { handleAt, handleCursors, keysAt, nextUnder } from './boxes/hit-box.ts';

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Distance in stage px at which a pointer still hits a line. */
const mouseSlackPx = 8;
const touchSlackPx = 22;
const boxSlackPx = 3;

/** Turns pointer input into selections and edits. Points are in stage px. */
export class EditorPointer {
  readonly #editor: EditorState;

  constructor(editor: EditorState) {
    this.#editor = editor;
  }

  /** The rectangle of a box on the stage. */
  rectOf(box: AnnotatedBox): Rect {
    const { viewport, size } = this.#editor;
    const { xMin, yMin, xMax, yMax } = toPixels(box, size);
    const from = viewport.toStage(xMin, yMin);
    const to = viewport.toStage(xMax, yMax);
    return { ...from, width: to.x - from.x, height: to.y - from.y };
  }

  keysAt(point: Point): readonly string[] {
    const { viewport, size, boxes } = this.#editor;
    const at = viewport.toFrame(point.x, point.y);
    // This runs at every pointer move, with thousands of boxes: only those near the point are projected to the stage.
    const slackPx = 1 + boxSlackPx / viewport.scale;
    const near = boxes.shown.filter(
      ({ xMinNormalized, yMinNormalized, xMaxNormalized, yMaxNormalized }) =>
        at.x >= xMinNormalized * size.widthPx - slackPx &&
        at.x <= xMaxNormalized * size.widthPx + slackPx &&
        at.y >= yMinNormalized * size.heightPx - slackPx &&
        at.y <= yMaxNormalized * size.heightPx + slackPx,
    );
    const placed = near.map((box) => ({ key: box.key, rect: this.rectOf(box) }));
    return keysAt(point, placed, boxSlackPx);
  }

  cursorAt(point: Point | null): string {
    const { tool, panning, boxes } = this.#editor;
    if (panning) return 'grab';
    if (tool === 'draw') return 'crosshair';
    if (!point) return '';
    const handle = boxes.single && boxes.lock === '' && handleAt(point, this.rectOf(boxes.single), mouseSlackPx);
    if (handle) return handleCursors[handle];
    return this.keysAt(point).length > 0 ? 'pointer' : '';
  }

  hover(point: Point | null): void {
    const { corner } = this.#editor;
    if (corner && point) this.#stretch(corner, point);
  }

  /** Selects the box under the point; a second tap at the same place selects the one below it. */
  tap(point: Point): void {
    const { boxes } = this.#editor;
    const next = nextUnder(this.keysAt(point), boxes.single?.key ?? null);
    boxes.select(next === null ? [] : [next]);
  }

  startDrag(point: Point, event: PointerEvent): StageDrag | null {
    const { tool, panning, boxes } = this.#editor;
    if (panning || event.button !== 0) return null;
    if (tool === 'draw') return this.#draw(point);
    if (boxes.lock !== '') return null; // a press selects, and a drag pans
    const isTouch = event.pointerType === 'touch';
    const { single } = boxes;
    const handle = single && handleAt(point, this.rectOf(single), isTouch ? touchSlackPx : mouseSlackPx);
    if (single && handle) return this.#resize(point, single, handle);
    const under = this.keysAt(point);
    if (under.length === 0) return null;
    if (event.ctrlKey || event.metaKey) return this.#toggle(under[0]!);
    const held = under.find((key) => boxes.isSelected(key));
    // A finger that pans must not drag a box along: touch moves only selected boxes.
    if (isTouch && held === undefined) return null;
    return this.#move(point, held ?? under[0]!);
  }

  #draw(point: Point): StageDrag {
    const { viewport, corner: before } = this.#editor;
    const corner = before ?? viewport.toFrame(point.x, point.y);
    this.#editor.corner = corner;
    return {
      move: (to) => this.#stretch(corner, to),
      end: (at, travelled) => {
        if (travelled || before) this.#finish(corner, at);
      },
      cancel: () => this.#editor.dropDrawing(),
    };
  }

  #stretch(corner: Point, to: Point): void {
    const { viewport, size } = this.#editor;
    this.#editor.drawing = windowBetween(corner, viewport.toFrame(to.x, to.y), size);
  }

  #finish(corner: Point, at: Point): void {
    this.#stretch(corner, at);
    const { drawing } = this.#editor;
    this.#editor.dropDrawing();
    if (drawing) this.#editor.add(drawing);
    else this.#editor.say('A box needs a width and a height.');
  }

  #resize(from: Point, box: AnnotatedBox, handle: WindowHandle): StageDrag {
    return this.#change('Resize', (x, y) => [resizeBox(box, handle, x, y, this.#editor.size)], from);
  }

  #move(from: Point, key: string): StageDrag {
    const { boxes, size } = this.#editor;
    const drag = this.#change('Move', (x, y) => moveBoxes(boxes.selection, x, y, size), from);
    return {
      move: (to) => {
        if (!boxes.isSelected(key)) boxes.select([key]);
        drag.move(to);
      },
      end: (at, travelled) => {
        if (travelled) drag.end(at, travelled);
        else this.tap(at);
      },
      cancel: drag.cancel,
    };
  }

  #toggle(key: string): StageDrag {
    const nothing = () => undefined;
    return { move: nothing, cancel: nothing, end: (_, travelled) => !travelled && this.#editor.boxes.toggle(key) };
  }

  /** Shows an edit while the pointer moves, in image pixels from its start, and applies it on release. */
  #change(does: string, edit: (xPx: number, yPx: number) => readonly AnnotatedBox[], from: Point): StageDrag {
    const { boxes, viewport } = this.#editor;
    const changes = (to: Point): readonly BoxChange[] =>
      edit((to.x - from.x) / viewport.scale, (to.y - from.y) / viewport.scale).map((box) => ({ key: box.key, box }));
    return {
      move: (to) => boxes.preview(changes(to)),
      end: (at, travelled) => {
        if (travelled) boxes.edit(does, changes(at));
      },
      cancel: () => boxes.preview([]),
    };
  }
}
