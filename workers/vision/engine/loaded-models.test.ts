import { describe, expect, it } from 'vitest';
import { modelOfShape } from '../../../tests/hostile-models.ts';
import { GraphBuilder } from '../../../src/models/onnx/edit-model.ts';
import type { Backend } from '../../../src/platform/ports/inference-runtime.ts';
import type { BackendChoice, LoadProgress, ModelDescription } from '../protocol.ts';
import { InferenceError } from '../../../src/machine/vision/errors/inference-error.ts';
import type { FrameIntake, InferenceSession } from '../../../src/machine/vision/inference/inference-session.ts';
import { referenceStretchKernel } from '../../../src/machine/vision/preprocess/preprocess.ts';
import type { BackendDecision, KeptAdmission } from '../../../src/platform/ports/backend-decisions.ts';
import { LoadedModels } from './loaded-models.ts';
import { BrowserStoreError } from '../../../src/platform/ports/browser-store-error.ts';
import type { ModelStore } from '../../../src/platform/ports/model-store.ts';
import { testCard } from './warm-up.ts';

const graph = new GraphBuilder();
graph.output('y', graph.input('image', 'float32', [1, 3, 2, 2]), 'float32', [1, 3, 2, 2]);
const model = graph.build({ graphName: 'same', producer: 'test', opset: 18 });
const file = new File([model], 'same.onnx');

interface Device {
  readonly runMs: number;
  readonly answer: number;
  /** time to pack a frame; absent: the device takes no frames */
  readonly packMs?: number;
  /** the error of every run; the device opens models nevertheless */
  readonly fails?: string;
}

