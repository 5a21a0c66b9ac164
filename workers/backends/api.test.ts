import { strFromU8, unzipSync } from 'fflate';
import { expect, it } from 'vitest';
import { visionServiceConfig } from '../../tests/machine-configs.ts';
import { blankFont } from '../../tests/machine-fixture.ts';
import { channelMeansClassifier } from '../../tests/models.ts';
import type { InferenceSession } from '../../src/machine/vision/inference/inference-session.ts';
import { patternFrame } from '../../src/machine/vision/frame/pattern-frame.ts';
import { referenceStretchKernel } from '../../src/machine/vision/preprocess/preprocess.ts';
import { openSession } from '../../src/platform/node/open-session.ts';
import type { PictureIo } from '../../src/platform/ports/picture-io.ts';
import { createBackendsApi } from './api.ts';
import type { SideKind, SideTask } from './protocol.ts';

type Outputs = Awaited<ReturnType<InferenceSession['run']>>;

const model = channelMeansClassifier();

/** The worker on Node's runtime; what the GPU gives of a run can be altered. */
function backends(onGpu: (outputs: Outputs) => Outputs = (outputs) => outputs) {
  const open: SideKind[] = [];
  const opened: string[] = [];
  const api = createBackendsApi({
    store: null as never,
    fetch: () => Promise.reject(new Error('Nothing is fetched.')),
    nowMs: () => 0,
    versions: { ort: '1.30.0', browser: 'Chromium 156' },
    runtimeOf: (kind) => ({
      lastRunMs: kind === 'webgpu' ? 4 : 9,
      open: async (bytes, backend) => {
        const session = await openSession(bytes);
        open.push(kind);
        opened.push(backend);
        return {
          inputs: session.inputs,
          outputs: session.outputs,
          run: async (feeds) => {
            const outputs = await session.run(feeds);
            return kind === 'webgpu' ? onGpu(outputs) : outputs;
          },
          release: async () => {
            open.splice(open.indexOf(kind), 1);
            await session.release();
          },
        };
      },
    }),
    load: async () => ({
      kernel: referenceStretchKernel,
      font: blankFont,
      pictures: { read: (async () => patternFrame('rgba8', 21, 11)) as PictureIo['read'] },
    }),
  });
  return { api, open, opened };
}

const side = (kind: SideKind, threshold = 0): SideTask => ({
  kind,
  source: { kind: 'file', file: new File([model], 'means.onnx') },
  vision: visionServiceConfig({ defaultMinimumConfidence: threshold }),
  labels: ['red', 'green', 'blue'],
});
const pictures = ['a.png', 'b.png'].map((name) => ({ name, content: new Blob() }));
const task = {
  config: { cameras: [], visionServices: [] },
  cameraName: null,
  reference: side('threads'),
  other: side('webgpu'),
  pictures,
};

it('finds both sides the same, tells how far it is, and closes both', async () => {
  const { api, open, opened } = backends();
  const told: number[] = [];
  const found = await api.compare(task, '', (fraction) => void told.push(fraction));
  expect(found).toMatchObject({
    pictures: [
      { name: 'a.png', agrees: true, kept: { reference: 3, other: 3 }, outputs: 0 },
      { name: 'b.png', agrees: true },
    ],
    unreadable: { reference: '', other: '' },
    medianMs: { reference: 9, other: 4 },
  });
  expect([told, open, opened]).toEqual([[0, 0.5], [], ['wasm', 'webgpu']]);
});

