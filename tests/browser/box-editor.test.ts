import type {} from '@vitest/browser-playwright';
import { mount, unmount } from 'svelte';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cdp, page, userEvent } from 'vitest/browser';
import '../../src/app/theme.css';
import BoxEditor from '../../src/app/data/annotate/BoxEditor.svelte';
import type { ImageBox, LabelledBox } from '../../src/evidence/capture/capture.ts';
import { BoxDrafts } from '../../src/app/data/annotate/saving/box-drafts.ts';
import type { BoxStore } from '../../src/app/data/annotate/boxes/box-store.ts';
import { BoxSync } from '../../src/app/data/annotate/saving/box-sync.svelte.ts';
import { BoxesState } from '../../src/app/data/annotate/boxes/boxes-state.svelte.ts';
import { LabelList } from '../../src/app/data/annotate/boxes/label-list.svelte.ts';
import { LABEL_COLOURS, LabelColours } from '../../src/app/kit/colours/label-colours.svelte.ts';
import { ShortcutRegistry } from '../../src/app/kit/keys/shortcut-registry.svelte.ts';
import { memoryStorage } from '../memory-storage.ts';

const [widthPx, heightPx] = [200, 150];

/** A box store in memory. */
function boxStore(saved: Map<string, ImageBox>): BoxStore {
  return {
    load: () => Promise.resolve([...saved.values()]),
    apply: (operation) => {
      const id = operation.kind === 'update' || operation.kind === 'remove' ? operation.id : crypto.randomUUID();
      if (operation.kind === 'remove' || operation.kind === 'replace') saved.delete(operation.id);
      if (operation.kind !== 'remove') saved.set(id, { ...operation.box, id });
      return Promise.resolve(id);
    },
  };
}

const value = (label: string, [x, y, width, height]: number[], confidence: number | null = null): LabelledBox => ({
  label,
  confidence,
  xMinNormalized: x! / widthPx,
  yMinNormalized: y! / heightPx,
  xMaxNormalized: (x! + width!) / widthPx,
  yMaxNormalized: (y! + height!) / heightPx,
});

let close: () => void = () => undefined;
afterEach(() => close());