/** A models over devices that take a known time and give a known number. */
function modelsOver(
  devices: { wasm: Device | InferenceError; webgpu?: Device | InferenceError },
  options: {
    emulated?: boolean;
    store?: ModelStore;
    decisions?: BackendDecision[];
    admissions?: KeptAdmission[];
    runtimeVersion?: string;
    takes?: (shape: readonly number[]) => boolean;
    hash?: () => Promise<void>;
    whenUnused?: () => Promise<void> | void;
  } = {},
) {
  let nowMs = 0;
  let lastRunMs = 0;
  const open: Backend[] = [];
  const described: ModelDescription[] = [];
  const runs = { frames: 0, tensors: 0 };
  const session = ({ runMs, answer, packMs, fails }: Device, backend: Backend): InferenceSession => ({
    inputs: [],
    outputs: [],
    gpu: packMs === undefined ? null : takingFrames(runMs, answer, packMs),
    run: ({ image }) => {
      if (options.takes && !options.takes(image!.shape)) {
        return Promise.reject(new InferenceError('runtime', '56 by 57'));
      }
      if (fails) return Promise.reject(new InferenceError('runtime', fails));
      lastRunMs = runMs;
      nowMs += runMs;
      runs.tensors++;
      return Promise.resolve({ y: { dtype: 'float32', shape: [1], data: Float32Array.of(answer) } });
    },
    release: () => {
      open.splice(open.indexOf(backend), 1);
      return Promise.resolve();
    },
  });
  const takingFrames = (runMs: number, answer: number, packMs: number): FrameIntake => ({
    refusal: '',
    run: async () => {
      runs.frames++;
      lastRunMs = runMs;
      const y = { dtype: 'float32', shape: [1], data: Float32Array.of(answer) } as const;
      return { results: { y }, shape: [1, 3, 2, 2], pictures: [], packMs, runMs, notCaptured: '' };
    },
    inspect: () => Promise.reject(new Error('never asked')),
  });
  const decisions = options.decisions ?? [];
  const admissions = options.admissions ?? [];
  const kept = new Map<string, Blob>();
  const models = new LoadedModels({
    runtime: {
      capabilities: () =>
        Promise.resolve({
          crossOriginIsolated: true,
          sharesMemory: true,
          wasmThreads: 1,
          webgpu: {
            available: Boolean(devices.webgpu),
            adapter: 'this GPU',
            emulated: options.emulated ?? false,
            reason: 'No GPU.',
          },
        }),
      open: (_, backend) => {
        const device = devices[backend]!;
        if (device instanceof InferenceError) return Promise.reject(device);
        open.push(backend);
        return Promise.resolve(session(device, backend));
      },
      borrow: () => {
        open.push('wasm');
        return Promise.resolve(session(devices.wasm as Device, 'wasm'));
      },
      onGpuLost: () => undefined,
      get lastRunMs() {
        return lastRunMs;
      },
      lastTraffic: { sentBytes: 0, receivedBytes: 0 },
    },
    store: options.store ?? {
      list: () => Promise.resolve([]),
      read: (sha256) => Promise.resolve(kept.has(sha256) ? { blob: kept.get(sha256)!, fileName: 'same.onnx' } : null),
      write: (record, blob) => Promise.resolve(void kept.set(record.sha256, blob)),
      remove: () => Promise.resolve(),
    },
    decisions: {
      of: async (sha256) => decisions.filter((decision) => decision.sha256 === sha256),
      keep: async (decision) => void decisions.push(decision),
      admissionsOf: async (sha256) => admissions.filter((admission) => admission.sha256 === sha256),
      keepAdmission: async (admission) => void admissions.splice(0, admissions.length, admission),
      forget: async (sha256) => {
        decisions.splice(0, decisions.length, ...decisions.filter((one) => one.sha256 !== sha256));
        admissions.splice(0, admissions.length, ...admissions.filter((one) => one.sha256 !== sha256));
      },
    },
    runtimeVersion: options.runtimeVersion ?? '1.30',
    fetch: async (url) => {
      if (url === 'https://bench.example/builtin/models/face-detector.onnx') return new Response(model);
      throw new TypeError('no network');
    },
    sha256: async () => {
      await options.hash?.();
      return '5a';
    },
    kernel: referenceStretchKernel,
    nowMs: () => nowMs,
    documentBase: 'https://bench.example/',
    trialFrame: testCard,
    whenUnused: async () => options.whenUnused?.(),
    onGpuLeft: () => undefined,
    onDescribed: (description) => void described.push(description),
  });
  const load = (
    choice: BackendChoice,
    onProgress: (progress: LoadProgress) => void = () => undefined,
    from: File = file,
  ) => models.load({ kind: 'file', file: from }, choice, onProgress, new AbortController().signal);
  return { models, load, open, runs, described };
}

const cpu: Device = { runMs: 40, answer: 1 };

describe('a load that a later one of the same model has overtaken', () => {
  /** The first call waits until the later load is done and the first was told so. */
  function held<T>(answer: () => T): { readonly call: () => Promise<T>; readonly go: () => void } {
    let go!: () => void;
    let first: Promise<void> | null = new Promise((resolve) => (go = resolve));
    const call = async (): Promise<T> => {
      const waited = first;
      first = null;
      await waited;
      return answer();
    };
    return { call, go };
  }
  const store = { list: async () => [], read: async () => null, remove: async () => undefined };

  it.each(['hashing', 'storing'])('leaves that one its model when it hears so while %s', async (heldAt) => {
    const { call, go } = held(() => undefined);
    const { models, load, open } = modelsOver(
      { wasm: cpu },
      heldAt === 'hashing' ? { hash: call } : { store: { ...store, write: call } },
    );
    const overtaken = new AbortController();
    const reached = new Promise<void>((resolve) => {
      const onProgress = ({ phase }: LoadProgress): void => void (phase === heldAt && resolve());
      void models.load({ kind: 'file', file }, 'wasm', onProgress, overtaken.signal).catch(() => resolve());
    });
    await reached;
    const later = await load('wasm');
    overtaken.abort(new Error('overtaken'));
    go();
    await new Promise((resolve) => setTimeout(resolve));
    expect([open, models.get('5a') === later]).toEqual([['wasm'], true]);
  });
});

