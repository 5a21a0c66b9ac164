import type {} from '@vitest/browser-playwright';
import { mount, unmount } from 'svelte';
import { afterEach, describe, expect, it } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import '../../src/app/theme.css';
import GraphDialog from '../../src/app/bench/graph/GraphDialog.svelte';
import { GraphLoader } from '../../src/app/bench/graph/graph-loader.svelte.ts';
import { fitModel } from '../../src/models/fit/fit-model.ts';
import { GraphBuilder } from '../../src/models/onnx/edit-model.ts';
import { openGraph } from '../../workers/model-graph/client.ts';
import { yoloV8Model } from '../fit/yolo-v8-model.ts';

const startWorker = () =>
  new Worker(new URL('../../workers/model-graph/entry.ts', import.meta.url), { type: 'module' });

/** A model with two outputs after a chain of `length` operators. */
function forkedModel(length: number): Uint8Array<ArrayBuffer> {
  const build = new GraphBuilder();
  let trunk = build.input('images', 'float32', [1, 3, 8, 8]);
  for (let at = 0; at < length; at++) trunk = build.add('Relu', [trunk]);
  build.output('boxes', build.add('Transpose', [trunk], { perm: { ints: [0, 2, 3, 1] } }), 'float32', [1, 8, 8, 3]);
  build.output('scores', build.add('Sigmoid', [trunk]), 'float32', [1, 3, 8, 8]);
  return build.build({ graphName: 'g', producer: 'pytorch', opset: 18 });
}

const mounted: Record<string, unknown>[] = [];
let loader: GraphLoader;
afterEach(() => {
  mounted.splice(0).forEach((component) => void unmount(component));
  loader.close();
});

async function show(bytes: BlobPart, fileName = 'net.onnx'): Promise<void> {
  loader = new GraphLoader(async (source) => openGraph(startWorker, source));
  await loader.open({ fileName, source: { kind: 'file', file: new File([bytes], fileName) } });
  const props = { bench: { graph: loader } as never, session: loader.session! };
  mounted.push(mount(GraphDialog, { target: document.body, props }));
}

const count = () => page.getByRole('dialog').getByRole('status');
const textOf = (locator: Locator) => expect.poll(() => locator.query()?.textContent ?? '');
const focused = () => document.activeElement?.getAttribute('aria-label');
const side = page.getByRole('region', { name: 'The chosen node' });

async function focusNode(name: string | RegExp): Promise<void> {
  const node = page
    .getByRole('group', { name: /^Graph of/ })
    .getByRole('button', { name })
    .first();
  await expect.element(node).toBeInTheDocument();
  (node.element() as SVGElement).focus();
}

