import { describe, expect, it } from 'vitest';
import type { TransformStep } from '../config/parse/machine-config.ts';
import type { FrameIntake } from './inference/inference-session.ts';
import { randomSource, randomYuvFrame } from '../../../tests/random-frame.ts';
import { patternFrame } from './frame/pattern-frame.ts';
import { afterRun, placeRun, type Placement } from './placement.ts';

const frame = patternFrame('rgba8', 8, 6);
const crop = (overlayCropBox: boolean): TransformStep => ({
  type: 'crop',
  attributes: { xMin: 0, yMin: 0, xMax: 4, yMax: 4, overlayCropBox },
});
const resize: TransformStep = { type: 'resize', attributes: { widthPx: 3, heightPx: 3 } };
const rotate: TransformStep = { type: 'rotate', attributes: { angleDegs: 9 } };
const detections: TransformStep = {
  type: 'detections',
  attributes: { serviceName: 'a', confidenceThreshold: 0, labelConfidences: {}, validLabels: [] } as never,
};
const unasked = () => Promise.reject(new Error('never asked'));
const taking = (refusal = ''): { gpu: FrameIntake } => ({ gpu: { refusal, run: unasked, inspect: unasked } });

const inWords = ({ steps, packing }: Placement) =>
  [...steps, packing].map(({ where, because }) => (because === '' ? where : `${where}: ${because}`));

describe('what runs where', () => {
  it.each<[string, readonly TransformStep[], readonly string[]]>([
    ['no step', [], ['gpu']],
    ['steps that only move pixels', [crop(false), { type: '' }, resize, rotate], ['gpu', 'gpu', 'gpu', 'gpu', 'gpu']],
    [
      'a step that draws',
      [resize, detections, crop(false)],
      ['cpu: step 2 draws on the picture', 'cpu: it draws on the picture', 'gpu', 'gpu'],
    ],
    ['a crop that draws its window', [crop(true), rotate], ['cpu: it draws on the picture', 'gpu', 'gpu']],
  ])('%s', (_, steps, expected) => {
    expect(inWords(placeRun(frame, steps, taking()))).toEqual(expected);
  });

  it.each<[string, Parameters<typeof placeRun>[2], Parameters<typeof placeRun>[0], string]>([
    ['there is no model', null, frame, 'no model sees the picture'],
    ['the model is on the CPU', {}, frame, 'the model does not run on the GPU'],
    ['it came back to the CPU', { gpu: null }, frame, 'the model does not run on the GPU'],
    ['the GPU takes no frames', taking('this GPU computes wrongly'), frame, 'this GPU computes wrongly'],
    ['16 bits', taking(), patternFrame('rgba16', 8, 6), 'the picture has 16 bits a colour, more than the shaders hold'],
  ])('all on the CPU where %s', (_, session, source, because) => {
    expect(inWords(placeRun(source, [resize], session))).toEqual([`cpu: ${because}`, `cpu: ${because}`]);
  });

  it.each<[string, readonly TransformStep[], FrameIntake | null, string]>([
    ['the model reads them there', [], taking().gpu, 'gpu'],
    ['the first step is there', [crop(false), rotate], taking().gpu, 'gpu'],
    ['a step draws', [rotate, detections], taking().gpu, 'cpu: step 2 draws on the picture'],
    ['the model is on the CPU', [rotate], null, 'cpu: the model does not run on the GPU'],
  ])("has a camera's colours where the frame is first: %s", (_, steps, gpu, expected) => {
    const placement = placeRun(randomYuvFrame(randomSource(1), 'nv12', 8, 6), steps, { gpu });
    const { where, because } = placement.colours!;
    expect(because === '' ? where : `${where}: ${because}`).toBe(expected);
    const after = afterRun(placement, { gpuFault: 'it failed' }).colours!;
    expect(after).toEqual(expected === 'gpu' ? { where: 'cpu', because: 'it failed' } : placement.colours);
    expect(placeRun(frame, steps, { gpu }).colours).toBeUndefined();
  });

  it('is all on the CPU once the GPU failed, for that reason where it was to run', () => {
    const placement = placeRun(frame, [detections, rotate], taking());
    expect(inWords(afterRun(placement, { gpuFault: 'it failed' }))).toEqual([
      'cpu: it draws on the picture',
      'cpu: it failed',
      'cpu: it failed',
    ]);
    expect(afterRun(placement, {})).toEqual(placement);
    expect(afterRun(placement, { notCaptured: 'it loops' })).toEqual({ ...placement, notCaptured: 'it loops' });
  });
});
