import { describe, expect, it } from 'vitest';
import { memoryStorage } from '../../../../../tests/memory-storage.ts';
import type { FrameSize } from '../../../../machine/vision/frame/frame.ts';
import { toPixels, type AnnotatedBox } from './annotated-box.ts';
import { BoxClipboard } from './box-clipboard.ts';
import { BoxesState } from './boxes-state.svelte.ts';
import { CopiesState } from './copies-state.svelte.ts';

const large = { widthPx: 1000, heightPx: 500 };
const small = { widthPx: 100, heightPx: 100 };

function boxOf(label: string, [xMin, yMin, xMax, yMax]: number[], part: Partial<AnnotatedBox> = {}): AnnotatedBox {
  const parts = { xMinNormalized: xMin! / 1000, yMinNormalized: yMin! / 500 };
  const ends = { xMaxNormalized: xMax! / 1000, yMaxNormalized: yMax! / 500 };
  return { key: label, label, confidence: null, predicted: false, ...parts, ...ends, ...part };
}
const cup = boxOf('cup', [100, 100, 300, 200], { confidence: 0.9 });
const fork = boxOf('fork', [500, 250, 501, 255]);
const guess = boxOf('guess', [0, 0, 500, 500], { predicted: true, confidence: 0.4 });

/** Two images one after the other; `go` shows one of them. */
function album(
  first: readonly AnnotatedBox[],
  second: readonly AnnotatedBox[] = [],
  sizes: FrameSize[] = [large, large],
) {
  const images = [first, second].map((there) => {
    const boxes = new BoxesState();
    boxes.begin(there);
    return boxes;
  });
  const clipboard = new BoxClipboard(memoryStorage());
  const said: string[] = [];
  let [shown, isDrawing] = [0, false];
  const copies = new CopiesState({
    clipboard,
    boxes: () => images[shown]!,
    size: () => sizes[shown]!,
    next: () => (shown === 0 ? () => (shown = 1) : null),
    isDrawing: () => isDrawing,
    say: (sentence) => said.push(sentence),
  });
  const inPixels = (image: number) =>
    images[image]!.boxes.map((box) => {
      const { xMin, yMin, xMax, yMax } = toPixels(box, sizes[image]!);
      const corners = [xMin, yMin, xMax, yMax].map((px) => Math.round(px * 100) / 100);
      return [box.label, ...corners, box.confidence, box.predicted];
    });
  return {
    copies,
    clipboard,
    images,
    said,
    inPixels,
    go: (image: number) => (shown = image),
    draw: () => (isDrawing = true),
  };
}

describe('copy and paste', () => {
  it('takes all but predictions to another image, as a person’s boxes, in one step of undo', () => {
    const { copies, images, inPixels, go } = album([cup, fork, guess]);
    copies.copy();
    expect(copies.count).toBe(2);
    go(1);
    copies.paste();
    expect(inPixels(1)).toEqual([
      ['cup', 100, 100, 300, 200, null, false],
      ['fork', 500, 250, 501, 255, null, false],
    ]);
    expect(images[1]!.selection.map(({ label }) => label)).toEqual(['cup', 'fork']);
    expect(copies.note).toBe('');
    expect(images[1]!.undo()).toBe('Paste: 2 boxes');
    expect(inPixels(1)).toEqual([]);
    images[1]!.redo();
    expect(inPixels(1)).toHaveLength(2);
  });

  it('takes the selected ones only, a prediction among them', () => {
    const { copies, images, inPixels, go } = album([cup, fork, guess]);
    images[0]!.select(['guess']);
    copies.copy();
    go(1);
    copies.paste();
    expect(inPixels(1)).toEqual([['guess', 0, 0, 500, 500, null, false]]);
  });

  it('takes all while boxes are drawn: the last one is selected without anybody having asked', () => {
    const { copies, images, draw } = album([cup, fork]);
    images[0]!.select(['fork']);
    draw();
    copies.copy();
    expect(copies.count).toBe(2);
  });

  it('lays copies beside what lies there exactly, however often', () => {
    const { copies, inPixels } = album([cup]);
    copies.copy();
    copies.paste();
    copies.paste();
    expect(inPixels(0).map((box) => box.slice(1, 3))).toEqual([
      [100, 100],
      [110, 110],
      [120, 120],
    ]);
  });

  it('keeps the parts on an image of another size, at least a pixel of each, and says so', () => {
    const { copies, inPixels, go, said } = album([cup, fork], [], [large, small]);
    copies.copy();
    go(1);
    copies.paste();
    expect(inPixels(1)).toEqual([
      ['cup', 10, 20, 30, 40, null, false],
      ['fork', 50, 50, 51, 51, null, false],
    ]);
    expect(copies.note).toBe(
      '2 boxes added at the same relative positions: they come from an image of 1000 × 500 pixels, this one has 100 × 100 pixels. 1 would be thinner than a pixel here, and got one pixel.',
    );
    expect(said.at(-1)).toBe(copies.note);
    go(0);
    expect(copies.note).toBe('');
  });

  it('says where there is nothing to copy or to paste', () => {
    const { copies, said } = album([guess]);
    copies.copy();
    copies.paste();
    expect(said).toEqual(['There are no boxes to copy.', 'Nothing is copied yet: copy boxes first.']);
    expect(copies.note).toBe(said[1]);
  });
});

describe('boxes that go on to the next image', () => {
  it('come once that is open, without those that it has already', () => {
    const { copies, images, inPixels, clipboard } = album([cup, fork], [{ ...cup, key: 'other', confidence: null }]);
    copies.propagate();
    copies.arrive(false);
    expect(inPixels(1)).toHaveLength(1);
    copies.arrive(true);
    expect(inPixels(1)).toEqual([
      ['cup', 100, 100, 300, 200, null, false],
      ['fork', 500, 250, 501, 255, null, false],
    ]);
    expect(images[1]!.undo()).toBe('Copy from the previous image: 1 box');
    expect(inPixels(1)).toHaveLength(1);
    expect(clipboard.read()).toBeNull();
    copies.arrive(true);
    expect(inPixels(1)).toHaveLength(1);
  });

  it('come to the image that was next, also where someone went on meanwhile', () => {
    const { copies, inPixels, go } = album([cup]);
    copies.propagate();
    copies.arrive(false);
    go(0);
    copies.arrive(false);
    expect(inPixels(0)).toHaveLength(1);
    expect(inPixels(1)).toHaveLength(1);
  });

  it('stay, with words, where all are there already, and on the last image', () => {
    const { copies, inPixels, said } = album([cup], [cup]);
    copies.propagate();
    copies.arrive(true);
    expect([copies.note, inPixels(1)]).toEqual(['1 box is here already.', [['cup', 100, 100, 300, 200, 0.9, false]]]);
    copies.propagate();
    expect(said.at(-1)).toBe('This is the last image.');
  });
});