it('compares at the thresholds of each side, not by tensors alone', async () => {
  const moved = (outputs: Outputs): Outputs =>
    Object.fromEntries(
      Object.entries(outputs).map(([name, tensor]) => [
        name,
        {
          ...tensor,
          data: Float32Array.from(tensor.data as Float32Array, (value, at) => (at === 0 ? value + 0.5 : value)),
        },
      ]),
    );
  const { api } = backends(moved);
  const { pictures: whole } = await api.compare(task, '', () => undefined);
  expect(whole[0]).toMatchObject({ agrees: false, lost: 0 });
  const high = { ...task, reference: side('threads', 2), other: side('webgpu', 2) };
  expect((await api.compare(high, '', () => undefined)).pictures[0]).toMatchObject({
    agrees: true,
    kept: { reference: 0, other: 0 },
    outputs: expect.any(Number),
  });
  const apart = { ...task, reference: side('threads', 0), other: side('threads', 2) };
  const [first] = (await api.compare(apart, '', () => undefined)).pictures;
  expect(first).toMatchObject({ agrees: false, kept: { reference: 3, other: 0 }, lost: 3, outputs: 0 });
});

it('finds the first node that differs, with its numbers and a case to report it by', async () => {
  const moved = (outputs: Outputs): Outputs =>
    Object.fromEntries(
      Object.entries(outputs).map(([name, tensor]) => [
        name,
        // As a wrong mean would be: the node before it gives a picture, whose values stay.
        tensor.data.length > 3
          ? tensor
          : { ...tensor, data: Float32Array.from(tensor.data as Float32Array, (v) => v + 0.5) },
      ]),
    );
  const { api, open } = backends(moved);
  const runs: number[] = [];
  const names = { reference: 'WASM', other: 'WebGPU' };
  const found = await api.findDifference(task, names, '', (run) => void runs.push(run));
  expect(found.says).toMatch(/^The first wrong part is ReduceMean/);
  expect(found.pair).toMatchObject({ difference: { largest: expect.closeTo(0.5, 5) }, planes: { widthPx: 3 } });
  expect(Math.max(...runs)).toBeLessThanOrEqual(20);
  expect(found.runs).toBe(runs.length);
  const zip = unzipSync(new Uint8Array(await found.caseZip!.arrayBuffer()));
  expect(Object.keys(zip)).toEqual(expect.arrayContaining(['model.onnx', 'case.json', 'README.md', 'index.html']));
  expect(strFromU8(zip['case.json']!)).toContain('Chromium 156');
  expect(open).toEqual([]);
});

it('cuts nothing out where both give the same', async () => {
  const { api } = backends();
  const found = await api.findDifference(task, { reference: 'A', other: 'B' }, '', () => undefined);
  expect(found).toMatchObject({ says: 'B gives what A gives.', pair: null, caseZip: null });
  // the second picture is run before the first
  const alone = { ...task, pictures: pictures.slice(0, 1) };
  const { runs } = await api.findDifference(alone, { reference: 'A', other: 'B' }, '', () => undefined);
  expect(found.runs).toBeGreaterThan(runs);
});

it('says why a side gives neither boxes nor classes, and goes by its tensors', async () => {
  const { api } = backends();
  const unread = { ...side('webgpu'), vision: visionServiceConfig({ remapOutputNames: { none: 'probability' } }) };
  const found = await api.compare({ ...task, other: unread }, '', () => undefined);
  expect(found.unreadable).toEqual({ reference: '', other: expect.stringMatching(/./) as string });
  expect(found.pictures[0]).toMatchObject({ kept: null, agrees: true });
});

it('looks into no model of LiteRT, whichever side it is of', async () => {
  const { api } = backends();
  const lite = Uint8Array.of(0, 0, 0, 0, ...Array.from('TFL3', (letter) => letter.charCodeAt(0)), 0, 0, 0, 0);
  const other: SideTask = { ...side('webgpu'), source: { kind: 'file', file: new File([lite], 'x.tflite') } };
  for (const sides of [{ other }, { reference: other }])
    await expect(
      api.findDifference({ ...task, ...sides }, { reference: 'A', other: 'B' }, '', () => undefined),
    ).rejects.toThrow('LiteRT shows no tensors inside');
});

it('closes what is open where the other side cannot be opened, and says why', async () => {
  const { api, open } = backends();
  const broken: SideTask = { ...side('webgpu'), source: { kind: 'file', file: new File(['no model'], 'x.onnx') } };
  await expect(api.compare({ ...task, other: broken }, '', () => undefined)).rejects.toThrow();
  expect(open).toEqual([]);
});
