import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { parseMachineConfig } from '../../src/machine/config/parse/parse-machine-config.ts';
import type { Detection } from '../../src/machine/vision/results/detections.ts';
import type { Frame } from '../../src/machine/vision/frame/frame.ts';
import { createMachine } from '../../src/machine/vision/machine.ts';
import { overlayFace } from '../../src/machine/vision/overlay/overlay-face.ts';
import { fitModel } from '../../src/models/fit/fit-model.ts';
import { readFontFile } from '../../src/cli/shared/load-machine.ts';
import { readFrameFile } from '../../src/platform/node/frame-file.ts';
import { findNative, type NativePackage } from '../../src/platform/node/native-onnxruntime.ts';
import { sessionOpener } from '../../src/platform/node/open-session.ts';
import type { OrtBuild } from '../../src/platform/onnxruntime/onnxruntime-session.ts';
import { cocoPhotographs, facePhotographs, hasSharedData, sharedData } from '../fit/photographs.ts';

/** The optional package where the figures have it. */
const require = createRequire(new URL('../../bench/peers/package.json', import.meta.url));
const ofFigures: NativePackage = {
  isThere: () => existsSync(new URL('../../bench/peers/node_modules/onnxruntime-node', import.meta.url)),
  version: () => (require('onnxruntime-node/package.json') as { readonly version: string }).version,
  load: () => require('onnxruntime-node') as OrtBuild,
};
const beside = findNative();
const native = beside.kind === 'missing' ? findNative(ofFigures) : beside;
const isMissing = native.kind === 'missing';

const root = new URL('../../', import.meta.url);
/** What rounding may make of a score of float32, and of an edge in whole pixels. */
const scoreTolerance = 1e-4;
const edgeTolerancePx = 1;

async function boxesOn(
  runtime: 'native' | 'wasm',
  model: Uint8Array<ArrayBuffer>,
  configuration: object,
  frames: readonly Frame[],
): Promise<readonly (readonly Detection[])[]> {
  const session = await sessionOpener(runtime, () => undefined, () => native).open(model); // prettier-ignore
  expect(session.runtime).toContain(runtime === 'native' ? ', native' : ', WASM');
  const { config } = parseMachineConfig(JSON.stringify(configuration));
  const { name } = config.visionServices[0]!;
  const font = overlayFace(await readFontFile());
  const machine = createMachine(config, { [name]: { session, labels: null } }, { font });
  const boxes = [];
  for (const frame of frames) boxes.push(await machine.detections(name, frame));
  await session.release();
  return boxes;
}

async function expectSameBoxes(
  model: Uint8Array<ArrayBuffer>,
  configuration: object,
  frames: readonly Frame[],
): Promise<void> {
  const wasm = await boxesOn('wasm', model, configuration, frames);
  const here = await boxesOn('native', model, configuration, frames);
  expect(wasm.flat().length).toBeGreaterThan(0);
  for (const [at, boxes] of wasm.entries()) {
    expect(here[at]!.map(({ label }) => label)).toEqual(boxes.map(({ label }) => label));
    for (const [row, box] of boxes.entries()) {
      const other = here[at]![row]!;
      expect(Math.abs(other.score - box.score)).toBeLessThan(scoreTolerance);
      for (const edge of ['xMin', 'yMin', 'xMax', 'yMax'] as const)
        expect(Math.abs(other[edge] - box[edge])).toBeLessThanOrEqual(edgeTolerancePx);
    }
  }
}

const published = [
  ['yolox_nano_416.onnx', { letterbox: 'stretch' }],
  ['nanodet_m_320.onnx', {}],
  ['FastestDet_ortx.onnx', {}],
  ['deimv2_hgnetv2_atto_coco.onnx', {}],
  ['ultraface_RFB-320.onnx', {}],
] as const;

describe.skipIf(isMissing)('native ONNX Runtime (skipped without the optional package onnxruntime-node)', () => {
  const detector = new URL('public/builtin/models/face-detector.onnx', root);
  it.skipIf(!existsSync(detector))('gives the boxes of WASM but for rounding: the built-in detector', async () => {
    const attributes = {
      mlmodel_name: 'm',
      mean_value: [127.5, 127.5, 127.5],
      std_dev: [127.5, 127.5, 127.5],
      default_minimum_confidence: 0.3,
    };
    const service = { name: 'faces', api: 'rdk:service:vision', model: 'mlmodel', attributes };
    const pictures = ['sample1.jpg', 'sample2.jpg'].map(
      (file) => new URL(`public/builtin/frames/${file}`, root).pathname,
    );
    const frames = await Promise.all(pictures.filter((path) => existsSync(path)).map(readFrameFile));
    await expectSameBoxes(new Uint8Array(await readFile(detector)), { services: [service] }, frames);
  });

  it.skipIf(!hasSharedData).each(published)('… %s, fitted (skipped without ../shared/data)', async (file, options) => {
    const source = new Uint8Array(await readFile(new URL(`models/${file}`, sharedData)));
    const { model, configuration } = fitModel(source, { options });
    const frames = [...(await cocoPhotographs(6)), ...(await facePhotographs())].map(({ frame }) => frame);
    await expectSameBoxes(model.slice(), configuration, frames);
  });

  it('says in its own words what the file or the input lacks, as WASM does', async () => {
    const open = (bytes: Uint8Array<ArrayBuffer>) => sessionOpener('native', () => undefined, () => native).open(bytes); // prettier-ignore
    await expect(open(new Uint8Array(100))).rejects.toMatchObject({ name: 'InferenceError', code: 'not-onnx' });
  });
});