it('opens no model whose input no memory holds, and says so', async () => {
  const vast = new File([modelOfShape([1, 3, 100_000, 100_000])], 'vast.onnx');
  const { load, open } = modelsOver({ wasm: cpu });
  await expect(load('wasm', undefined, vast)).rejects.toMatchObject({
    code: 'out-of-memory',
    message: expect.stringContaining('1×3×100000×100000: 30,000 million numbers'),
  });
  expect(open).toEqual([]);
});

describe('a model that a live machine runs', () => {
  const live = { kind: 'live', url: 'http://robot:8080', modelName: 'm', key: { id: 'i', secret: 's3cret' } } as const;
  const borrow = (models: LoadedModels, given: Partial<typeof live> = {}, signal = new AbortController().signal) =>
    models.load({ ...live, ...given }, 'auto', () => undefined, signal);

  it('is on the models by its place, and nothing was run for it', async () => {
    const { models } = modelsOver({ wasm: cpu, webgpu: cpu }, { takes: () => false });
    const { description } = await borrow(models);
    expect(description).toMatchObject({
      modelId: 'm @ http://robot:8080',
      fileName: 'm',
      backend: 'live',
      runsAt: 'http://robot:8080',
      format: null,
      stored: false,
      storedReason: '',
    });
    expect(JSON.stringify(description)).not.toContain('s3cret');
    expect(models.get('m @ http://robot:8080')?.description).toBe(description);
    expect(await models.decide(description.modelId)).toBeNull();
  });

  it('is released when it leaves, is chosen again, or was given up meanwhile', async () => {
    const { models, open } = modelsOver({ wasm: cpu });
    const { description } = await borrow(models);
    await borrow(models);
    await models.unload(description.modelId);
    expect(open).toHaveLength(0);
    await expect(borrow(models, {}, AbortSignal.abort(new Error('given up')))).rejects.toThrow('given up');
    expect([open.length, models.get(description.modelId)]).toEqual([0, undefined]);
  });
});

