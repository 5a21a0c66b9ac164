import { describe, expect, it } from 'vitest';
import type { TransformStep } from '../../config/parse/machine-config.ts';
import type { Frame } from '../frame/frame.ts';
import { patternFrame } from '../frame/pattern-frame.ts';
import { crop } from '../transforms/crop.ts';
import { rotate } from '../transforms/rotate.ts';
import { traceToSource, type TracedStage } from './trace.ts';

const cropStep = (xMin: number, yMin: number, xMax: number, yMax: number, overlayCropBox = false): TransformStep => ({
  type: 'crop',
  attributes: { xMin, yMin, xMax, yMax, overlayCropBox },
});
const resizeStep = (widthPx: number, heightPx: number): TransformStep => ({
  type: 'resize',
  attributes: { widthPx, heightPx },
});
const rotateStep = (angleDegs: number): TransformStep => ({ type: 'rotate', attributes: { angleDegs } });
const drawStep: TransformStep = {
  type: 'detections',
  attributes: { serviceName: 'd', confidenceThreshold: 0, validLabels: [] },
};
const source: TracedStage = { step: null, widthPx: 100, heightPx: 60 };
const box = { xMin: 10, yMin: 5, xMax: 20, yMax: 15 };
const corners = (...stages: TracedStage[]) => traceToSource(box, [source, ...stages]).map(({ x, y }) => [x, y]);

describe('traceToSource', () => {
  it.each<[string, TracedStage[], number[][]]>([
    [
      'no step',
      [],
      [
        [10, 5],
        [20, 5],
        [20, 15],
        [10, 15],
      ],
    ],
    [
      'steps that move nothing',
      [
        { ...source, step: { type: '' } },
        { ...source, step: drawStep },
      ],
      [
        [10, 5],
        [20, 5],
        [20, 15],
        [10, 15],
      ],
    ],
    [
      'crop in pixels',
      [{ step: cropStep(30, 20, 80, 50), widthPx: 50, heightPx: 30 }],
      [
        [40, 25],
        [50, 25],
        [50, 35],
        [40, 35],
      ],
    ],
    [
      'crop in fractions',
      [{ step: cropStep(0.3, 0.5, 1, 1), widthPx: 70, heightPx: 30 }],
      [
        [40, 35],
        [50, 35],
        [50, 45],
        [40, 45],
      ],
    ],
    [
      'crop box drawn only',
      [{ ...source, step: cropStep(30, 20, 80, 50, true) }],
      [
        [10, 5],
        [20, 5],
        [20, 15],
        [10, 15],
      ],
    ],
    [
      'resize maps pixel centres',
      [{ step: resizeStep(50, 120), widthPx: 50, heightPx: 120 }],
      [
        [20.5, 2.25],
        [40.5, 2.25],
        [40.5, 7.25],
        [20.5, 7.25],
      ],
    ],
    [
      'rotate 90 clockwise',
      [{ step: rotateStep(90), widthPx: 60, heightPx: 100 }],
      [
        [5, 49],
        [5, 39],
        [15, 39],
        [15, 49],
      ],
    ],
    [
      'rotate 180',
      [{ ...source, step: rotateStep(180) }],
      [
        [89, 54],
        [79, 54],
        [79, 44],
        [89, 44],
      ],
    ],
    [
      'rotate -90',
      [{ step: rotateStep(-90), widthPx: 60, heightPx: 100 }],
      [
        [94, 10],
        [94, 20],
        [84, 20],
        [84, 10],
      ],
    ],
    [
      'last step first: crop, then rotate 90',
      [
        { step: cropStep(30, 20, 80, 50), widthPx: 50, heightPx: 30 },
        { step: rotateStep(90), widthPx: 30, heightPx: 50 },
      ],
      [
        [35, 39],
        [35, 29],
        [45, 29],
        [45, 39],
      ],
    ],
  ])('%s', (_, stages, points) => {
    expect(corners(...stages)).toEqual(points);
  });

  it.each([
    [450, 90, 60, 100],
    [-270, 90, 60, 100],
    [360, 0, 100, 60],
    [-180, 180, 100, 60],
  ])('turns back by %i° as by %i°', (degrees, same, widthPx, heightPx) => {
    const turned = (angleDegs: number) => corners({ step: rotateStep(angleDegs), widthPx, heightPx });
    expect(turned(degrees)).toEqual(turned(same));
  });

  it('tilts the box after a free rotation, keeping its sides and angles', () => {
    const frame = patternFrame('rgba8', 100, 60);
    const { widthPx, heightPx } = rotate(frame, { angleDegs: 30 });
    const centre = { x: widthPx / 2 - 0.5, y: heightPx / 2 - 0.5 };
    const traced = traceToSource({ xMin: centre.x, yMin: centre.y, xMax: centre.x + 10, yMax: centre.y + 4 }, [
      source,
      { step: rotateStep(30), widthPx, heightPx },
    ]);
    // Clockwise by 30° on the way there, so back it goes counter-clockwise: right becomes right and up.
    const [cos, sin] = [Math.cos(Math.PI / 6), Math.sin(Math.PI / 6)];
    const expected = [
      [49.5, 29.5],
      [49.5 + 10 * cos, 29.5 - 10 * sin],
      [49.5 + 10 * cos + 4 * sin, 29.5 - 10 * sin + 4 * cos],
      [49.5 + 4 * sin, 29.5 + 4 * cos],
    ];
    traced.forEach(({ x, y }, i) => {
      expect(x).toBeCloseTo(expected[i]![0]!, 9);
      expect(y).toBeCloseTo(expected[i]![1]!, 9);
    });
  });

  it('leads to the very pixel that exact steps moved', () => {
    const frame = patternFrame('rgba8', 40, 30);
    const cropped = crop(frame, { xMin: 5, yMin: 3, xMax: 35, yMax: 27, overlayCropBox: false });
    const last = rotate(cropped, { angleDegs: 270 });
    const stages: TracedStage[] = [
      { ...frame, step: null },
      { ...cropped, step: cropStep(5, 3, 35, 27) },
      { ...last, step: rotateStep(270) },
    ];
    const pixelAt = ({ samples, widthPx }: Frame, x: number, y: number) => [
      ...samples.subarray(4 * (y * widthPx + x), 4 * (y * widthPx + x) + 4),
    ];
    for (let y = 0; y < last.heightPx; y++) {
      for (let x = 0; x < last.widthPx; x++) {
        const [from] = traceToSource({ xMin: x, yMin: y, xMax: x, yMax: y }, stages);
        expect(pixelAt(last, x, y)).toEqual(pixelAt(frame, from.x, from.y));
      }
    }
  });
});
