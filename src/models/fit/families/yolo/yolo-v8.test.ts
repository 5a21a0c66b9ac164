import { describe, expect, it } from 'vitest';
import { headModel, logit, type HeadModel } from '../../../../../tests/fit/head-models.ts';
import { aroundCentre, bestClass, suppressPlainly } from '../../../../../tests/fit/plain-detections.ts';
import { expectPoints, expectSameRows, rowsOf, runFitted } from '../../../../../tests/fit/run-fitted.ts';
import { randomSource } from '../../../../../tests/random-frame.ts';
import { fitModel } from '../../fit-model.ts';

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

  describe('with key points', () => {
    const points = 17;
    const metadata = { task: 'pose', kpt_shape: '[17, 3]', names: "{0: 'person'}" };

    /** A pose model as exports write it: decoded boxes and scores, then decoded key points, joined. */
    function poseModel(columns: Columns, further: readonly (readonly number[])[], model: HeadModel) {
      return headModel({ ...size, ...model }, (build) => {
        const decoded = build.add('Mul', [build.floats([1, 4, cells], columns.boxes.flat()), build.floats([], [1])]);
        const activated = build.add('Sigmoid', [build.floats([1, 1, cells], columns.scores.flat().map(logit))]);
        const detected = build.add('Concat', [decoded, activated], { axis: { int: 1 } });
        const isSure = further.map((_, k) => k % 3 === 2);
        const raw = build.floats([1, 51, cells], further.map((row, k) => (isSure[k] ? row.map(logit) : row)).flat());
        const [mask, rest] = [isSure, isSure.map((is) => !is)].map((is) => build.floats([1, 51, 1], is.map(Number)));
        const sure = build.add('Mul', [build.add('Sigmoid', [raw]), mask!]);
        const places = build.add('Add', [build.add('Mul', [raw, rest!]), sure]);
        const joined = 'task' in (model.metadata ?? {}) ? [detected, places] : [decoded, activated, places];
        const output = build.add('Concat', joined, { axis: { int: 1 } });
        build.output('output0', output, 'float32', [1, 56, cells]);
      });
    }

    function randomPose(seed: number) {
      const random = randomSource(seed);
      const columns = randomColumns(seed, 1);
      const further = Array.from({ length: 3 * points }, (_, k) =>
        Array.from({ length: cells }, () =>
          Math.fround(k % 3 === 2 ? 0.01 + 0.98 * random() : random() * [size.widthPx, size.heightPx][k % 3]!),
        ),
      );
      const candidates = Array.from({ length: cells }, (_, cell) => ({
        corners: aroundCentre(columns.boxes.map((row) => row[cell]!)),
        points: Array.from({ length: points }, (_, k) => {
          const [x, y, sure] = [0, 1, 2].map((at) => further[3 * k + at]![cell]!);
          return [x!, y!, sure!] as const;
        }),
      }));
      return { columns, further, candidates };
    }

    it.each([
      ['which its metadata tells', { metadata }, {}],
      ['which its parts tell', {}, {}],
      ['which its parts and its labels tell', {}, { labels: ['person'] }],
    ])('gives those of its boxes, %s', async (_, model, request) => {
      const { columns, further, candidates } = randomPose(12);
      const fitted = fitModel(poseModel(columns, further, model), { options: stretch, ...request });
      expect(fitted.evidence.join(' ')).toMatch(/1 class scores.*51 further numbers of key points are not boxes/);
      expect(fitted.added.join(' ')).toMatch(/key points of these rows.*the machine ignores/);
      const outputs = await runFitted(fitted.model);
      expect(outputs['key_points']!.shape).toEqual([1, 100, points, 3]);
      expect(expectPoints(outputs, candidates, size)).toBeGreaterThan(20);
      expectSameRows(rowsOf(outputs), plainly(columns), size);
    });

    it('puts them onto a frame that the graph pads', async () => {
      const { columns, further, candidates } = randomPose(13);
      const { model } = fitModel(poseModel(columns, further, { metadata }), { options: { letterbox: 'pad' } });
      // 64 pixels high and 48 wide, it is 48 wide and 64 high in the input, with 24 of border on both sides.
      const image = { dtype: 'uint8' as const, shape: [1, 3, 64, 48], data: new Uint8Array(3 * 64 * 48) };
      const moved = candidates.map(({ corners: [xMin, yMin, xMax, yMax], points: found }) => ({
        corners: [xMin - 24, yMin, xMax - 24, yMax] as const,
        points: found.map(([x, y, sure]) => [x - 24, y, sure] as const),
      }));
      expect(expectPoints(await runFitted(model, image), moved, { widthPx: 48, heightPx: 64 })).toBeGreaterThan(20);
    });

    it('takes more numbers for classes where nothing tells of key points', () => {
      const columns = randomColumns(14, 52);
      expect(fitModel(yoloV8Model(columns), { options: stretch }).evidence.join(' ')).toMatch(/52 class scores/);
    });
  });

  it('gives the weights of each box and the prototypes where masks are kept', async () => {
    const columns = randomColumns(9, 3);
    const masks = randomColumns(10, 4).scores;
    const maps = Float32Array.from({ length: 4 * 16 * 24 }, (_, k) => k / 100);
    const source = headModel(size, (build) => {
      const decoded = build.add('Mul', [build.floats([1, 4, cells], columns.boxes.flat()), build.floats([], [1])]);
      const activated = build.add('Sigmoid', [build.floats([1, 3, cells], columns.scores.flat().map(logit))]);
      const weights = build.floats([1, 4, cells], masks.flat());
      const output = build.add('Concat', [decoded, activated, weights], { axis: { int: 1 } });
      build.output('output0', output, 'float32', [1, 11, cells]);
      build.output('output1', build.floats([1, 4, 16, 24], maps), 'float32', [1, 4, 16, 24]);
    });
    const outputs = await runFitted(fitModel(source, { options: { ...stretch, masks: 'keep' } }).model);
    expectSameRows(rowsOf(outputs), plainly(columns), size);
    expect(Object.keys(outputs)).toEqual(['location', 'category', 'score', 'mask_weights', 'mask_prototypes']);
    expect(outputs['mask_prototypes']).toEqual({ shape: [1, 4, 16, 24], values: [...maps] });
    // The weights of the surest row are those of its cell.
    const [best] = rowsOf(outputs);
    const cell = Array.from({ length: cells }, (_, k) => Math.max(...columns.scores.map((row) => row[k]!)));
    const surest = cell.indexOf(Math.max(...cell));
    expect(best!.score).toBeCloseTo(cell[surest]!, 4);
    expect(outputs['mask_weights']!.values.slice(0, 4)).toEqual(masks.map((row) => row[surest]));

    const padded = await runFitted(fitModel(source, { options: { letterbox: 'pad', masks: 'keep' } }).model, {
      dtype: 'uint8',
      shape: [1, 3, 64, 48],
      data: new Uint8Array(3 * 64 * 48),
    });
    // The input is 24 pixels wider than the frame on both sides.
    padded['mask_place']!.values.forEach((value, k) => expect(value).toBeCloseTo([0, -0.5, 1, 1.5][k]!, 5));
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
    expect(evidence.join(' ')).toMatch(/3 class scores.*4 further numbers of masks are not boxes/);
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

  it.each([
    ['detect', {}],
    ['pose', { kpt_shape: '[2, 3]' }],
    ['obb', {}],
  ])('is known by its metadata where the file leaves all sizes open: %s', async (task, more) => {
    const columns = randomColumns(21, 3);
    const behind = task === 'pose' ? 6 : task === 'obb' ? 1 : 0;
    const made = (metadata: Record<string, string>) =>
      headModel({ ...size, metadata }, (build) => {
        const decoded = build.add('Mul', [build.floats([1, 4, cells], columns.boxes.flat()), build.floats([], [1])]);
        const activated = build.add('Sigmoid', [build.floats([1, 3, cells], columns.scores.flat().map(logit))]);
        const rest = build.floats([1, behind, cells], new Float32Array(behind * cells));
        const parts = behind > 0 ? [decoded, activated, rest] : [decoded, activated];
        const joined = build.add('Concat', parts, { axis: { int: 1 } });
        const output = build.add('Reshape', [joined, build.add('Shape', [joined])]);
        build.output('output0', output, 'float32', ['batch', 'numbers', 'candidates']);
      });
    const names = "{0: 'a', 1: 'b', 2: 'c'}";
    const { family, model } = fitModel(made({ task, names, ...more }), { options: stretch });
    expect(family.id).toBe('yolo-v8');
    expectSameRows(rowsOf(await runFitted(model)), plainly(columns), size);
    for (const other of [{ names }, { task, ...more }, { task, names, ...more, end2end: 'True' }])
      expect(() => fitModel(made(other))).toThrow(/No known family/);
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
