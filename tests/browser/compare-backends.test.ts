import type {} from '@vitest/browser-playwright';
import axe from 'axe-core';
import { mount, unmount } from 'svelte';
import { afterEach, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import '../../src/app/theme.css';
import BackendsDialog from '../../src/app/bench/backends/BackendsDialog.svelte';
import type { BackendsPort } from '../../src/app/bench/backends/backends-port.ts';
import { compareBackends, findDifference } from '../../workers/backends/client.ts';
import { visionServiceConfig } from '../machine-configs.ts';
import { channelMeansClassifier } from '../models.ts';

let close: () => void = () => undefined;
afterEach(() => {
  close();
  delete document.documentElement.dataset['theme'];
});

const base = `${location.origin}/`;
const inWorker: BackendsPort = {
  compareBackends: (...asked) => compareBackends(...asked, base),
  findDifference: (...asked) => findDifference(...asked, base),
};

async function pictureOf(colour: string): Promise<Blob> {
  const canvas = new OffscreenCanvas(48, 32);
  const context = canvas.getContext('2d')!;
  context.fillStyle = colour;
  context.fillRect(0, 0, 48, 32);
  return canvas.convertToBlob({ type: 'image/png' });
}

const model = { modelId: 'a', sha256: 'a', fileName: 'means.onnx', format: { name: 'onnx' }, backend: 'wasm' };
const opened: number[] = [];

async function show(compare = inWorker.compareBackends) {
  const file = new File([channelMeansClassifier()], 'means.onnx');
  const view = { backendsOpen: true };
  const frames = ['red', 'green', 'blue'].map((name) => ({ name: `${name}.png`, blob: () => pictureOf(name) }));
  const bench = {
    view,
    openBackends: async () => ({ ...inWorker, compareBackends: compare }),
    config: { service: visionServiceConfig({ name: 'v' }) },
    models: { of: () => model, sourceOf: () => ({ kind: 'file', file }), stored: [] },
    plan: {
      config: { cameras: [], visionServices: [] },
      cameraName: null,
      models: { v: { labels: ['red', 'green', 'blue'] } },
    },
    serviceName: 'v',
    session: {
      current: null,
      capabilities: { wasmThreads: 2, webgpu: { available: false, adapter: '', emulated: false, reason: '' } },
    },
    shelf: null,
    sources: {
      kind: 'stills',
      title: '3 pictures',
      stills: { index: 0, frames },
      selectStill: async (index: number) => void opened.push(index),
    },
  } as never;
  document.body.replaceChildren();
  const shown = mount(BackendsDialog, { target: document.body, props: { bench } });
  close = () => void unmount(shown);
  await expect.element(page.getByRole('dialog')).toBeVisible();
  return view;
}

it('compares one thread with several over the pictures of the strip, by keys alone, and opens a frame', async () => {
  const view = await show();
  const start = page.getByRole('button', { name: 'Compare', exact: true });
  start.element().focus();
  await userEvent.keyboard('{Enter}');
  await expect
    .element(page.getByText('Both say the same of 3 frames at the tuned thresholds, but for rounding.'), {
      timeout: 30_000,
    })
    .toBeVisible();
  const table = page.getByRole('table', { name: 'Agreement, frame by frame' });
  await expect.element(table.getByRole('row').nth(1)).toHaveTextContent('red.png 3 · 3000.0000.0e+0');
  for (const theme of ['light', 'dark']) {
    document.documentElement.dataset['theme'] = theme;
    await Promise.all(document.getAnimations().map(({ finished }) => finished)); // colours fade from one theme to the other
    const { violations } = await axe.run(document.body, { rules: { region: { enabled: false } } });
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
  }
  await page.getByRole('button', { name: 'Find the first node that differs' }).click();
  await expect
    .element(page.getByText('WASM, 2 threads gives what WASM, one thread gives.'), { timeout: 30_000 })
    .toBeVisible();
  await table.getByRole('button', { name: 'green.png' }).click();
  expect([opened, view.backendsOpen]).toEqual([[1], false]);
});

it('refuses two sides that are the same', async () => {
  await show();
  await page.getByRole('combobox', { name: 'Second: runs on' }).selectOptions('WASM, one thread');
  await expect.element(page.getByRole('button', { name: 'Compare', exact: true })).toBeDisabled();
  await expect.element(page.getByText(/Both sides are the same/)).toBeVisible();
});

it('ends the run where the dialog is closed, or cancelled', async () => {
  const signals: AbortSignal[] = [];
  await show((_task, _tell, signal) => {
    signals.push(signal);
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
  });
  const start = page.getByRole('button', { name: 'Compare', exact: true });
  await start.click();
  await expect.poll(() => signals.length).toBe(1);
  await page.getByRole('button', { name: 'Cancel' }).click();
  expect(signals[0]!.aborted).toBe(true);
  await start.click();
  await expect.poll(() => signals.length).toBe(2);
  close();
  close = () => undefined;
  await expect.poll(() => signals[1]!.aborted).toBe(true);
});