describe('loading with "auto"', () => {
  it.each<[string, Parameters<typeof modelsOver>, Backend, object]>([
    [
      'a faster GPU',
      [{ wasm: cpu, webgpu: { runMs: 10, answer: 1 } }],
      'webgpu',
      { wasmMs: 40, webgpuMs: 10, largestDifference: 0 },
    ],
    ['a slower GPU', [{ wasm: cpu, webgpu: { runMs: 90, answer: 1 } }], 'wasm', { webgpuMs: 90, largestDifference: 0 }],
    ['a wrong GPU', [{ wasm: cpu, webgpu: { runMs: 10, answer: 3 } }], 'wasm', { webgpuMs: 10, largestDifference: 2 }],
    [
      'a GPU that refuses the model',
      [{ wasm: cpu, webgpu: new InferenceError('unsupported-operator', 'No such shader.') }],
      'wasm',
      { webgpuMs: null, reason: 'The model does not run on the GPU: No such shader.' },
    ],
  ])('starts on the CPU and then decides: %s', async (_, setting, backend, comparison) => {
    const { models, load, open } = modelsOver(...setting);
    const { description, loadNumber } = await load('auto');
    expect([description.backend, description.comparison, open]).toEqual(['wasm', null, ['wasm']]);
    const decision = await models.decide('5a');
    expect(models.get('5a')).toBe(decision!.model);
    expect(decision!.model.description).toMatchObject({ backend, comparison });
    expect(decision!.model.loadNumber > loadNumber).toBe(backend === 'webgpu');
    await decision!.retire();
    expect(open).toEqual([backend]); // the loser's memory is free
    expect(await models.decide('5a')).toBeNull();
  });

  it.each([
    ['the GPU, which packs fast', 5, 'webgpu'],
    ['the CPU, as the GPU packs slower than it runs', 35, 'wasm'],
  ] as const)('decides by ten runs each of the whole path: %s', async (_, packMs, backend) => {
    const { models, load, runs } = modelsOver({ wasm: cpu, webgpu: { runMs: 10, answer: 1, packMs } });
    await load('auto');
    const before = runs.tensors;
    const { description } = (await models.decide('5a'))!.model;
    expect(description).toMatchObject({ backend, comparison: { wasmMs: 40, webgpuMs: 10 + packMs } });
    expect(description.comparison!.reason).toContain('Medians of 10 warm runs each of the whole path');
    expect(runs.frames).toBe(10);
    expect(runs.tensors - before).toBeGreaterThanOrEqual(10);
  });

  describe('the app’s own model', () => {
    const loadBuiltin = (models: LoadedModels, choice: BackendChoice) =>
      models.load({ kind: 'builtin', id: 'face-detector' }, choice, () => undefined, new AbortController().signal);

    it.each([
      ['auto', { wasmMs: 40, webgpuMs: null, largestDifference: null, reason: 'No GPU.' }],
      ['wasm', null],
    ] as const)('is measured after the first frame only, with "%s"', async (choice, comparison) => {
      const { models, runs } = modelsOver({ wasm: cpu });
      const { description, loadNumber } = await loadBuiltin(models, choice);
      expect([runs.tensors, description.warmRunMs, description.comparison]).toEqual([0, null, null]);
      const decided = (await models.decide('5a'))!.model;
      expect(runs.tensors).toBeGreaterThanOrEqual(5);
      expect(decided).toMatchObject({ loadNumber, description: { backend: 'wasm', warmRunMs: 40, comparison } });
      expect(models.get('5a')).toBe(decided);
      expect(await models.decide('5a')).toBeNull();
    });

    it('is tried on a GPU then, and run by nothing before', async () => {
      const { models, runs } = modelsOver({ wasm: cpu, webgpu: { runMs: 10, answer: 1 } });
      await loadBuiltin(models, 'auto');
      expect(runs.tensors).toBe(0);
      expect((await models.decide('5a'))!.model.description).toMatchObject({ backend: 'webgpu', warmRunMs: 10 });
    });

    it('is measured no further once it is unloaded', async () => {
      const { models } = modelsOver({ wasm: cpu });
      await loadBuiltin(models, 'wasm');
      const deciding = models.decide('5a');
      await models.unload('5a');
      expect([await deciding, models.get('5a')]).toEqual([null, undefined]);
    });
  });

  describe('a model that an earlier visit decided', () => {
    const webgpu: Device = { runMs: 10, answer: 1 };
    const known = (changes: Partial<BackendDecision> = {}): BackendDecision => ({
      sha256: '5a',
      adapter: 'this GPU',
      runtime: '1.30',
      backend: 'webgpu',
      wasmMs: 41,
      webgpuMs: 11,
      largestDifference: 0,
      ...changes,
    });

    it('is remembered by its bytes and the adapter', async () => {
      const decisions: BackendDecision[] = [];
      const first = modelsOver({ wasm: cpu, webgpu }, { decisions });
      await first.load('auto');
      await first.models.decide('5a');
      expect(decisions).toEqual([known({ wasmMs: 40, webgpuMs: 10 })]);
      const { load, open, models } = modelsOver({ wasm: cpu, webgpu }, { decisions });
      const { description } = await load('auto');
      expect([description.backend, open]).toEqual(['webgpu', ['webgpu']]);
      expect(description.comparison).toMatchObject({ wasmMs: 40, webgpuMs: 10 });
      expect(await models.decide('5a')).toBeNull();
      await models.forgetDecision('5a');
      expect((await load('auto')).description).toMatchObject({ backend: 'wasm', comparison: null });
    });

    it('stays on the CPU without another trial, where that was faster', async () => {
      const { load, models } = modelsOver({ wasm: cpu, webgpu }, { decisions: [known({ backend: 'wasm' })] });
      expect((await load('auto')).description).toMatchObject({ backend: 'wasm', comparison: { webgpuMs: 11 } });
      expect(await models.decide('5a')).toBeNull();
    });

    it('is not asked for where someone chose, and measured again on another GPU', async () => {
      const decisions = [known()];
      const chosen = modelsOver({ wasm: cpu, webgpu }, { decisions });
      expect((await chosen.load('wasm')).description).toMatchObject({ backend: 'wasm', comparison: null });
      const elsewhere = modelsOver({ wasm: cpu, webgpu }, { decisions: [known({ adapter: 'another' })] });
      expect((await elsewhere.load('auto')).description).toMatchObject({ backend: 'wasm', comparison: null });
      expect(await elsewhere.models.decide('5a')).not.toBeNull();
    });

    it('is measured again with another version of what computes', async () => {
      const { load, models } = modelsOver({ wasm: cpu, webgpu }, { decisions: [known()], runtimeVersion: '1.31' });
      expect((await load('auto')).description).toMatchObject({ backend: 'wasm', comparison: null });
      expect(await models.decide('5a')).not.toBeNull();
    });

    it.each(['auto', 'webgpu'] as const)('that the GPU computed wrongly stays on the CPU by %s', async (choice) => {
      const admissions: KeptAdmission[] = [];
      const kept = { decisions: [known()], admissions };
      const first = modelsOver({ wasm: cpu, webgpu }, kept);
      const model = await first.load('webgpu');
      const compared = { fault: 'Other boxes.', frameName: 'cat.jpg', widthPx: 64, heightPx: 48 };
      await first.models.judge(model, compared);
      expect(first.described).toMatchObject([{ backend: 'wasm', gpuRefusal: 'Other boxes.', admission: compared }]);
      expect(admissions).toMatchObject([{ ...compared, sha256: '5a', adapter: 'this GPU', runtime: '1.30' }]);
      expect(kept.decisions).toEqual([]);

      const later = modelsOver({ wasm: cpu, webgpu }, { ...kept, decisions: [known()] });
      const { description } = await later.load(choice);
      expect(description).toMatchObject({ backend: 'wasm', admission: compared });
      expect(description.gpuRefusal).toBe(choice === 'webgpu' ? 'Other boxes.' : '');
      expect([await later.models.decide('5a'), later.open]).toEqual([null, ['wasm']]);
      const updated = modelsOver({ wasm: cpu, webgpu }, { ...kept, runtimeVersion: '1.31' });
      expect((await updated.load('webgpu')).description).toMatchObject({ backend: 'webgpu', admission: null });
      const otherGpu = modelsOver({ wasm: cpu, webgpu }, { admissions: [{ ...admissions[0]!, adapter: 'another' }] });
      expect((await otherGpu.load('webgpu')).description).toMatchObject({ backend: 'webgpu', admission: null });
      await later.models.forgetDecision('5a');
      expect((await later.load('webgpu')).description).toMatchObject({ backend: 'webgpu', admission: null });
    });

    it('is judged only as long as it is loaded', async () => {
      const admissions: KeptAdmission[] = [];
      const { load, models, described } = modelsOver({ wasm: cpu, webgpu }, { admissions });
      const before = await load('webgpu');
      const now = await load('webgpu');
      const compared = { fault: 'Other boxes.', frameName: 'cat.jpg', widthPx: 64, heightPx: 48 };
      await models.judge(before, compared);
      expect([admissions, described, models.get('5a')!.description.backend]).toEqual([[], [], 'webgpu']);
      await models.judge(now, { ...compared, fault: '' });
      expect(described).toMatchObject([{ backend: 'webgpu', gpuRefusal: '', admission: { fault: '' } }]);
      expect(admissions).toHaveLength(1);
    });

    it('goes to the CPU where the GPU takes it no more, or gives no answer worth remembering', async () => {
      const decisions = [known()];
      const broken = modelsOver({ wasm: cpu, webgpu: new InferenceError('runtime', 'no') }, { decisions });
      expect((await broken.load('auto')).description.backend).toBe('wasm');
      await broken.models.decide('5a');
      expect(decisions).toEqual([known()]);
    });
  });

  it.each<[string, Parameters<typeof modelsOver>, string]>([
    [
      'an emulated GPU',
      [{ wasm: cpu, webgpu: { runMs: 10, answer: 1 } }, { emulated: true }],
      'The GPU here is emulated by the CPU, and cannot be faster.',
    ],
    ['no GPU', [{ wasm: cpu }], 'No GPU.'],
  ])('has nothing to decide: %s', async (_, setting, reason) => {
    const { models, load } = modelsOver(...setting);
    const { description } = await load('auto');
    expect(description).toMatchObject({
      backend: 'wasm',
      comparison: { wasmMs: 40, webgpuMs: null, largestDifference: null, reason },
    });
    expect(await models.decide('5a')).toBeNull();
  });

  it('gives the trial up when the model is unloaded during it', async () => {
    const { models, load, open } = modelsOver({ wasm: cpu, webgpu: { runMs: 10, answer: 1 } });
    await load('auto');
    const deciding = models.decide('5a');
    await models.unload('5a');
    expect([await deciding, models.get('5a'), open]).toEqual([null, undefined, []]);
  });
});

