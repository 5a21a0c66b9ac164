import { describe, expect, it } from 'vitest';
import { headModel, logit, type HeadModel } from '../../../tests/fit/head-models.ts';
import { aroundCentre, bestClass, suppressPlainly } from '../../../tests/fit/plain-detections.ts';
import { expectSameRows, rowsOf, runFitted } from '../../../tests/fit/run-fitted.ts';
import { randomSource } from '../../../tests/random-frame.ts';
import { fitModel } from '../fit-model.ts';

const size = { widthPx: 96, heightPx: 64 };
const stretch = { letterbox: 'stretch' };
const cells = 12 * 8 + 6 * 4 + 3 * 2;

interface Columns {
  /** [4][cells] centre x, centre y, width, height */
  readonly boxes: readonly (readonly number[])[];
  /** [classes][cells] */
  readonly scores: readonly (readonly number[])[];
}

function randomColumns(seed: number, classCount: number): Columns {
  const random = randomSource(seed);
  const row = (scale: number, offset = 0) =>
    Array.from({ length: cells }, () => Math.fround(random() * scale + offset));
  return {
    boxes: [row(96), row(64), row(40, 4), row(40, 4)],
    scores: Array.from({ length: classCount }, () => row(0.98, 0.01)),
  };
}

/** The head as exports write it: decoded boxes times strides, and a sigmoid over the class scores. */
function yoloV8Model(
  { boxes, scores }: Columns,
  model: HeadModel = {},
  stated: readonly (number | string)[] | null = null,
) {
  return headModel({ ...size, ...model }, (build) => {
    const stride = build.floats([], [8]);
    const decoded = build.add('Mul', [
      build.floats(
        [1, 4, cells],
        boxes.flat().map((value) => value / 8),
      ),
      stride,
    ]);
    const activated = build.add('Sigmoid', [build.floats([1, scores.length, cells], scores.flat().map(logit))]);
    const output = build.add('Concat', [decoded, activated], { axis: { int: 1 } });
    build.output('output0', output, 'float32', stated ?? [1, 4 + scores.length, cells]);
  });
}

function plainly({ boxes, scores }: Columns, limits: Partial<Parameters<typeof suppressPlainly>[1]> = {}) {
  const candidates = Array.from({ length: cells }, (_, cell) => ({
    corners: aroundCentre(boxes.map((row) => row[cell]!)),
    ...bestClass(scores.map((row) => row[cell]!)),
  }));
  return suppressPlainly(candidates, {
    ...size,
    scoreThreshold: 0.01,
    iouThreshold: 0.7,
    maxDetections: 100,
    ...limits,
  });
}

