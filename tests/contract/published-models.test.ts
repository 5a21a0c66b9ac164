import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { VisionServiceConfig } from '../../src/machine/config/parse/machine-config.ts';
import { readFrameFile } from '../../src/platform/node/frame-file.ts';
import { openNodeSession } from '../../src/platform/node/onnxruntime.ts';
import { createMachine } from '../../src/machine/vision/machine.ts';
import { visionServiceConfig } from '../machine-configs.ts';

const data = new URL('../../../shared/data/', import.meta.url);
const noMask = { leftPx: 0, topPx: 0, widthPx: 0, heightPx: 0, alpha: new Uint8Array() };
const font = { advanceOf: () => 0, maskOf: () => noMask };

async function machineWith(
  file: string,
  attributes: Partial<VisionServiceConfig>,
  labels: readonly string[] | null = null,
) {
  const session = await openNodeSession(new Uint8Array(await readFile(new URL(`models/${file}`, data))));
  const config = { cameras: [], visionServices: [visionServiceConfig(attributes)] };
  return { session, machine: createMachine(config, { vision: { session, labels } }, { font }) };
}

describe.skipIf(!existsSync(data))('published models as vision services (skipped without ../shared/data)', () => {
  it.each([
    [
      'yolox_nano_416.onnx',
      'images',
      /"output" 1×3549×85 looks like a raw detector head.*cannot be remapped.*objectness × class/,
    ],
    ['FastestDet_ortx.onnx', 'input', /raw detector head/],
    ['nanodet_m_320.onnx', 'input.1', /raw detector head with one set of tensors a stride/],
  ])('%s is a raw head, and the reason says so', async (file, input, reason) => {
    const { session, machine } = await machineWith(file, { remapInputNames: { [input]: 'image' } });
    const { abilities } = await machine.service('vision');
    expect(abilities.detector).toMatchObject({ able: false, code: 'raw-head', reason: expect.stringMatching(reason) });
    await session.release();
  });

  it('DEIMv2 has an input that the machine does not fill', async () => {
    const { session, machine } = await machineWith('deimv2_hgnetv2_atto_coco.onnx', {
      remapInputNames: { images: 'image' },
    });
    const { abilities } = await machine.service('vision');
    expect(abilities.detector.reason).toMatch(/"orig_target_sizes" would stay empty/);
    await session.release();
  });

  it('SqueezeNet takes float16, which the machine does not feed', async () => {
    const { session, machine } = await machineWith('SqueezeNet_fp16_winml.onnx', {
      remapInputNames: { data_0: 'image' },
    });
    await expect(machine.service('vision')).rejects.toMatchObject({ code: 'unsupported-dtype' });
    await session.release();
  });

  it('UltraFace finds both faces through a remap, categories inside its scores', async () => {
    const { session, machine } = await machineWith(
      'ultraface_RFB-320.onnx',
      {
        remapInputNames: { input: 'image' },
        remapOutputNames: { boxes: 'location', scores: 'score' },
        boxOrder: [0, 1, 2, 3],
        meanValue: [127 / 255, 127 / 255, 127 / 255],
        stdDev: [128 / 255, 128 / 255, 128 / 255],
        labelConfidences: { face: 0.6 },
      },
      ['background', 'face'],
    );
    const frame = await readFrameFile(new URL('images/satya.jpg', data).pathname);
    const faces = await machine.detections('vision', frame);
    expect(faces.length).toBeGreaterThan(2); // the machine does no non-maximum suppression
    // Boxes that do not overlap are different faces.
    const apart: typeof faces = [];
    for (const face of faces)
      if (apart.every((other) => face.xMin > other.xMax || face.xMax < other.xMin)) apart.push(face);
    expect(apart).toHaveLength(2);
    await session.release();
  });
});
