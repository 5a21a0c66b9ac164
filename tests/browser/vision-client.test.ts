import { afterEach, describe, expect, it } from 'vitest';
import { createVisionClient } from '../../src/clients/create-vision-client.ts';
import type { VisionClient } from '../../src/clients/vision-client.ts';
import type { MachineConfig, VisionServiceConfig } from '../../src/config/machine-config.ts';
import type { BenchPlan } from '../../src/rpc/vision-protocol.ts';

const documentBase = `${location.origin}/`;
const startWorker = () =>
  new Worker(new URL('../../workers/vision.ts', import.meta.url), { type: 'module', name: 'vision' });

const faces: VisionServiceConfig = {
  name: 'faces',
  mlModelName: 'face-model',
  cameraName: '',
  remapInputNames: {},
  remapOutputNames: {},
  boxOrder: null,
  meanValue: [0.5, 0.5, 0.5],
  stdDev: [0.5, 0.5, 0.5],
  bgr: false,
  defaultMinimumConfidence: 0,
  labelConfidences: {},
  labelPath: '',
};
const config: MachineConfig = { cameras: [], visionServices: [faces] };

function planWith(modelId: string, changes: Partial<BenchPlan> = {}): BenchPlan {
  return {
    config,
    visionName: 'faces',
    cameraName: null,
    models: { faces: { modelId, labels: null } },
    undistortPreview: false,
    shownStage: -1,
    thumbnails: false,
    ...changes,
  };
}

const info = (name: string) => ({ name, index: 0, timestampMs: 0 });
const sample = async (n: number) => (await fetch(`/builtin/frames/sample${n}.jpg`)).blob();

let client: VisionClient;
afterEach(() => client.dispose());

describe('the vision client', () => {
  it('finds the face in a built-in photograph with the built-in model', async () => {
    client = createVisionClient(startWorker, documentBase);
    const phases = new Set<string>();
    const model = await client.loadModel(
      { kind: 'builtin', id: 'face-detector' },
      { backend: 'wasm', onProgress: ({ phase }) => phases.add(phase) },
    );
    expect(model).toMatchObject({ fileName: 'face-detector.onnx', backend: 'wasm', stored: false, comparison: null });
    expect(model.warmRunMs).toBeGreaterThan(0);
    expect([...phases]).toEqual(['reading', 'hashing', 'compiling', 'warming-up']);

    const report = await client.setPlan(planWith(model.modelId));
    expect(report.detector).toMatchObject({ able: true, reason: '' });
    const stage = document.createElement('canvas');
    client.attachStage(stage);
    const announced: string[] = [];
    client.onResult(({ frame }) => announced.push(frame.name));
    const result = await client.run(await sample(1), info('sample1.jpg'));

    expect(result?.problems).toEqual([]);
    const { detections } = result!;
    expect(Math.max(...detections!.score)).toBeGreaterThan(0.7);
    expect([stage.width, stage.height]).toEqual([detections!.frameWidthPx, detections!.frameHeightPx]);
    expect(announced).toEqual(['sample1.jpg']);
  });
});