/** Opens the editor with a grey image of 200×150 px and the stored boxes. */
async function openEditor(
  boxesThere: readonly LabelledBox[] = [],
  seen: readonly LabelledBox[] = [],
  moreLabels: readonly string[] = [],
) {
  const target = document.createElement('div');
  target.style.cssText = 'position: fixed; inset: 0; width: 1000px; height: 640px';
  document.body.replaceChildren(target);
  const canvas = new OffscreenCanvas(widthPx, heightPx);
  const context = canvas.getContext('2d')!;
  context.fillStyle = '#888';
  context.fillRect(0, 0, widthPx, heightPx);

  const saved = new Map(boxesThere.map((box, at) => [`id ${at}`, { ...box, id: `id ${at}` }]));
  const memory = memoryStorage();
  const boxes = new BoxesState(() => sync.edited());
  const sync: BoxSync = new BoxSync(boxes, {
    store: boxStore(saved),
    drafts: new BoxDrafts(memory),
    imageId: 'image',
    exclusively: (_, work) => work(),
  });
  await sync.open();
  const labels = new LabelList(memory);
  labels.know(['cup', 'plate', 'fork', ...moreLabels]);
  const shortcuts = new ShortcutRegistry();
  const stopListening = shortcuts.listen(window);
  const went: string[] = [];
  const editor = mount(BoxEditor, {
    target,
    context: new Map([[LABEL_COLOURS, new LabelColours(memory)]]),
    props: {
      picture: canvas.transferToImageBitmap(),
      name: 'grey.png',
      boxes,
      sync,
      labels,
      memory,
      runModel: () => Promise.resolve({ by: 'finder', boxes: seen }),
      onPrevious: () => went.push('previous'),
      onNext: () => went.push('next'),
      addShortcuts: (...keys) =>
        shortcuts.register(...keys.map((key) => ({ ...key, group: 'Data' as const, area: 'both' as const }))),
    },
  });
  close = () => {
    sync.stop();
    stopListening();
    void unmount(editor);
  };
  const stage = page.getByRole('application');
  const picture = () => document.querySelector('canvas.picture')!.getBoundingClientRect();
  await expect.poll(() => picture().width).toBeGreaterThan(300);

  /** Converts a point of the image to the stage. */
  const at = (x: number, y: number) => {
    const { left, top, width } = picture();
    const stageAt = stage.element().getBoundingClientRect();
    return { x: left - stageAt.left + (x * width) / widthPx, y: top - stageAt.top + (y * width) / widthPx };
  };
  const drag = (from: readonly [number, number], to: readonly [number, number]) =>
    userEvent.pointer([
      { target: stage, coords: at(...from), keys: '[MouseLeft>]' },
      { target: stage, coords: at((from[0] + to[0]) / 2, (from[1] + to[1]) / 2) },
      { target: stage, coords: at(...to), keys: '[/MouseLeft]' },
    ]);
  const click = (x: number, y: number) => userEvent.pointer({ target: stage, coords: at(x, y), keys: '[MouseLeft]' });
  /** The texts of the list; selected rows have a star. */
  const rows = () =>
    [...document.querySelectorAll('[data-box] > button')].map((row) => {
      const star = row.getAttribute('aria-pressed') === 'true' ? '*' : '';
      return `${star}${row.getAttribute('aria-label')}`;
    });
  const inService = async () => {
    await sync.save();
    const px = (share: number, of: number) => Math.round(share * of);
    return [...saved.values()].map(
      (box) =>
        `${box.label} ${px(box.xMinNormalized, widthPx)},${px(box.yMinNormalized, heightPx)}–${px(box.xMaxNormalized, widthPx)},${px(box.yMaxNormalized, heightPx)} ${box.confidence ?? '-'}`,
    );
  };
  return { stage, drag, click, at, rows, inService, went, memory, keys: (text: string) => userEvent.keyboard(text) };
}

beforeEach(async () => {
  await page.viewport(1000, 640);
});

