import { describe, expect, it, vi } from 'vitest';
import type { AnnotatedBox } from './annotated-box.ts';
import { BoxesState } from './boxes-state.svelte.ts';

const box = (key: string, label = key): AnnotatedBox => ({
  key,
  label,
  xMinNormalized: 0,
  yMinNormalized: 0,
  xMaxNormalized: 0.5,
  yMaxNormalized: 0.5,
  confidence: null,
  predicted: false,
});
function stateOf(...keys: string[]) {
  const state = new BoxesState();
  state.begin(keys.map((key) => box(key)));
  const texts = () => state.boxes.map(({ key, label }) => (key === label ? key : `${key}:${label}`)).join(' ');
  return { state, texts };
}
const relabel = (state: BoxesState, key: string, label: string, coalesce: string | null = null) =>
  state.edit('Label', [{ key, box: box(key, label) }], coalesce);

describe('BoxesState', () => {
  it('undoes and redoes each edit, and selects what it touched', () => {
    const { state, texts } = stateOf('a', 'b', 'c');
    state.edit('Remove', [{ key: 'b', box: null }]);
    relabel(state, 'a', 'x');
    state.edit('Add', [{ key: 'd', box: box('d') }]);
    expect(texts()).toBe('a:x c d');
    expect([state.undo(), texts()]).toEqual(['Add', 'a:x c']);
    expect([state.undo(), state.undo(), texts()]).toEqual(['Label', 'Remove', 'a b c']);
    expect(state.selection.map(({ key }) => key)).toEqual(['b']);
    expect([state.undo(), texts()]).toEqual([null, 'a b c']);
    expect([state.redo(), state.redo(), texts()]).toEqual(['Remove', 'Label', 'a:x c']);
  });

  it('begins anew with nothing to undo', () => {
    const { state, texts } = stateOf('a');
    relabel(state, 'a', 'x');
    state.begin([box('b')]);
    expect([state.undo(), state.redo(), texts()]).toEqual([null, null, 'b']);
  });

  it('makes one step of edits that go on, until the selection changes', () => {
    const { state, texts } = stateOf('a');
    for (const label of ['x', 'y', 'z']) relabel(state, 'a', label, 'label a');
    state.select(['a']);
    relabel(state, 'a', 'last', 'label a');
    state.undo();
    expect(texts()).toBe('a:z');
    state.undo();
    expect(texts()).toBe('a');
  });

  it('keeps what others did out of undo', () => {
    const { state, texts } = stateOf('a');
    relabel(state, 'a', 'x');
    state.take([{ key: 'theirs', box: box('theirs') }]);
    state.undo();
    expect(texts()).toBe('a theirs');
  });

  it('shows a drag before it is done, and nothing of it when it is given up', () => {
    const { state, texts } = stateOf('a');
    state.preview([{ key: 'a', box: box('a', 'moved') }]);
    expect([state.shown[0]!.label, texts()]).toEqual(['moved', 'a']);
    state.preview([]);
    expect(state.shown[0]!.label).toBe('a');
  });

  it('tells of an edit only where there is one', () => {
    const onEdit = vi.fn();
    const state = new BoxesState(onEdit);
    state.begin([box('a')]);
    state.edit('Nothing', [{ key: 'a', box: state.boxes[0]! }]);
    relabel(state, 'a', 'x');
    state.undo();
    state.undo();
    expect([onEdit.mock.calls.length, state.undoLabel]).toEqual([2, null]);
  });

  it('goes through the boxes to the end of the list', () => {
    const { state } = stateOf('a', 'b');
    const walk = (by: 1 | -1) => {
      state.selectNext(by);
      return state.single?.key;
    };
    expect([walk(1), walk(1), state.hasNext(1), walk(-1), state.hasNext(-1)]).toEqual(['a', 'b', false, 'a', false]);
    state.select([]);
    expect(walk(-1)).toBe('b');
  });

  it('forgets a selected box that goes', () => {
    const { state } = stateOf('a', 'b');
    state.select(['a', 'b']);
    state.take([{ key: 'a', box: null }]);
    expect(state.single?.key).toBe('b');
  });
});

describe('locked boxes', () => {
  it('stay as they are, and tell once that an edit was refused', () => {
    const { state, texts } = stateOf('a', 'b');
    relabel(state, 'a', 'c');
    state.lock = 'Ada accepted it.';
    relabel(state, 'b', 'd');
    expect([state.undo(), texts(), state.refusals]).toEqual([null, 'a:c b', 2]);
    expect([state.takeRefusal(), state.takeRefusal()]).toEqual([true, false]);
    state.take([{ key: 'b', box: box('b', 'theirs') }]);
    expect(texts()).toBe('a:c b:theirs');
    state.lock = '';
    state.undo();
    expect(texts()).toBe('a b:theirs');
  });
});
