import { describe, expect, it } from 'vitest';
import { BoxesState } from './boxes/boxes-state.svelte.ts';
import { EditorPointer } from './editor-pointer.ts';
import type { EditorState } from './editor-state.svelte.ts';

/** An editor of a picture of 100 × 100 px at scale 1, with one box from 20 to 40 px. */
function editor(part: Partial<Pick<EditorState, 'tool' | 'panning'>> = {}) {
  const boxes = new BoxesState();
  const corners = { xMinNormalized: 0.2, yMinNormalized: 0.2, xMaxNormalized: 0.4, yMaxNormalized: 0.4 };
  boxes.begin([{ key: 'a', label: 'cup', confidence: null, predicted: false, ...corners }]);
  const same = (x: number, y: number) => ({ x, y });
  const state = {
    boxes,
    tool: 'select',
    panning: false,
    corner: null,
    size: { widthPx: 100, heightPx: 100 },
    viewport: { scale: 1, toStage: same, toFrame: same },
    ...part,
  } as unknown as EditorState;
  return { boxes, pointer: new EditorPointer(state) };
}
const press = (part: Partial<PointerEvent> = {}) =>
  ({ button: 0, pointerType: 'mouse', ctrlKey: false, metaKey: false, ...part }) as PointerEvent;
const onBox = { x: 30, y: 30 };

describe('a press on a box', () => {
  it('drags it by the first button only, and not while the picture is panned', () => {
    expect(editor().pointer.startDrag(onBox, press())).not.toBeNull();
    expect(editor().pointer.startDrag(onBox, press({ button: 2 }))).toBeNull();
    expect(editor({ panning: true }).pointer.startDrag(onBox, press())).toBeNull();
  });

  it('drags it by a finger only where it is selected: a finger also pans', () => {
    const { boxes, pointer } = editor();
    const finger = press({ pointerType: 'touch' });
    expect(pointer.startDrag(onBox, finger)).toBeNull();
    boxes.select(['a']);
    expect(pointer.startDrag(onBox, finger)).not.toBeNull();
  });
});

describe('where nothing may be drawn', () => {
  it('a press selects, a drag pans, and no handle is offered', () => {
    const { boxes, pointer } = editor();
    boxes.select(['a']);
    const corner = { x: 40, y: 40 };
    expect(pointer.cursorAt(corner)).toMatch(/resize$/);
    expect(pointer.startDrag(corner, press())).not.toBeNull();
    boxes.lock = 'It is not yours.';
    expect(pointer.cursorAt(corner)).not.toMatch(/resize$/);
    for (const at of [corner, onBox]) expect(pointer.startDrag(at, press())).toBeNull();
    boxes.select([]);
    pointer.tap(onBox);
    expect(boxes.single?.key).toBe('a');
  });
});