describe('the mouse', () => {
  it('draws, also inside another box, and labels by digit', async () => {
    const { drag, keys, rows, inService } = await openEditor();
    await keys('n');
    await drag([20, 30], [120, 130]);
    await expect.poll(rows).toEqual(['*cup, 20, 30 · 100 × 100']);
    await drag([50, 60], [90, 80]);
    await keys('2');
    await expect.poll(rows).toEqual(['cup, 20, 30 · 100 × 100', '*plate, 50, 60 · 40 × 20']);
    expect(await inService()).toEqual(['cup 20,30–120,130 -', 'plate 50,60–90,80 -']);
  });

  it('draws by two clicks, and gives up at Escape', async () => {
    const { click, keys, rows } = await openEditor();
    await keys('n');
    await click(10, 10);
    await click(60, 40);
    await expect.poll(rows).toEqual(['*cup, 10, 10 · 50 × 30']);
    await keys('{Escape}n');
    await click(100, 100);
    await keys('{Escape}');
    await click(150, 140);
    expect(rows()).toEqual(['cup, 10, 10 · 50 × 30']);
  });

  it('draws one box after the other until Escape, unless told otherwise, which is remembered', async () => {
    const { drag, keys, rows, memory } = await openEditor();
    await keys('n');
    await drag([20, 30], [60, 60]);
    await drag([80, 30], [120, 60]);
    await expect.poll(rows).toEqual(['cup, 20, 30 · 40 × 30', '*cup, 80, 30 · 40 × 30']);
    await keys('{Escape}');
    await drag([100, 40], [105, 45]);
    await expect.poll(rows).toEqual(['cup, 20, 30 · 40 × 30', '*cup, 85, 35 · 40 × 30']);

    await page.getByRole('button', { name: /^Keep drawing/ }).click();
    expect(memory.getItem('sightglass:annotate-keeps-drawing')).toBe('false');
    await keys('n');
    await drag([20, 80], [60, 100]);
    await drag([30, 90], [40, 95]);
    await expect.poll(rows).toEqual(['cup, 20, 30 · 40 × 30', 'cup, 85, 35 · 40 × 30', '*cup, 30, 85 · 40 × 20']);
  });

  it('moves, resizes at eight handles, and keeps boxes on the image', async () => {
    const { drag, click, rows } = await openEditor([value('cup', [50, 50, 60, 40])]);
    await click(80, 70);
    await drag([80, 70], [90, 65]);
    await expect.poll(rows).toEqual(['*cup, 60, 45 · 60 × 40']);
    await drag([120, 85], [140, 95]);
    await expect.poll(rows).toEqual(['*cup, 60, 45 · 80 × 50']);
    await drag([100, 45], [100, 25]);
    await expect.poll(rows).toEqual(['*cup, 60, 25 · 80 × 70']);
    await drag([60, 60], [75, 60]);
    await expect.poll(rows).toEqual(['*cup, 75, 25 · 65 × 70']);
    await drag([100, 50], [10, 20]);
    await expect.poll(rows).toEqual(['*cup, 0, 0 · 65 × 70']);
  });

  it('selects the smallest, then what lies below it; beside all of them nothing', async () => {
    const { click, rows } = await openEditor([value('plate', [20, 20, 120, 100]), value('cup', [50, 50, 30, 30])]);
    const selected = () => rows().filter((row) => row.startsWith('*'));
    await click(65, 65);
    await expect.poll(selected).toEqual(['*cup, 50, 50 · 30 × 30']);
    await click(65, 65);
    await expect.poll(selected).toEqual(['*plate, 20, 20 · 120 × 100']);
    await click(65, 65);
    await expect.poll(selected).toEqual(['*cup, 50, 50 · 30 × 30']);
    await click(190, 140);
    await expect.poll(selected).toEqual([]);
  });

  it('zooms by the wheel about the pointer, and pans while Space is held over a box', async () => {
    const { stage, drag, at, rows, keys } = await openEditor([value('cup', [50, 50, 60, 40])]);
    await userEvent.pointer({ target: stage, coords: at(80, 70) });
    const before = at(80, 70);
    await userEvent.wheel(stage, { delta: { y: -300 } });
    const zoom = () => Number(/\d+/.exec(page.getByTitle('Show at 100 %').element().textContent!)![0]);
    await expect.poll(zoom).toBeGreaterThan(400);
    const widthBefore = at(100, 0).x - at(0, 0).x;
    await keys('{ >}');
    await drag([80, 70], [90, 70]);
    await keys('{/ }');
    expect(at(100, 0).x - at(0, 0).x).toBeCloseTo(widthBefore, 3);
    expect(rows()).toEqual(['cup, 50, 50 · 60 × 40']);
    await keys('z');
    await expect.poll(() => at(80, 70)).toEqual(before);
  });
});

