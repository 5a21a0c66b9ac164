import type {} from '@vitest/browser-playwright';
import axe from 'axe-core';
import { mount, tick, unmount } from 'svelte';
import { afterEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import '../../src/app/theme.css';
import { frameStages } from '../../src/models/profile/frame-times.ts';
import ProfileDialog from '../../src/app/bench/profile/ProfileDialog.svelte';
import { operatorsOf } from '../../src/app/bench/profile/operator-run.svelte.ts';
import { ProfileState, type ProfileModel } from '../../src/app/bench/profile/profile-state.svelte.ts';
import { profileModel } from '../../workers/model-profile/client.ts';
import type { FrameResult, ModelDescription } from '../../workers/vision/protocol.ts';

let close: () => void = () => undefined;
afterEach(() => {
  close();
  delete document.documentElement.dataset['theme'];
});

const onnx = { fileName: 'face-detector.onnx', format: { name: 'onnx' }, backend: 'wasm' } as ModelDescription;
const inWorker = {
  decodeMs: 3,
  transformMs: 0,
  preprocessMs: 4,
  modelWaitMs: 6,
  inferenceMs: 60,
  postprocessMs: 1,
  pictureMs: 4,
};
/** Grey input tensors, new for each run because profiling transfers them. */
const grayFeeds = () =>
  ({ image: { dtype: 'float32', shape: [1, 3, 128, 128], data: new Float32Array(3 * 128 * 128).fill(0.5) } }) as const;

const startWorker = (): Worker =>
  new Worker(new URL('../../workers/model-profile/entry.ts', import.meta.url), { type: 'module' });
const runModel: ProfileModel = (...asked) => profileModel(startWorker, ...asked, `${location.origin}/`);

interface Given {
  readonly frames?: number;
  readonly model?: ModelDescription | null;
  readonly run?: ProfileModel;
}

async function show({ frames = 40, model = onnx, run = runModel }: Given = {}) {
  let tell: (result: FrameResult) => void = () => undefined;
  const client = {
    modelFeeds: () => Promise.resolve(grayFeeds()),
    onResult: (listener: typeof tell) => {
      tell = listener;
      return () => undefined;
    },
  };
  const profile = new ProfileState({ source: () => 'Webcam', model: () => model }, client, run);
  const see = (inferenceMs: number): void => {
    const inside = 18 + inferenceMs;
    profile.times.answered({ ...inWorker, inferenceMs }, { offeredAtMs: 0, givenAtMs: 10, answeredAtMs: 15 + inside });
    profile.times.filtered(0.5);
    profile.times.drawn(16.5 + inside, 17 + inside);
  };
  for (let frame = 0; frame < frames; frame++) see(60);
  profile.open();
  const bench = {
    profile,
    serviceName: 'detector',
    sources: { title: 'Webcam' },
    models: { of: () => model, sourceOf: () => ({ kind: 'builtin', id: 'face-detector' }) },
    session: { current: null },
  } as never;
  document.body.replaceChildren();
  const shown = mount(ProfileDialog, { target: document.body, props: { bench } });
  close = () => void unmount(shown);
  await expect.element(page.getByRole('dialog')).toBeVisible();
  return { profile, see, tell };
}

const cells = (row: HTMLTableRowElement): string[] => [...row.cells].map((cell) => cell.textContent.trim());
const rowsOf = (caption: string): string[][] => {
  const table = [...document.querySelectorAll('table')].find((one) => one.caption?.textContent === caption)!;
  return [...table.tBodies[0]!.rows].map(cells);
};
const stageTable = 'The stages of a frame’s way, in their order';

describe('the profile', () => {
  it('says the bar in numbers: a row a stage, and the whole', async () => {
    await show();
    const rows = rowsOf(stageTable);
    expect(rows).toHaveLength(frameStages.length);
    expect(rows[4]).toEqual(['Inference The model runs', '60 ms', '60 ms', '63 %']);
    expect(rows[3]!.slice(1)).toEqual(['16 ms', '16 ms', '17 %']);
    await expect.element(page.getByText(/Most of it is inference: 63 %\./)).toBeVisible();
    expect(document.querySelector('tfoot')!.textContent).toContain('95 ms');
  });

  it('draws each stage as wide as its share', async () => {
    await show();
    const bar = document.querySelector<HTMLElement>('[aria-hidden="true"]:has(> [title])')!;
    const drawn = [...bar.children].map((part) => part.getBoundingClientRect().width / bar.clientWidth);
    expect(drawn.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 2);
    expect(Math.max(...drawn)).toBeCloseTo(60 / 95.5, 1);
  });

  it('goes on while frames come', async () => {
    const { profile, see } = await show({ frames: 1 });
    for (let frame = 0; frame < 9; frame++) see(120);
    profile.refresh();
    await tick();
    expect(rowsOf(stageTable)[4]!.slice(1)).toEqual(['120 ms', '120 ms', '77 %']);
    await expect.element(page.getByText(/10 frames of Webcam/)).toBeVisible();
  });

  it('says what is measured where the GPU packs what the model is fed: orders, and all that it does in the inference', async () => {
    const { profile, tell } = await show();
    const marks = { offeredAtMs: 0, givenAtMs: 0, answeredAtMs: 90 };
    const placement = { steps: [], packing: { where: 'gpu', because: '' } };
    tell({ timings: inWorker, ...marks, placement } as unknown as FrameResult);
    profile.refresh();
    await tick();
    const named = rowsOf(stageTable).map(([name]) => name);
    expect(named[2]).toBe('Orders The frame goes to the GPU, with orders to run steps, stretch and pack');
    expect(named[4]).toBe(
      'Inference The GPU runs steps, stretch, pack and the model, draws the pictures, and tells no time of its own',
    );
  });

  it('leaves the stage beside it as bright as it is', async () => {
    await show();
    const { backgroundColor } = getComputedStyle(document.querySelector('dialog')!, '::backdrop');
    expect(backgroundColor).toBe('rgba(0, 0, 0, 0)');
  });

  it('says that nothing was seen, and exports nothing then', async () => {
    await show({ frames: 0, model: null });
    await expect.element(page.getByText(/No frame was seen yet/)).toBeVisible();
    await expect.element(page.getByRole('button', { name: 'Export as JSON' })).toBeDisabled();
    await expect.element(page.getByText(/No model runs on the stage\./)).toBeVisible();
  });

  it('says of which models the runtime tells nothing', async () => {
    await show({ model: { ...onnx, format: { name: 'tflite', schemaVersion: 3, signatures: [] } } });
    await expect.element(page.getByText(/does not report how long each operator takes/)).toBeVisible();
    expect(page.getByRole('button', { name: 'Profile this model' }).elements()).toEqual([]);
  });

  it('says of which models only a live machine knows', async () => {
    await show({ model: { ...onnx, format: null, backend: 'live' } });
    await expect.element(page.getByText(/A live machine runs this model/)).toBeVisible();
  });

  it('runs the model in a worker of its own, operator by operator', async () => {
    const { profile } = await show();
    await userEvent.click(page.getByRole('button', { name: 'Profile this model' }));
    await expect.element(page.getByRole('button', { name: 'Profile it again' })).toBeVisible();
    const found = operatorsOf(profile).foundOf(onnx)!;
    expect(found).toMatchObject({ backend: 'wasm', isIsolated: true });
    expect(found.runs).toBeGreaterThanOrEqual(3);
    const names = found.operators.map(({ operator }) => operator);
    expect(names).toContain('FusedConv');
    expect(names).toContain('NonMaxSuppression');
    // The operators' times must not exceed the time of the run, otherwise something is counted twice.
    const told = found.operators.reduce((sum, { medianMs }) => sum + medianMs, 0);
    expect(told).toBeGreaterThan(0);
    expect(told).toBeLessThan(found.run.p95Ms);
    expect(rowsOf('Operators of the model, the slowest first').map(([name]) => name)).toEqual(names);
  });

  it('runs a model that is slow three times', async () => {
    const { profile } = await show({ run: (task, ...told) => runModel({ ...task, budgetMs: 1 }, ...told) });
    await userEvent.click(page.getByRole('button', { name: 'Profile this model' }));
    await expect.element(page.getByRole('button', { name: 'Profile it again' })).toBeVisible();
    expect(operatorsOf(profile).foundOf(onnx)!.runs).toBe(3);
  });

  it('ends a run by a click, and says nothing of it', async () => {
    let isEnded = false;
    await show({
      run: (_task, onProgress, signal) =>
        new Promise((_resolve, reject) => {
          onProgress(0.25);
          signal.addEventListener('abort', () => {
            isEnded = true;
            reject(signal.reason as Error);
          });
        }),
    });
    await userEvent.click(page.getByRole('button', { name: 'Profile this model' }));
    await expect.element(page.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '25');
    await userEvent.click(page.getByRole('button', { name: 'Cancel' }));
    await expect.element(page.getByRole('button', { name: 'Profile this model' })).toBeVisible();
    expect(isEnded).toBe(true);
    expect(document.querySelector('[role="alert"]')).toBeNull();
  });

  it('says why the model could not be run', async () => {
    await show({ run: () => Promise.reject(new Error('The model file is gone.')) });
    await userEvent.click(page.getByRole('button', { name: 'Profile this model' }));
    await expect.element(page.getByText(/The model could not be profiled: The model file is gone\./)).toBeVisible();
  });

  describe.each(['light', 'dark'] as const)('in %s', (theme) => {
    it.each([
      [1440, 900],
      [390, 844],
    ])('is for everyone at %d × %d', async (widthPx, heightPx) => {
      await page.viewport(widthPx, heightPx);
      document.documentElement.dataset['theme'] = theme;
      const times = {
        runs: 20,
        run: { medianMs: 9, p95Ms: 10 },
        backend: 'webgpu',
        threads: 1,
        isIsolated: true,
      } as const;
      const node = { node: `/model/${'up/'.repeat(30)}Resize`, operator: 'Resize', onGpu: true, medianMs: 6, share: 1 };
      await show({ run: () => Promise.resolve({ ...times, nodes: [node, node], operators: [{ ...node, count: 2 }] }) });
      await userEvent.click(page.getByRole('button', { name: 'Profile this model' }));
      await expect.element(page.getByText(/This model spends 100 % in Resize\./)).toBeVisible();
      await userEvent.click(page.getByText(/The slowest nodes of the graph/));
      const violations = async () => (await axe.run(document.querySelector('dialog')!)).violations;
      // What scrolls can be focused as soon as its size is seen, which is after the frame that shows it.
      await expect
        .poll(async () => (await violations()).map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]))
        .toEqual([]);
      const content = document.querySelector('dialog .content')!;
      expect(content.scrollWidth).toBeLessThanOrEqual(content.clientWidth);
    });
  });
});
