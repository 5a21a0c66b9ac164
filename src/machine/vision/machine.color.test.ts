import { describe, expect, it } from 'vitest';
import { black, machine } from '../../../tests/machine-fixture.ts';
import { parseMachineConfig } from '../config/parse/parse-machine-config.ts';
import type { MarkPixels } from './color-detector/mark-pixels.ts';
import type { Frame } from './frame/frame.ts';
import { pixelsOf } from './gpu/gpu-frame.ts';
import { referenceStretchKernel } from './preprocess/preprocess.ts';

const attributes = { detect_color: '#ff0000', hue_tolerance_pct: 0.05, segment_size_px: 4, camera_name: 'marked' };
const draws = (type: string, key: string) => ({ type, attributes: { [key]: 'red', confidence_threshold: 0.9 } });
const camera = (name: string, ...pipeline: object[]) => ({
  name,
  api: 'rdk:component:camera',
  model: 'transform',
  attributes: { source: 'cam', pipeline },
});
const detector = (name: string, more: object) => ({
  name,
  api: 'rdk:service:vision',
  model: 'color_detector',
  attributes: { ...attributes, ...more },
});
const { config } = parseMachineConfig(
  JSON.stringify({
    components: [
      { name: 'cam', api: 'rdk:component:camera', model: 'webcam' },
      camera('marked', draws('detections', 'detector_name')),
      camera('asks-for-classes', draws('classifications', 'classifier_name')),
    ],
    services: [
      detector('grey', { detect_color: '#808080' }),
      detector('red', {}),
      detector('blue', { detect_color: '#0000ff', label: 'box' }),
    ],
  }),
);

/** 40×20 black pixels with a red square from 4,5 to 9,10, and a blue one from 20,5 to 23,8. */
function twoSquares(): Frame {
  const frame = black(40, 20);
  const fill = (x: number, y: number, side: number, channel: number) => {
    for (let at = 0; at < side * side; at++) {
      frame.samples[4 * ((y + Math.floor(at / side)) * 40 + x + (at % side)) + channel] = 255;
    }
  };
  fill(4, 5, 6, 0);
  fill(20, 5, 4, 2);
  return frame;
}

const red = { label: 'red', score: 1, xMin: 4, yMin: 5, xMax: 9, yMax: 10 };
const frame = twoSquares();

describe('a colour detector', () => {
  const tested = () => machine(config, {}, { frameOf: () => Promise.resolve(frame) });

  it('detects without a model, one colour a service', async () => {
    expect(await tested().detections('red', frame)).toEqual([red]);
    expect(await tested().detections('blue', frame)).toEqual([
      { label: 'box', score: 1, xMin: 20, yMin: 5, xMax: 23, yMax: 8 },
    ]);
  });

  it('has its pixels marked by the kernel, where there is one', async () => {
    const markPixels: MarkPixels = (pixels) =>
      new Uint32Array(pixels.length / 20).map((_, at) => (at % 2 === 0 && at >= 2 && at < 20 ? 0xf0 : 0));
    const stretchKernel = { ...referenceStretchKernel, markPixels };
    const marked = { label: 'red', score: 1, xMin: 4, yMin: 1, xMax: 7, yMax: 9 };
    const all = machine(config, {}, { stretchKernel, frameOf: () => Promise.resolve(frame) });
    expect(await all.detections('red', frame)).toMatchObject([marked]);
  });

  it('is not built in a colour that has no hue', async () => {
    const message = expect.stringContaining('"grey": detect_color is "#808080", which is grey') as string;
    await expect(tested().detections('grey', frame)).rejects.toMatchObject({
      code: 'grey-color',
      resource: 'grey',
      message,
    });
  });

  it('does not classify', async () => {
    await expect(tested().classifications('red', frame, 1)).rejects.toMatchObject({ code: 'not-a-classifier' });
    expect((await tested().service('red')).abilities).toMatchObject({
      detector: { able: true },
      classifier: { able: false },
    });
  });

  it('runs to raw results without an inference', async () => {
    const { result, failure } = await tested().run({ frame, cameraName: null, serviceName: 'red' });
    expect(failure).toBeNull();
    expect(result).toMatchObject({ inference: null, classifications: null, detections: { count: 1, labels: ['red'] } });
    expect([...result!.detections!.box]).toEqual([4, 5, 9, 10]);
    expect(result!.placement.packing.where).toBe('cpu');
  });

  it('sees the picture after the steps, which may draw what it finds: its own red marks are red, too', async () => {
    const { result } = await tested().run({ frame, cameraName: 'marked', serviceName: 'red' });
    const [source, marked] = result!.stages.map((stage) => pixelsOf(stage.frame));
    expect(marked!.samples).not.toEqual(source!.samples);
    expect(await tested().detectionsFromCamera('red', '')).toEqual(await tested().detections('red', marked!));
    expect([...result!.detections!.box]).not.toEqual([4, 5, 9, 10]);
  });

  it('fails a step that asks it for classes', async () => {
    const { failure } = await tested().run({ frame, cameraName: 'asks-for-classes', serviceName: 'red' });
    expect(failure).toMatchObject({
      code: 'not-a-classifier',
      where: 'camera "asks-for-classes", step 1 (classifications)',
    });
  });
});