describe('the graph of a model', () => {
  it('is walked by the keyboard, with one stop for Tab, and tells of each node', async () => {
    await show(forkedModel(30));
    await textOf(count()).toMatch(/22 of 34 operators/);
    const stops = () => [...document.querySelectorAll('[data-node][tabindex="0"]')];
    expect(stops()).toHaveLength(1);
    await focusNode(/^scores/);
    await textOf(side).toMatch(/float32 1 × 3 × 8 × 8/);
    await userEvent.keyboard('{ArrowUp}{ArrowUp}');
    expect(focused()).toBe('Sigmoid, activation');
    await userEvent.keyboard('{ArrowUp}');
    expect(focused()).toBe('Relu, activation');
    await userEvent.keyboard('{Home}');
    expect(focused()).toContain('images float32 1 × 3 × 8 × 8, input');
    expect(stops().map((stop) => stop.getAttribute('aria-label'))).toEqual([focused()]);
    const reached = new Set<Element>();
    for (let step = 0; step < 40; step++) {
      reached.add(document.activeElement!);
      await userEvent.keyboard('{ArrowRight}');
    }
    expect(reached.size).toBe(document.querySelectorAll('[data-node]').length);
    await focusNode('Transpose, shape');
    await textOf(side).toMatch(/perm \[0, 2, 3, 1\]/);
  });

  it('unfolds a step at a time, and folds again', async () => {
    await show(forkedModel(60));
    await textOf(count()).toMatch(/22 of 64 operators/);
    await focusNode(/^… 42 operators/);
    await userEvent.keyboard('{Enter}');
    await textOf(count()).toMatch(/34 of 64 operators/);
    await expect.poll(focused).toMatch(/^… 30 operators/);
    await side.getByRole('button', { name: 'Show the next 12' }).click();
    await textOf(count()).toMatch(/46 of 64 operators/);
    await page.getByRole('button', { name: 'Fold again' }).click();
    await page.getByRole('button', { name: 'Fold again' }).click();
    await textOf(count()).toMatch(/22 of 64 operators/);
    await expect.element(page.getByRole('button', { name: 'Fold again' })).toBeDisabled();
  });

  it('lets stand out what an output comes from, in the drawing and in the list', async () => {
    await show(forkedModel(3));
    await focusNode(/^boxes/);
    await userEvent.keyboard('{Enter}');
    const faint = () => [...document.querySelectorAll('.node.faint')].map((node) => node.getAttribute('aria-label'));
    await expect
      .poll(faint)
      .toEqual(['Sigmoid, activation', 'Identity, shape', 'scores float32 1 × 3 × 8 × 8, output']);
    await page.getByRole('tab', { name: 'List' }).click();
    const items = page.getByRole('list', { name: 'Graph of net.onnx' });
    await textOf(items).toMatch(/Transpose, shape ?from Relu/);
    expect(items.element().textContent).not.toContain('Sigmoid');
    await page.getByRole('combobox', { name: 'Output that is traced' }).selectOptions('All outputs');
    await textOf(items).toMatch(/Sigmoid, activation ?from Relu/);
  });

  it('is zoomed by wheel and keys, and panned by keys', async () => {
    await show(forkedModel(3));
    await focusNode(/^boxes/);
    const percent = () => Number(page.getByTitle('Show at 100 %').element().textContent!.replace('%', ''));
    await userEvent.keyboard('0');
    const before = percent();
    await userEvent.keyboard('++');
    expect(percent()).toBeGreaterThan(1.4 * before);
    const drawing = document.querySelector('.desk')!;
    drawing.dispatchEvent(
      new WheelEvent('wheel', { deltaY: 400, clientX: 300, clientY: 300, bubbles: true, cancelable: true }),
    );
    await expect.poll(percent).toBeLessThan(1.4 * before);
    await userEvent.keyboard('++');
    const place = () => document.querySelector('.desk svg > g')!.getAttribute('transform');
    const was = place();
    await userEvent.keyboard('{Shift>}{ArrowUp}{/Shift}');
    expect(place()).not.toBe(was);
    await userEvent.keyboard('0');
    await expect.poll(percent).toBe(before);
  });

  it('tells what fitting added from what was there', async () => {
    const { model } = fitModel(yoloV8Model([{ centreX: 20, centreY: 30, width: 16, height: 8, scores: [0.9, 0.1] }]));
    await show(model);
    await textOf(page.getByRole('list', { name: 'Colours' })).toMatch(/added by Sightglass/);
    const added = [...document.querySelectorAll('.node.added')].map((node) => node.getAttribute('aria-label'));
    expect(added).toContain('NonMaxSuppression, selection, added by Sightglass');
    const own = [...document.querySelectorAll('.node.operator:not(.added)')].map((node) =>
      node.getAttribute('aria-label'),
    );
    expect(own).toContain('Sigmoid, activation');
  });

  it('says in words why a file cannot be read', async () => {
    await show('no model');
    await textOf(page.getByRole('alert')).toMatch(/This is not an ONNX model\./);
  });

  it('draws what is near an output of ten thousand operators, not the trunk', async () => {
    await show(forkedModel(10_000));
    await textOf(count()).toMatch(/22 of 10,004 operators/);
    expect(document.querySelectorAll('.node.operator')).toHaveLength(22);
  });
});
