import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ModelProfile, ProfileTask } from '../../../../workers/model-profile/client.ts';
import type { FrameResult, ModelDescription } from '../../../../workers/vision/protocol.ts';
import { operatorsOf } from './operator-run.svelte.ts';
import { ProfileState, type ProfileModel } from './profile-state.svelte.ts';

const feeds = { image: { dtype: 'float32', shape: [1], data: new Float32Array(1) } } as const;
const model = { modelId: 'net', fileName: 'net.onnx', backend: 'wasm', warmRunMs: null } as unknown as ModelDescription;
const source = { kind: 'builtin', id: 'face-detector' } as const;
const found: ModelProfile = {
  runs: 20,
  run: { medianMs: 9, p95Ms: 10 },
  operators: [],
  nodes: [],
  backend: 'wasm',
  threads: 2,
  isIsolated: true,
};
const timings = {
  decodeMs: 1,
  transformMs: 0,
  preprocessMs: 2,
  inferenceMs: 30,
  postprocessMs: 1,
  totalMs: 34,
  modelWaitMs: 0,
  pictureMs: 1,
};
const seen = { timings, offeredAtMs: 0, givenAtMs: 0, answeredAtMs: 40 } as unknown as FrameResult;

function profileOf({ profileModel = () => Promise.resolve(found), given = feeds }: Ports = {}) {
  const place: { source: string; model: ModelDescription | null } = { source: 'Webcam', model };
  let tell: (result: FrameResult) => void = () => undefined;
  const client = {
    modelFeeds: () => Promise.resolve(given),
    onResult: (listener: typeof tell) => {
      tell = listener;
      return () => undefined;
    },
  };
  const profile = new ProfileState({ source: () => place.source, model: () => place.model }, client, profileModel);
  return { profile, place, see: (result = seen) => tell(result) };
}
interface Ports {
  readonly profileModel?: ProfileModel;
  readonly given?: typeof feeds | null;
}

afterEach(() => void vi.useRealTimers());

describe('the profile of frames', () => {
  it('shows those that were seen before it was opened, and newer ones when it is refreshed', () => {
    const { profile, see } = profileOf();
    see();
    expect(profile.statistics).toBeNull();
    profile.open();
    expect([profile.isOpen, profile.statistics!.frames]).toEqual([true, 1]);
    see();
    expect(profile.statistics!.frames).toBe(1);
    profile.refresh();
    expect(profile.statistics!.frames).toBe(2);
    profile.close();
    expect(profile.isOpen).toBe(false);
  });

  it('begins anew with another source, and with another model or backend', () => {
    const { profile, place, see } = profileOf();
    const count = () => profile.times.list().length;
    see();
    see();
    place.source = 'film.mp4';
    see();
    expect(count()).toBe(1);
    see();
    place.model = { ...model, backend: 'webgpu' };
    see();
    expect(count()).toBe(1);
    place.model = { ...model, backend: 'webgpu', warmRunMs: 40 }; // only better known
    see();
    expect(count()).toBe(2);
    place.model = { ...model, modelId: 'other', backend: 'webgpu' };
    see();
    expect(count()).toBe(1);
  });

  it('begins anew where the GPU packs what the model is fed, and the CPU after it', () => {
    const { profile, see } = profileOf();
    const packedOn = (where: 'gpu' | 'cpu') => ({ ...seen, placement: { steps: [], packing: { where, because: '' } } });
    const told = (result: FrameResult) => {
      see(result);
      return [profile.packsOn, profile.times.list().length];
    };
    expect(told(packedOn('cpu'))).toEqual(['cpu', 1]);
    expect(told(packedOn('gpu'))).toEqual(['gpu', 1]);
    const timed = { ...packedOn('gpu'), timings: { ...timings, isGpuTimed: true } };
    expect(told(timed)).toEqual(['timed gpu', 1]);
    expect(told(timed)).toEqual(['timed gpu', 2]);
    expect(told(packedOn('gpu'))).toEqual(['gpu', 1]);
    expect(told(seen)).toEqual(['gpu', 2]); // the run failed: nothing ran anywhere
    expect(told(packedOn('cpu'))).toEqual(['cpu', 1]);
  });

  it('leaves out what the page did not let go itself', () => {
    const { profile, see } = profileOf();
    see({ timings } as FrameResult);
    expect(profile.times.list()).toEqual([]);
  });
});

describe('the operators of its model', () => {
  it('are asked for with what the model is fed of the stage, and known of that model only', async () => {
    const tasks: ProfileTask[] = [];
    const { profile } = profileOf({ profileModel: (task) => (tasks.push(task), Promise.resolve(found)) });
    await operatorsOf(profile).start({ model, source, backend: 'wasm' });
    expect(tasks).toEqual([{ source, backend: 'wasm', feeds, runs: 20, budgetMs: 15_000 }]);
    expect(operatorsOf(profile).foundOf(model)).toBe(found);
    expect(operatorsOf(profile).foundOf({ ...model, warmRunMs: 40 })).toBe(found); // measured meanwhile
    expect(operatorsOf(profile).foundOf({ ...model, backend: 'webgpu' })).toBeNull();
    expect(operatorsOf(profile).foundOf({ ...model, modelId: 'other' })).toBeNull();
    expect(operatorsOf(profile).foundOf(null)).toBeNull();
    expect(operatorsOf(profile).progress).toBeNull();
  });

  it('tell how far they are, and are given up when that is asked', async () => {
    let told: (fraction: number) => void = () => undefined;
    let reason: unknown;
    const { profile } = profileOf({
      profileModel: (_task, onProgress, signal) =>
        new Promise((_resolve, reject) => {
          told = onProgress;
          signal.addEventListener('abort', () => reject((reason = signal.reason) as Error));
        }),
    });
    profile.open();
    const started = operatorsOf(profile).start({ model, source, backend: 'wasm' });
    await Promise.resolve();
    told(0.5);
    expect(operatorsOf(profile).progress).toBe(0.5);
    operatorsOf(profile).cancel();
    await started;
    told(0.75);
    expect(operatorsOf(profile).progress).toBeNull();
    expect(operatorsOf(profile).fault).toBeNull();
    expect(reason).toMatchObject({ name: 'AbortError' });
  });

  it.each([
    ['webgpu', 'choose WASM in the Model panel'],
    ['wasm', 'Stop the camera'],
  ] as const)('are given up after a minute on %s, in words', async (backend, cure) => {
    vi.useFakeTimers();
    const { profile } = profileOf({
      profileModel: (_task, _onProgress, signal) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
    });
    const started = operatorsOf(profile).start({ model, source, backend });
    await vi.advanceTimersByTimeAsync(59_000);
    expect([operatorsOf(profile).progress, operatorsOf(profile).fault]).toEqual([0, null]);
    await vi.advanceTimersByTimeAsync(1000);
    await started;
    expect(operatorsOf(profile).progress).toBeNull();
    expect(operatorsOf(profile).fault).toContain('not done after 60 seconds');
    expect(operatorsOf(profile).fault).toContain(cure);
  });

  it('say in words why there are none', async () => {
    const broken = profileOf({ profileModel: () => Promise.reject(new Error('The model file is gone.')) }).profile;
    await operatorsOf(broken).start({ model, source, backend: 'wasm' });
    expect(operatorsOf(broken).fault).toBe('The model could not be profiled: The model file is gone.');
    const unfed = profileOf({ given: null }).profile;
    await operatorsOf(unfed).start({ model, source, backend: 'wasm' });
    expect(operatorsOf(unfed).fault).toContain('There is no frame');
  });
});
