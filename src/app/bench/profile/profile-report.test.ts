import { expect, it } from 'vitest';
import type { ModelDescription } from '../../../../workers/vision/protocol.ts';
import { FrameTimes } from '../../../models/profile/frame-times.ts';
import { summarizeRuns } from '../../../models/profile/operator-times.ts';
import { profileReport, type ProfileSetting } from './profile-report.ts';

const setting: ProfileSetting = {
  takenAtMs: 0,
  browser: 'Test/1',
  cores: 2,
  source: 'Webcam',
  packsOn: 'gpu',
  model: null,
  operators: null,
};
const inWorker = {
  decodeMs: 1,
  transformMs: 0,
  preprocessMs: 2,
  inferenceMs: 30,
  postprocessMs: 1,
  modelWaitMs: 0,
  pictureMs: 1,
};

it('holds the statistics, every frame that they are of, and the operators with what is advised', () => {
  const times = new FrameTimes();
  times.answered(inWorker, { offeredAtMs: 0, givenAtMs: 5, answeredAtMs: 42 });
  times.drawn(44, 45);
  const runs = summarizeRuns([{ ms: 9, nodes: [{ node: 'up', operator: 'Resize', onGpu: false, ms: 8 }] }]);
  const report = JSON.parse(
    profileReport(times, {
      ...setting,
      model: { fileName: 'net.onnx', sha256: 'ab', backend: 'wasm', labels: ['cup'] } as unknown as ModelDescription,
      operators: { ...runs, backend: 'wasm', threads: 2, isIsolated: true },
    }),
  );
  expect(report).toMatchObject({
    format: 'sightglass-profile',
    version: 1,
    takenAt: '1970-01-01T00:00:00.000Z',
    cores: 2,
    source: 'Webcam',
    packsOn: 'gpu',
    model: { fileName: 'net.onnx', sha256: 'ab', backend: 'wasm' },
    frames: { frames: 1, total: { medianMs: 45, p95Ms: 45 }, each: [{ wait: 5, inference: 30, draw: 1, total: 45 }] },
    operators: { threads: 2, nodes: [{ node: 'up' }], advice: [{ title: 'This model spends 100 % in Resize.' }] },
  });
  expect(report.model).not.toHaveProperty('labels');
});

it('is one of nothing, too', () => {
  expect(JSON.parse(profileReport(new FrameTimes(), setting))).toMatchObject({
    frames: null,
    model: null,
    operators: null,
  });
});