describe('keys', () => {
  it('nudge, resize, duplicate, remove, undo and redo', async () => {
    const { keys, rows, inService } = await openEditor([value('cup', [50, 50, 60, 40])]);
    await keys('{Tab}{ArrowRight}{ArrowDown}');
    await keys('{Shift>}{ArrowLeft}{/Shift}');
    await expect.poll(rows).toEqual(['*cup, 41, 51 · 60 × 40']);
    await keys('{Control>}{ArrowRight}{Shift>}{ArrowUp}{/Shift}{/Control}');
    await expect.poll(rows).toEqual(['*cup, 41, 51 · 61 × 30']);
    await keys('{Control>}d{/Control}');
    await expect.poll(rows).toEqual(['cup, 41, 51 · 61 × 30', '*cup, 51, 61 · 61 × 30']);
    await keys('{Control>}a{/Control}{Delete}');
    await expect.poll(rows).toEqual([]);
    await keys('{Control>}zz{/Control}');
    await expect.poll(rows).toEqual(['*cup, 41, 51 · 61 × 30'.slice(1)]);
    await keys('{Control>}z{/Control}');
    await expect.poll(rows).toEqual(['*cup, 41, 51 · 60 × 40']);
    await keys('{Control>}z{/Control}');
    await expect.poll(rows).toEqual(['*cup, 50, 50 · 60 × 40']);
    await keys('{Control>}{Shift>}zz{/Shift}{/Control}');
    await expect.poll(rows).toEqual(['*cup, 41, 51 · 61 × 30']);
    expect(await inService()).toEqual(['cup 41,51–102,81 -']);
  });

  it('copy and paste boxes, the selected or all, and take them back', async () => {
    const { keys, rows, inService } = await openEditor([value('cup', [50, 50, 60, 40]), value('fork', [5, 5, 20, 20])]);
    await keys('{Control>}cv{/Control}');
    await expect
      .poll(rows)
      .toEqual(['cup, 50, 50 · 60 × 40', 'fork, 5, 5 · 20 × 20', '*cup, 60, 60 · 60 × 40', '*fork, 15, 15 · 20 × 20']);
    await keys('{Control>}z{/Control}{Tab}');
    await expect.poll(rows).toEqual(['*cup, 50, 50 · 60 × 40', 'fork, 5, 5 · 20 × 20']);
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.getByRole('button', { name: 'Paste 1' }).click();
    await expect.poll(rows).toEqual(['cup, 50, 50 · 60 × 40', 'fork, 5, 5 · 20 × 20', '*cup, 60, 60 · 60 × 40']);
    expect(await inService()).toEqual(['cup 50,50–110,90 -', 'fork 5,5–25,25 -', 'cup 60,60–120,100 -']);
  });

  it('leave text that is marked to be copied as text', async () => {
    const { keys } = await openEditor([value('cup', [50, 50, 60, 40])]);
    document.getSelection()!.selectAllChildren(document.querySelector('h1')!);
    await keys('{Control>}c{/Control}');
    expect(page.getByRole('button', { name: 'Paste', exact: true }).query()).not.toBeNull();
    document.getSelection()!.removeAllRanges();
    await keys('{Control>}c{/Control}');
    await expect.element(page.getByRole('button', { name: 'Paste 1' })).toBeVisible();
  });

  it('go through the boxes by Tab and on to the rest of the page', async () => {
    const { stage, keys, rows } = await openEditor([value('cup', [5, 5, 20, 20]), value('fork', [50, 50, 20, 20])]);
    stage.element().focus();
    await keys('{Tab}');
    await expect.poll(rows).toEqual(['*cup, 5, 5 · 20 × 20', 'fork, 50, 50 · 20 × 20']);
    await keys('{Tab}');
    await expect.poll(rows).toEqual(['cup, 5, 5 · 20 × 20', '*fork, 50, 50 · 20 × 20']);
    expect(document.activeElement).toBe(stage.element());
    await keys('{Tab}');
    expect(document.activeElement).not.toBe(stage.element());
  });

  it('go to other images: D and F always, arrows while nothing is selected', async () => {
    const { keys, went, rows } = await openEditor([value('cup', [50, 50, 60, 40])]);
    await keys('df{ArrowLeft}{ArrowRight}');
    expect(went).toEqual(['previous', 'next', 'previous', 'next']);
    await keys('{Tab}{ArrowRight}');
    await expect.poll(rows).toEqual(['*cup, 51, 50 · 60 × 40']);
    expect(went).toHaveLength(4);
  });

  it('hide the labels while Shift is held', async () => {
    const { keys } = await openEditor();
    const hidden = () =>
      page
        .getByRole('button', { name: /^Hide the labels/ })
        .element()
        .getAttribute('aria-pressed');
    await keys('{Shift>}');
    await expect.poll(hidden).toBe('true');
    await keys('{/Shift}');
    await expect.poll(hidden).toBe('false');
  });

  it('are not the editor’s while a field is typed in', async () => {
    const { keys, rows } = await openEditor([value('cup', [50, 50, 60, 40])]);
    await keys('{Tab}l');
    await expect.poll(() => document.activeElement?.getAttribute('aria-label')).toBe('Label');
    await keys('nad{Enter}');
    await expect.poll(rows).toEqual(['*nad, 50, 50 · 60 × 40']);
    await keys('{ArrowRight}');
    await expect.poll(rows).toEqual(['*nad, 51, 50 · 60 × 40']);
  });

  it('can be others: a clash is told and not saved, what is saved works', async () => {
    const { keys, rows } = await openEditor();
    await keys('?');
    const draw = page.getByRole('button', { name: /^Draw a box:/ });
    await draw.click();
    await keys('a');
    await expect.element(page.getByText('A would do two things: Draw a box; Accept a prediction.')).toBeVisible();
    const save = page.getByRole('button', { name: 'Save keys' });
    await expect.element(save).toBeDisabled();
    await draw.click();
    await keys('w');
    await expect.element(draw).toHaveAccessibleName('Draw a box: W. Change');
    await save.click();
    const pressed = () =>
      page.getByRole('button', { name: 'Draw', exact: true }).element().getAttribute('aria-pressed');
    await keys('n');
    expect(pressed()).toBe('false');
    await keys('w');
    await expect.poll(pressed).toBe('true');
    expect(rows()).toEqual([]);
  });
});

