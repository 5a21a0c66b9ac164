import { describe, expect, it } from 'vitest';
import { uprightOnSource } from '../../machine/vision/trace/upright-on-source.ts';
import { CaptureRecorder } from './capture-recorder.ts';
import { CaptureStoreError } from './capture-store.ts';
import { CaptureWriter } from './capture-writer.ts';
import type { FilteredResult } from './filtered-result.ts';
import type { FrameRef } from './frame-ref.ts';
import type { KeptImage } from './kept-image.ts';
import { memoryCaptureStore } from '../../../tests/memory-capture-store.ts';

const frameOf = (index: number): FrameRef => ({
  name: 'webcam',
  index,
  timestampMs: index * 33,
  takenAtMs: 1000 + index,
});

const keptOf = (info: FrameRef): KeptImage => ({
  info,
  content: new Blob([`pixels ${info.index}`], { type: 'image/jpeg' }),
  thumbnail: null,
  widthPx: 100,
  heightPx: 50,
  sha256: `hash ${info.index}`,
  encoding: { quality: 0.92 },
});

const steps = [
  { type: 'crop', attributes: { xMin: 50, yMin: 0, xMax: 100, yMax: 50, overlayCropBox: false } },
] as const;
const stages = [
  { step: -1, widthPx: 100, heightPx: 50 },
  { step: 0, widthPx: 50, heightPx: 50 },
];
const way = stages.map((stage) => ({ ...stage, step: steps[stage.step] ?? null }));

function resultOf(index: number, changes: Partial<FilteredResult> = {}): FilteredResult {
  return {
    frame: frameOf(index),
    stages,
    raw: { detections: null, classifications: null },
    detections: [{ label: 'cat', score: 0.75, xMin: 0, yMin: 0, xMax: 25, yMax: 50 }],
    classifications: null,
    onSource: (box) => uprightOnSource(box, way),
    problems: [],
    timings: null,
    receivedAtMs: 1040 + index,
    grey: null,
    setup: { serviceName: 'v', cameraName: 'right-half', configText: '{"a":1}', model: null, backend: 'wasm', steps },
    ...changes,
  };
}

function startRecorder({ room = true, gone = false, dies = false } = {}) {
  const memory = memoryCaptureStore();
  const store: Pick<typeof memory, 'put'> = {
    put: (parcels) => (room ? memory.put(parcels) : Promise.reject(new CaptureStoreError('full', 'No room.'))),
  };
  const writer = new CaptureWriter(store);
  const failures: unknown[] = [];
  let nowMs = 2000;
  let serial = 0;
  let giveToBurst: (kept: KeptImage) => void = () => {};
  let burstEnds = 0;
  const burstsKept: number[] = [];
  const recorder = new CaptureRecorder({
    tagsOf: ({ info }, startedMs) => [`${info.name} ${startedMs}`],
    writer,
    onBurstEnd: (keptFrames) => void burstsKept.push(keptFrames),
    capture: async (frame) => (gone ? null : keptOf(frame)),
    startBurst(onFrame) {
      giveToBurst = onFrame;
      return async () => {
        burstEnds++;
        if (dies) throw new Error('The worker stopped.');
      };
    },
    sha256: async (bytes) => `sha of ${new TextDecoder().decode(bytes)}`,
    randomId: () => String(++serial).padStart(8, '0'),
    nowMs: () => nowMs,
    onChange: () => undefined,
    onFailure: (error) => failures.push(error),
  });
  return {
    recorder,
    memory,
    writer,
    failures,
    burst: (index: number) => giveToBurst(keptOf(frameOf(index))),
    burstEnds: () => burstEnds,
    burstsKept,
    passTime: (ms: number) => void (nowMs += ms),
  };
}
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the key', () => {
  it('keeps the frame with everything that was seen on it, where it lies on the source', async () => {
    const { recorder, memory } = startRecorder();
    const { id } = await recorder.keep(resultOf(3));
    expect(await memory.get(id)).toMatchObject({
      id: '00000000001043000-00000001',
      reason: { kind: 'person' },
      source: { kind: 'live', name: 'webcam', index: 3 },
      image: { mediaType: 'image/jpeg', sha256: 'hash 3', sizeBytes: 8 },
      timeRequestedMs: 1003,
      timeReceivedMs: 1043,
      setup: { configSha256: 'sha of {"a":1}', seenWidthPx: 50, seenHeightPx: 50 },
      boxes: [{ label: 'cat', confidence: 0.75, xMinNormalized: 0.5, xMaxNormalized: 0.75, yMaxNormalized: 1 }],
    });
    expect(await (await memory.content(id))!.text()).toBe('pixels 3');
  });

  it('says that the frame is gone', async () => {
    await expect(startRecorder({ gone: true }).recorder.keep(resultOf(3))).rejects.toMatchObject({
      code: 'frame-gone',
    });
  });

  it('says that the disk is full, with the capture still in hand', async () => {
    const { recorder, writer } = startRecorder({ room: false });
    await expect(recorder.keep(resultOf(3))).rejects.toMatchObject({ code: 'full' });
    expect(writer.unsaved.map(({ capture }) => capture.source.index)).toEqual([3]);
  });
});

