import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { listInterpretations } from '../../src/models/fit/interpretations/list-interpretations.ts';
import { mirroring } from '../../src/models/fit/interpretations/mirror.ts';
import { rankInterpretations, interpretationsLeft } from '../../src/models/fit/interpretations/rank-interpretations.ts';
import { readFrameFile } from '../../src/platform/node/frame-file.ts';
import { openNodeSession } from '../../src/platform/node/onnxruntime.ts';
import { oneAtATime } from '../../src/base/schedule/one-at-a-time.ts';
import { infer } from '../../src/machine/vision/pipeline.ts';
import { referenceStretchKernel } from '../../src/machine/vision/preprocess/preprocess.ts';
import { buildVisionService } from '../../src/machine/vision/vision-service.ts';
import { visionServiceConfig } from '../machine-configs.ts';

const data = new URL('../../../shared/data/', import.meta.url);
const noMask = { leftPx: 0, topPx: 0, widthPx: 0, heightPx: 0, alpha: new Uint8Array() };
const ports = {
  font: { advanceOf: () => 0, maskOf: () => noMask },
  stretchKernel: referenceStretchKernel,
  turn: oneAtATime(),
  nowMs: () => 0,
};

describe.skipIf(!existsSync(data))('interpretations of published models (skipped without ../shared/data)', () => {
  it.each(['satya.jpg', 'faces_1.jpg'])('UltraFace on %s leaves one', async (photograph) => {
    const bytes = new Uint8Array(await readFile(new URL('models/ultraface_RFB-320.onnx', data)));
    const session = await openNodeSession(bytes);
    const config = visionServiceConfig({
      remapInputNames: { input: 'image' },
      meanValue: [127 / 255, 127 / 255, 127 / 255],
      stdDev: [128 / 255, 128 / 255, 128 / 255],
    });
    const service = buildVisionService(config, { session, labels: null });
    const frame = await readFrameFile(new URL(`images/${photograph}`, data).pathname);
    const run = await infer(frame, service, ports);
    const mirror = await infer(frame, service, { ...ports, stretchKernel: mirroring(referenceStretchKernel) });
    const ranked = rankInterpretations(listInterpretations(run.outputs), run, mirror);
    const left = interpretationsLeft(ranked);
    expect(left.map(({ why }) => why)).toEqual(['boxes are x, y, x, y, class 0 is background']);
    await session.release();
  });
});