describe('the list of labels', () => {
  const digits = () =>
    [...document.querySelectorAll<HTMLSelectElement>('select[data-digit-of]')].map(
      ({ value: digit, dataset }) => `${digit || '–'} ${dataset['digitOf']}`,
    );

  it('sets digits by the keyboard, keeps the focus on the label, and labels by the new digit', async () => {
    const { keys, rows, memory } = await openEditor([value('cup', [50, 50, 60, 40])]);
    await expect.poll(digits).toEqual(['1 cup', '2 plate', '3 fork']);
    const fork = page.getByLabelText('Digit of fork');
    fork.element().focus();
    await keys('1');
    await expect.poll(digits).toEqual(['1 fork', '2 plate', '3 cup']);
    expect(document.activeElement).toBe(fork.element());
    expect(rows()).toEqual(['cup, 50, 50 · 60 × 40']);
    await expect.element(page.getByText('1 gives fork.')).toBeInTheDocument();

    page.getByRole('application').element().focus();
    await keys('{Tab}1');
    await expect.poll(rows).toEqual(['*fork, 50, 50 · 60 × 40']);
    await userEvent.selectOptions(page.getByLabelText('Digit of fork'), '–');
    await expect.poll(digits).toEqual(['2 plate', '3 cup', '– fork']);
    const next = new LabelList(memory);
    expect(next.labels.map((label) => next.digitOf(label))).toEqual(['2', '3', '']);
  });

  it('fills the room that the boxes leave, and brings a label that gets a digit up', async () => {
    const { keys } = await openEditor(
      [],
      [],
      Array.from({ length: 80 }, (_, at) => `thing ${at}`),
    );
    const list = page.getByRole('list', { name: 'Labels' }).element().parentElement!;
    await expect.poll(() => list.clientHeight).toBeGreaterThan(300);
    expect(document.querySelector('aside')!.scrollHeight).toBe(document.querySelector('aside')!.clientHeight);
    list.scrollTop = list.scrollHeight;
    const last = page.getByLabelText('Digit of thing 79');
    await expect.element(last).toBeVisible();
    last.element().focus();
    await keys('4');
    await expect.poll(() => digits().slice(0, 5)).toEqual(['1 cup', '2 plate', '3 fork', '4 thing 79', '5 thing 1']);
    expect(document.activeElement).toBe(last.element());
  });
});