describe('YOLOv8', () => {
  it.each([1, 3, 80])('gives what its own post-processing gives, with %i classes', async (classCount) => {
    const columns = randomColumns(classCount, classCount);
    const { family, model } = fitModel(yoloV8Model(columns), { options: stretch });
    expect(family.id).toBe('yolo-v8');
    const rows = rowsOf(await runFitted(model));
    expect(rows.length).toBeGreaterThan(20);
    expectSameRows(rows, plainly(columns), size);
  });

  it('takes thresholds and the number of rows as options', async () => {
    const columns = randomColumns(7, 3);
    const options = { ...stretch, scoreThreshold: 0.9, iouThreshold: 0.3, maxDetections: 7 };
    const outputs = await runFitted(fitModel(yoloV8Model(columns), { options }).model);
    expect(outputs['location']!.shape).toEqual([1, 7, 4]);
    expectSameRows(
      rowsOf(outputs),
      plainly(columns, { scoreThreshold: 0.9, iouThreshold: 0.3, maxDetections: 7 }),
      size,
    );
  });

  it('looks at no more candidates than it is told to', async () => {
    const columns = randomColumns(8, 3);
    const rows = rowsOf(
      await runFitted(fitModel(yoloV8Model(columns), { options: { ...stretch, maxCandidates: 9 } }).model),
    );
    expectSameRows(rows, plainly(columns, { maxCandidates: 9 }), size);
  });

  it('leaves the numbers of masks out', async () => {
    const columns = randomColumns(9, 3);
    const masks = randomColumns(10, 4);
    const source = headModel(size, (build) => {
      const decoded = build.add('Mul', [build.floats([1, 4, cells], columns.boxes.flat()), build.floats([], [1])]);
      const activated = build.add('Sigmoid', [build.floats([1, 3, cells], columns.scores.flat().map(logit))]);
      const coefficients = build.floats([1, 4, cells], masks.scores.flat());
      const output = build.add('Concat', [decoded, activated, coefficients], { axis: { int: 1 } });
      build.output('output0', output, 'float32', [1, 11, cells]);
      build.output('output1', build.floats([1, 4, 16, 24], new Float32Array(1536)), 'float32', [1, 4, 16, 24]);
    });
    const { model, evidence } = fitModel(source, { options: stretch });
    expect(evidence.join(' ')).toMatch(/3 class scores.*4 further numbers of masks are left out/);
    expectSameRows(rowsOf(await runFitted(model)), plainly(columns), size);
  });

  it.each([
    ['with names', { task: 'obb', names: "{0: 'plane', 1: 'ship', 2: 'harbour'}" }],
    ['without', { task: 'obb' }],
  ])('makes upright boxes of turned ones, %s', async (_, metadata) => {
    const columns = randomColumns(11, 3);
    const angles = Array.from({ length: cells }, (_, cell) => -0.7 + (2.2 * cell) / cells);
    const source = headModel({ ...size, metadata }, (build) => {
      const decoded = build.add('Mul', [build.floats([1, 4, cells], columns.boxes.flat()), build.floats([], [1])]);
      const activated = build.add('Sigmoid', [build.floats([1, 3, cells], columns.scores.flat().map(logit))]);
      const turned = build.floats([1, 1, cells], angles);
      const output = build.add('Concat', [decoded, activated, turned], { axis: { int: 1 } });
      build.output('output0', output, 'float32', [1, 8, cells]);
    });
    const [x, y, width, height] = columns.boxes as [number[], number[], number[], number[]];
    const upright = { ...columns, boxes: [x, y, [...width], [...height]] };
    angles.forEach((angle, cell) => {
      // the corners of the turned box, and what is around them
      const corners = [-1, 1].flatMap((across) =>
        [-1, 1].map((down) => [
          (across * width[cell]! * Math.cos(angle) - down * height[cell]! * Math.sin(angle)) / 2,
          (across * width[cell]! * Math.sin(angle) + down * height[cell]! * Math.cos(angle)) / 2,
        ]),
      );
      const extent = (axis: 0 | 1) =>
        Math.max(...corners.map((one) => one[axis]!)) - Math.min(...corners.map((one) => one[axis]!));
      upright.boxes[2]![cell] = extent(0);
      upright.boxes[3]![cell] = extent(1);
    });
    const { model, evidence } = fitModel(source, { options: stretch });
    expect(evidence.join(' ')).toMatch(/1 further numbers of angles.*turned \(OBB\)/);
    expectSameRows(rowsOf(await runFitted(model)), plainly(upright), size);
  });

  it('takes the size of a dynamic model from its metadata', () => {
    const stated = ['batch', 7, 'anchors'];
    const source = (metadata: Record<string, string>) =>
      headModel({ widthPx: -1, heightPx: -1, batch: 'batch', metadata }, (build) => {
        const decoded = build.add('Mul', [
          build.floats([1, 4, cells], new Float32Array(4 * cells)),
          build.floats([], [8]),
        ]);
        const activated = build.add('Sigmoid', [build.floats([1, 3, cells], new Float32Array(3 * cells))]);
        build.output('o', build.add('Concat', [decoded, activated], { axis: { int: 1 } }), 'float32', stated);
      });
    expect(fitModel(source({ imgsz: '[64, 96]' })).inputSize).toEqual(size);
    expect(fitModel(source({}), { inputSize: size }).inputSize).toEqual(size);
    expect(() => fitModel(source({}))).toThrow(expect.objectContaining({ code: 'size-unknown' }));
  });

  it('is known by its two parts where a candidate is a row, without labels; with an objectness beside them it is YOLOv6', async () => {
    const { boxes, scores } = randomColumns(13, 3);
    const byRows = (withObjectness: boolean) =>
      headModel(size, (build) => {
        const stride = build.floats([], [8]);
        const raw = boxes.flat().map((value) => value / 8);
        const decoded = build.add('Mul', [build.floats([1, 4, cells], raw), stride]);
        const ones = withObjectness ? [build.floats([1, 1, cells], new Float32Array(cells).fill(1))] : [];
        const activated = build.add('Sigmoid', [build.floats([1, 3, cells], scores.flat().map(logit))]);
        const joined = build.add('Concat', [decoded, ...ones, activated], { axis: { int: 1 } });
        const rows = build.add('Transpose', [joined], { perm: { ints: [0, 2, 1] } });
        build.output('output0', rows, 'float32', [1, cells, withObjectness ? 8 : 7]);
      });
    const { family, model } = fitModel(byRows(false), { options: stretch });
    expect(family.id).toBe('yolo-v8');
    expectSameRows(rowsOf(await runFitted(model)), plainly({ boxes, scores }), size);
    expect(fitModel(byRows(true)).family.id).toBe('yolox');
  });

  it('is among the first of the families that a model of its shape is none of', () => {
    const source = headModel(size, (build) => {
      build.output('o', build.floats([1, 7, cells], new Float32Array(7 * cells)), 'float32', [1, 7, cells]);
    });
    expect(() => fitModel(source)).toThrow(/outputs "o" float32 1×7×126\. Not YOLOv8, YOLO11, YOLO12: no sigmoid/);
  });

  it.each([
    ['a candidate too many', [1, 7, cells + 1], /127 candidates are not one a cell/],
    ['no sigmoid', null, /no sigmoid/],
  ])('is not taken for it with %s', (_, stated, why) => {
    const source = headModel(size, (build) => {
      const shape = stated ?? [1, 7, cells];
      build.output('o', build.floats(shape, new Float32Array(7 * shape[2]!)), 'float32', shape);
    });
    expect(() => fitModel(source)).toThrow(
      expect.objectContaining({ code: 'unrecognised', message: expect.stringMatching(why) }),
    );
  });

  it('is not taken for it where its boxes are not decoded', () => {
    const source = headModel(size, (build) => {
      const boxes = build.floats([1, 4, cells], new Float32Array(4 * cells));
      const activated = build.add('Sigmoid', [build.floats([1, 3, cells], new Float32Array(3 * cells))]);
      build.output('o', build.add('Concat', [boxes, activated], { axis: { int: 1 } }), 'float32', [1, 7, cells]);
    });
    expect(() => fitModel(source)).toThrow(
      expect.objectContaining({ code: 'unrecognised', message: expect.stringMatching(/its boxes are not decoded/) }),
    );
  });
});