describe('rules', () => {
  const everySecond = { kind: 'interval', everyMs: 1000 } as const;
  const budget = { maxFrames: 2, maxBytes: null, maxPerMinute: null };

  it('keep what they ask for, count it, and stop at the budget', async () => {
    const { recorder, memory, passTime } = startRecorder();
    recorder.startRules({ rules: [everySecond], budget });
    for (let index = 0; index < 5; index++) {
      recorder.observe(resultOf(index));
      passTime(600);
    }
    await settle();
    const kept = (await memory.page(null, 9)).map(({ source, reason }) => [source.index, reason]);
    expect(kept).toEqual([
      [2, { kind: 'rules', rules: [everySecond] }],
      [0, { kind: 'rules', rules: [everySecond] }],
    ]);
    expect(recorder.policyState).toMatchObject({ keptFrames: 2, keptBytes: 16, stopped: { because: 'frames' } });
  });

  it('stop when the disk is full, and say so', async () => {
    const { recorder, failures } = startRecorder({ room: false });
    recorder.startRules({ rules: [everySecond], budget });
    recorder.observe(resultOf(0));
    await settle();
    expect(failures).toMatchObject([{ code: 'full' }]);
    expect(recorder.policyState?.stopped).not.toBeNull();
  });
});

describe('a burst', () => {
  it('tells once, at its end, how many frames it kept, also where none came', async () => {
    const { recorder, burst, burstsKept, passTime } = startRecorder();
    recorder.startBurst(1000);
    burst(0);
    await recorder.stopBurst();
    recorder.startBurst(1000);
    passTime(1000);
    recorder.endBurstOnTime();
    recorder.endBurstOnTime();
    await expect.poll(() => recorder.burst).toBeNull();
    expect(burstsKept).toEqual([1, 0]);
  });

  it('keeps every frame, with what was seen where something was, and ends by itself', async () => {
    const { recorder, memory, burst, burstEnds, passTime } = startRecorder();
    recorder.startBurst(1000);
    burst(0);
    burst(1);
    recorder.observe(resultOf(1));
    burst(2);
    passTime(1000);
    recorder.observe(resultOf(2));
    await settle();
    const captures = await memory.page(null, 9);
    const kept = captures.map(({ source, setup }) => `${source.index} ${setup !== null}`).sort();
    expect(kept).toEqual(['0 false', '1 true', '2 true']);
    expect([recorder.burst, burstEnds()]).toEqual([null, 1]);
    const tags = new Set(captures.flatMap((capture) => capture.tags));
    expect([...tags], 'one burst').toEqual([expect.stringMatching(/^webcam \d+$/)]);
  });

  it('ends on time where no more results come, as of a video that was paused', async () => {
    const { recorder, memory, burst, passTime } = startRecorder();
    recorder.startBurst(1000);
    burst(0);
    passTime(999);
    recorder.endBurstOnTime();
    expect(recorder.burst).toMatchObject({ keptFrames: 1 });
    passTime(1);
    recorder.endBurstOnTime();
    await settle();
    expect([recorder.burst, (await memory.page(null, 9)).length]).toEqual([null, 1]);
  });

  it('keeps what it had when its source dies, and says so', async () => {
    const { recorder, memory, burst, failures } = startRecorder({ dies: true });
    recorder.startBurst(1000);
    burst(0);
    await recorder.stopBurst();
    await settle();
    expect([recorder.burst, (await memory.page(null, 9)).length]).toEqual([null, 1]);
    expect(failures).toMatchObject([{ message: 'The worker stopped.' }]);
  });
});

describe('readings', () => {
  it('are made of every result while they are wanted', () => {
    const { recorder } = startRecorder();
    recorder.observe(resultOf(0));
    recorder.takeReadings(true);
    recorder.observe(resultOf(1));
    recorder.observe(resultOf(2));
    expect(
      recorder.drainReadings().map(({ timeRequestedMs, readings }) => [timeRequestedMs, readings['counts']]),
    ).toEqual([
      [1001, { cat: 1 }],
      [1002, { cat: 1 }],
    ]);
    expect([recorder.readingsCount, recorder.takesReadings]).toEqual([0, true]);
  });
});