describe('predictions', () => {
  const seen = [
    value('cup', [10, 10, 40, 40], 0.9),
    value('plate', [80, 20, 40, 40], 0.75),
    value('fork', [20, 80, 60, 20], 0.4),
  ];

  it('become boxes with their confidence, and lose it when they are corrected', async () => {
    const { keys, rows, inService } = await openEditor([], seen);
    await keys('m');
    await expect
      .poll(rows)
      .toEqual([
        'prediction cup 0.90, 10, 10 · 40 × 40',
        'prediction plate 0.75, 80, 20 · 40 × 40',
        'prediction fork 0.40, 20, 80 · 60 × 20',
      ]);
    expect(await inService()).toEqual([]);
    await keys('aa');
    await expect.poll(() => rows()[0]).toBe('cup 0.90, 10, 10 · 40 × 40');
    await keys('{ArrowRight}');
    await expect.poll(() => rows()[1]).toBe('*plate, 81, 20 · 40 × 40');
    await keys('{Escape}rr');
    await expect.poll(() => rows().length).toBe(2);
    expect(await inService()).toEqual(['cup 10,10–50,50 0.9', 'plate 81,20–121,60 -']);
    await keys('m');
    await expect.poll(() => rows().slice(2)).toEqual(['prediction fork 0.40, 20, 80 · 60 × 20']);
  });

  it('are accepted together from a confidence up, or rejected together', async () => {
    const { keys, rows, inService } = await openEditor([], seen);
    await keys('m');
    await page.getByRole('button', { name: 'Accept 2 from 0.50 up' }).click();
    await expect
      .poll(() => rows().map((row) => row.split(',')[0]))
      .toEqual(['cup 0.90', 'plate 0.75', 'prediction fork 0.40']);
    await page.getByRole('button', { name: 'Reject all' }).click();
    await expect.poll(() => rows().length).toBe(2);
    expect(await inService()).toEqual(['cup 10,10–50,50 0.9', 'plate 80,20–120,60 0.75']);
    await keys('{Control>}zz{/Control}');
    await expect.poll(() => rows().every((row) => row.replace('*', '').startsWith('prediction'))).toBe(true);
    expect(await inService()).toEqual([]);
  });
});

describe('the list', () => {
  it('adds, places, labels and removes without a mouse', async () => {
    const { keys, rows, inService } = await openEditor();
    const fill = async (name: string, text: string) => {
      const field = page.getByLabelText(name, { exact: true });
      await userEvent.fill(field, text);
      await userEvent.keyboard('{Tab}');
    };
    page.getByRole('button', { name: 'Add', exact: true }).element().focus();
    await keys('{Enter}');
    await expect.poll(rows).toEqual(['*cup, 75, 56 · 50 × 38']);
    await fill('Left edge in pixels', '12');
    await fill('Upper edge in pixels', '20.5');
    await fill('Width in pixels', '400');
    await fill('Height in pixels', '30');
    await fill('Label', 'spoon');
    await fill('Confidence', '0.5');
    await expect.poll(rows).toEqual(['*spoon 0.50, 12, 21 · 188 × 30']);
    expect(await inService()).toEqual(['spoon 12,21–200,51 0.5']);
    await fill('Confidence', '');
    expect(await inService()).toEqual(['spoon 12,21–200,51 -']);
    page.getByRole('button', { name: 'Remove', exact: true }).element().focus();
    await keys('{Enter}');
    await expect.poll(rows).toEqual([]);
    expect(await inService()).toEqual([]);
  });

  it('is one stop of Tab, and arrows go through it', async () => {
    const { keys, rows } = await openEditor([value('cup', [5, 5, 20, 20]), value('fork', [50, 50, 20, 20])]);
    document.querySelector<HTMLElement>('[data-box] > button')!.focus();
    await keys('{ArrowDown}');
    await expect.poll(rows).toEqual(['cup, 5, 5 · 20 × 20', '*fork, 50, 50 · 20 × 20']);
    expect(document.activeElement?.getAttribute('aria-label')).toContain('fork');
  });
});