describe('a model that leaves its sides open', () => {
  const graph = new GraphBuilder();
  graph.output('y', graph.input('image', 'float32', [1, 3, 'h', 'w']), 'float32', [1, 3, 'h', 'w']);
  const metadata = { imgsz: '[48, 96]' };
  const open = new File([graph.build({ graphName: 'open', producer: 'test', opset: 18, metadata })], 'open.onnx');

  it('takes the frame without a word', async () => {
    const { load } = modelsOver({ wasm: cpu });
    expect((await load('wasm', undefined, open)).description.warnings).toEqual([]);
  });

  it('is tried at other sizes where it refuses the frame, and says which it takes', async () => {
    const { load } = modelsOver({ wasm: cpu }, { takes: ([, , height]) => height === 48 });
    expect((await load('wasm', undefined, open)).description.warnings).toEqual([
      expect.stringMatching(/refuses 256×256; it takes 96×48 \(imgsz of the model's metadata\)/),
    ]);
  });

  it('fails with its first refusal where it takes none', async () => {
    const { load, open: sessions } = modelsOver({ wasm: cpu }, { takes: () => false });
    await expect(load('wasm', undefined, open)).rejects.toThrow('56 by 57');
    expect(sessions).toEqual([]);
  });

  it('compares both backends at the size that it takes', async () => {
    const both = { wasm: cpu, webgpu: { runMs: 10, answer: 1 } };
    const { models, load } = modelsOver(both, { takes: ([, , height]) => height === 48 });
    await load('auto', undefined, open);
    expect((await models.decide('5a'))!.model.description.comparison).toMatchObject({ wasmMs: 40, webgpuMs: 10 });
  });
});

describe('the models', () => {
  it('opens a model again without keeping the one before', async () => {
    const { models, load, open } = modelsOver({ wasm: cpu });
    const first = await load('wasm');
    const second = await load('wasm');
    expect(open).toEqual(['wasm']);
    expect(second.loadNumber).toBeGreaterThan(first.loadNumber);
    await models.unload('5a');
    expect([open, models.get('5a')]).toEqual([[], undefined]);
  });

  it('keeps a session that was taken off it until nothing runs on it', async () => {
    let end!: () => void;
    const unused = new Promise<void>((resolve) => (end = resolve));
    const { models, load, open } = modelsOver({ wasm: cpu }, { whenUnused: () => unused });
    await load('wasm');
    const unloading = models.unload('5a');
    expect([open, models.get('5a')]).toEqual([['wasm'], undefined]);
    end();
    await unloading;
    expect(open).toEqual([]);
  });

  it('moves models from a lost GPU to the CPU, and says so of them', async () => {
    const { models, load, open, described } = modelsOver({ wasm: cpu, webgpu: { runMs: 10, answer: 1 } });
    const { session } = await load('webgpu');
    expect(models.gpuLost()).toBe(1);
    expect(described).toEqual([models.get('5a')!.description]);
    expect(described[0]).toMatchObject({ backend: 'wasm', gpuRefusal: 'The GPU went away.' });
    expect([models.gpuLost(), described.length]).toEqual([1, 1]);
    expect((await session.run({})).y!.data).toEqual(Float32Array.of(1));
    expect(open).toEqual(['wasm']);
    const { description } = (await models.decide('5a'))!.model; // with the next frame its speed there is known
    expect(description).toMatchObject({ backend: 'wasm', warmRunMs: 40, gpuRefusal: 'The GPU went away.' });
  });

  const refusals: readonly [string, InferenceError | Device][] = [
    ['does not open it', new InferenceError('runtime', 'No adapter.')],
    ['fails at its first run', { runMs: 1, answer: 1, fails: 'No adapter.' }],
  ];

  it.each(refusals)('keeps the session that runs where WebGPU is chosen and %s', async (_, webgpu) => {
    const { models, load, open } = modelsOver({ wasm: cpu, webgpu });
    const { session, loadNumber } = await load('wasm');
    const { description } = await load('webgpu');
    expect(description).toMatchObject({ modelId: '5a', backend: 'wasm', gpuRefusal: 'No adapter.' });
    expect(models.get('5a')).toEqual({ description, session, loadNumber });
    expect(open).toEqual(['wasm']);
    expect((await load('wasm')).description.gpuRefusal).toBe('');
  });

  it.each(refusals)('opens a new model on the CPU where WebGPU is chosen and %s', async (_, webgpu) => {
    const { load, open } = modelsOver({ wasm: cpu, webgpu });
    expect((await load('webgpu')).description).toMatchObject({ backend: 'wasm', gpuRefusal: 'No adapter.' });
    expect(open).toEqual(['wasm']);
  });

  it('keeps a model that runs when it fails to open once more, or is given up meanwhile', async () => {
    const devices = { wasm: cpu as Device | InferenceError };
    const { models, load, open } = modelsOver(devices);
    const running = await load('wasm');
    devices.wasm = new InferenceError('out-of-memory', 'No memory.');
    await expect(load('wasm')).rejects.toThrow(/^It has 1 MB, and opening it takes .*No memory\.$/);
    devices.wasm = cpu;
    const stop = new AbortController();
    const stopAtWarmUp = ({ phase }: LoadProgress): void =>
      void (phase === 'warming-up' && stop.abort(new Error('enough')));
    await expect(models.load({ kind: 'file', file }, 'wasm', stopAtWarmUp, stop.signal)).rejects.toThrow('enough');
    expect([models.get('5a') === running, open]).toEqual([true, ['wasm']]);
  });

  it('lets no frame find a model missing that is opened once more', async () => {
    const { models, load } = modelsOver({ wasm: cpu }, { whenUnused: () => void found.push(models.get('5a')) });
    const found: unknown[] = [];
    await load('wasm');
    const again = await load('wasm');
    expect(found).toEqual([again]);
  });

  it('keeps a model in memory where storage is full, and says so', async () => {
    const full: ModelStore = {
      list: () => Promise.resolve([]),
      read: () => Promise.resolve(null),
      write: () => Promise.reject(new BrowserStoreError('quota-exceeded', 'No room for 1.0 MB.')),
      remove: () => Promise.resolve(),
    };
    const { load } = modelsOver({ wasm: cpu }, { store: full });
    expect((await load('wasm')).description).toMatchObject({
      stored: false,
      storedReason: 'No room for 1.0 MB. It stays in memory until the page is closed.',
    });
  });

  it('tells its phases in order', async () => {
    const phases: string[] = [];
    await modelsOver({ wasm: cpu, webgpu: cpu }).load('auto', ({ phase }) => phases.push(phase));
    expect(phases.filter((phase, i) => phase !== phases[i - 1])).toEqual([
      'reading',
      'hashing',
      'compiling',
      'warming-up',
      'storing',
    ]);
  });
});