describe('fingers', () => {
  it('pinch to zoom, draw in the drawing tool, and carry nothing away while they pan', async () => {
    const { stage, at, rows, keys } = await openEditor([value('cup', [50, 50, 60, 40])]);
    const frame = window.frameElement?.getBoundingClientRect();
    const scale = frame ? frame.width / innerWidth : 1;
    const onPage = (x: number, y: number, id: number) => {
      const { left, top } = stage.element().getBoundingClientRect();
      const point = at(x, y);
      const [inX, inY] = [left + point.x, top + point.y];
      return { x: (frame?.left ?? 0) + inX * scale, y: (frame?.top ?? 0) + inY * scale, id };
    };
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...points: ReturnType<typeof onPage>[]) =>
      cdp().send('Input.dispatchTouchEvent', { type, touchPoints: points });
    const swipe = async (from: [number, number], to: [number, number]) => {
      const [start, end] = [onPage(...from, 0), onPage(...to, 0)];
      await touch('touchStart', start);
      await touch('touchMove', { ...start, x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 });
      await touch('touchMove', end);
      await touch('touchEnd');
    };
    const before = at(100, 0).x - at(0, 0).x;
    await swipe([80, 70], [90, 80]);
    expect(rows()).toEqual(['cup, 50, 50 · 60 × 40']);

    const [left, right] = [onPage(60, 60, 0), onPage(120, 60, 1)];
    await touch('touchStart', left, right);
    await touch('touchMove', { ...left, x: left.x - 30 }, { ...right, x: right.x + 30 });
    await touch('touchEnd');
    await expect.poll(() => at(100, 0).x - at(0, 0).x).toBeGreaterThan(before * 1.2);
    await keys('zn');
    await expect.poll(() => at(100, 0).x - at(0, 0).x).toBe(before);
    await swipe([10, 10], [40, 30]);
    await expect.poll(rows).toEqual(['cup, 50, 50 · 60 × 40', '*cup, 10, 10 · 30 × 20']);
    await keys('n');
    for (const corner of [onPage(120, 10, 0), onPage(150, 40, 0)]) {
      await touch('touchStart', corner);
      await touch('touchEnd');
    }
    await expect.poll(() => rows()[2]).toBe('*cup, 120, 10 · 30 × 30');
  });
});

describe('the box editor with hundreds of boxes', () => {
  const many = Array.from({ length: 450 }, (_, at) =>
    value(`cup ${at}`, [(at % 30) * 6, Math.floor(at / 30) * 9, 4, 6]),
  );

  it('lists them by pages, and goes from one to the next by keys and by what is chosen on the image', async () => {
    const { click, rows } = await openEditor(many);
    const told = () => page.getByRole('group', { name: 'Rows of the list' });
    await expect.element(told()).toHaveTextContent('1–200 of 450');
    expect(rows()).toHaveLength(200);
    (document.querySelector('[data-box="id 199"] > button') as HTMLElement).focus();
    await userEvent.keyboard('{ArrowDown}');
    await expect.element(told()).toHaveTextContent('201–400 of 450');
    expect(document.activeElement?.closest('li')?.dataset['box']).toBe('id 200');
    await userEvent.keyboard('{End}');
    await expect.element(told()).toHaveTextContent('401–450 of 450');
    expect(rows().filter((row) => row.startsWith('*'))).toEqual([expect.stringMatching(/^\*cup 449,/)]);
    await click(2, 3);
    await expect.element(told()).toHaveTextContent('1–200 of 450');
    expect(rows()[0]).toMatch(/^\*cup 0,/);
    await page.getByRole('button', { name: 'Further boxes' }).click();
    await expect.element(told()).toHaveTextContent('201–400 of 450');
  });

  it('draws those that rest once, however one points and drags', async () => {
    const { click, at } = await openEditor(many);
    await click(2, 3);
    await expect.poll(() => document.querySelector('li.selected')).not.toBeNull();
    await new Promise(requestAnimationFrame);
    const stage = page.getByRole('application');
    const { strokeRect } = CanvasRenderingContext2D.prototype;
    let strokes = 0;
    CanvasRenderingContext2D.prototype.strokeRect = function (...sides) {
      strokes += 1;
      strokeRect.apply(this, sides);
    };
    close = ((before) => () => {
      CanvasRenderingContext2D.prototype.strokeRect = strokeRect;
      before();
    })(close);
    await userEvent.pointer([
      { target: stage, coords: at(2, 3), keys: '[MouseLeft>]' },
      { target: stage, coords: at(40, 40) },
      { target: stage, coords: at(80, 60) },
    ]);
    await new Promise(requestAnimationFrame);
    expect(strokes).toBeGreaterThan(0);
    expect(strokes).toBeLessThan(many.length);
    await userEvent.pointer([{ target: stage, coords: at(80, 60), keys: '[/MouseLeft]' }]);
  });
});
