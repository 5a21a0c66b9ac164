import { reshape, slice } from '../../onnx/versioned-operators.ts';
import { activated, activationOption } from '../attach/activation.ts';
import { cornersOfCentres, cornersOfCorners, type BoxUnit } from '../attach/boxes.ts';
import { bestCandidates } from '../attach/candidates.ts';
import { cornersOfDistances } from '../attach/distances.ts';
import { gridRows, stridesOf } from '../attach/grid.ts';
import { onGrid } from '../attach/on-grid.ts';
import { suppressed } from '../attach/suppressed.ts';
import {
  asBytes,
  asImageNet,
  asSigned,
  asUnits,
  notThisFamily,
  specificity,
  type Detections,
  type Family,
  type Head,
} from '../family.ts';
import { FitError } from '../fit-error.ts';
import type { ModelStructure, Picture } from '../model-structure.ts';
import type { ChoiceOption, NumberOption, OptionSpec } from '../options.ts';
import { shapeText } from './raw-output.ts';
import { boxUnitOption, yoloOptions } from './yolo-options.ts';

/** An output as a table of candidates: `rows` of `columns` numbers, lying as rows or as columns. */
interface Table {
  readonly name: string;
  readonly rows: number;
  readonly columns: number;
  /** [1, columns, rows], as heads of convolutions write it */
  readonly isTurned: boolean;
}

const ranges = {
  '0..1': asUnits,
  '-1..1': asSigned,
  bytes: asBytes,
} as const;

/** No family: whoever knows the model says by options how its outputs are meant. It is taken only where it is asked for. */
export const guided: Family = {
  id: 'guided',
  name: 'another kind',
  kind: 'detections',
  recognise(model) {
    const { picture } = model;
    if (!picture) return notThisFamily('its first input is no picture');
    const tables = model.outputs.flatMap(({ name, shape }) => tableOf(name, shape));
    const boxes = tables.find(({ columns }) => columns === 4) ?? tables.find(({ columns }) => columns > 4);
    if (!boxes) return notThisFamily('no output has a number of candidates with four or more numbers each');
    return {
      fits: true,
      evidence: [`Outputs: ${model.outputs.map(({ name, shape }) => `"${name}" ${shapeText(shape)}`).join(', ')}.`],
      specificity: specificity.shape,
      widthPx: picture.widthPx,
      heightPx: picture.heightPx,
      classCount: 0,
      options: optionsOf(model, picture, tables, boxes),
      preprocessing: { colour: 'rgb', ...asUnits, letterbox: { border: 114, at: 'centre' } },
      preprocessingOf: ({ colour, values }) => ({
        colour: colour === 'bgr' ? 'bgr' : 'rgb',
        ...(values === 'imagenet' ? asImageNet : ranges[values as keyof typeof ranges]),
        letterbox: { border: 114, at: 'centre' },
      }),
      outputs: tables.map(({ name }) => name),
      outputsOf: ({ boxes: where, scores }) => [String(where), String(scores)],
      attach: (head) => attach(head, picture, tables),
    };
  },
};

/** Without its batch an output has two sizes, or those of a grid behind its channels; the longer side are the candidates. */
function tableOf(name: string, shape: readonly number[]): Table[] {
  const sizes = shape[0] === 1 && shape.length > 2 ? shape.slice(1) : [...shape];
  const [first = 0, ...others] = sizes;
  const last = others.reduce((product, size) => product * size, 1);
  if (sizes.some((size) => size < 1) || sizes.length < 1 || sizes.length > 3) return [];
  if (sizes.length === 1) return [{ name, rows: first, columns: 1, isTurned: false }];
  const isTurned = first < last;
  return [{ name, rows: isTurned ? last : first, columns: isTurned ? first : last, isTurned }];
}

function optionsOf(
  { headOf }: ModelStructure,
  picture: Picture,
  tables: readonly Table[],
  boxes: Table,
): readonly OptionSpec[] {
  const names = tables.map(({ name }) => name);
  const widest = Math.max(...tables.map(({ columns }) => columns));
  const apart = tables.find((table) => table !== boxes && table.rows === boxes.rows);
  const scores = apart ?? boxes;
  const operators = headOf(scores.name);
  const hasGrid = tables.some(({ rows }) => stridesOf(picture, rows, 1) !== null);
  const column = (key: string, about: string, usual: number, least = 0): NumberOption => ({
    ...{ kind: 'number', key, about, least, most: widest - 1, whole: true, usual },
  });
  const choice = (key: string, about: string, choices: readonly string[], usual = choices[0]!): ChoiceOption => ({
    ...{ kind: 'choice', key, about, choices, usual },
  });
  return [
    choice('boxes', 'The output with the boxes.', names, boxes.name),
    column('boxColumn', 'Where the four numbers of a box begin, counted from 0.', 0),
    choice('boxForm', 'What the four numbers are.', [
      ...['centre and size', 'corner and size', 'two corners', 'two corners, y first'],
      ...(hasGrid ? ['offsets in a grid', 'distances in a grid'] : []),
    ]),
    boxUnitOption,
    choice('scores', 'The output with the scores of the classes.', names, scores.name),
    column('scoreColumn', 'Where the scores begin, counted from 0.', apart ? 0 : Math.min(4, widest - 1)),
    { ...column('classCount', 'How many classes there are; 0: all numbers that are left.', 0), most: widest },
    activationOption(['Sigmoid', 'Softmax'].some((operator) => operators.has(operator)) ? 'none' : 'sigmoid'),
    column(
      'objectness',
      'Where in the output of the scores an objectness stands that multiplies them; -1: there is none.',
      -1,
      -1,
    ),
    choice('background', 'Which class stands for none of the others.', ['none', 'first', 'last']),
    choice('colour', 'Order of colours that the model was trained with.', ['rgb', 'bgr']),
    choice('values', 'What the model was fed of a byte.', [...Object.keys(ranges), 'imagenet']),
    ...yoloOptions({ iou: 0.45 }),
  ];
}

function attach(head: Head, picture: Picture, tables: readonly Table[]): Detections {
  const { build } = head;
  const boxes = tables.find(({ name }) => name === head.choice('boxes'))!;
  const scores = tables.find(({ name }) => name === head.choice('scores'))!;
  if (boxes.rows !== scores.rows) {
    throw new FitError(
      'bad-option',
      `"${boxes.name}" has ${boxes.rows} candidates and "${scores.name}" ${scores.rows}: take two outputs of one number.`,
    );
  }
  const { from, to } = classColumns(head, scores);
  const scoreRows = rowsOf(head, scores);
  const objectness = head.number('objectness');
  const candidates = bestCandidates(head, {
    scores: withoutBackground(head, activated(head, slice(build, scoreRows, 2, from, to)), to - from),
    classAxis: 2,
    objectness: objectness < 0 ? null : objectnessOf(head, scores, scoreRows, objectness),
  });
  const first = head.number('boxColumn');
  if (first + 4 > boxes.columns) {
    throw new FitError(
      'bad-option',
      `"${boxes.name}" has ${boxes.columns} numbers a candidate: no four begin at ${first}.`,
    );
  }
  const four = slice(build, rowsOf(head, boxes), 2, first, first + 4);
  const taken = build.add('Gather', [four, candidates.index], { axis: { int: 1 } });
  const corners = cornersOf(head, picture, boxes, reshape(build, taken, [-1, 4]), candidates.index);
  const left = head.choice('background') === 'none' ? to - from : to - from - 1;
  return suppressed(head, candidates, corners, left);
}

/** [1, rows, columns] */
function rowsOf({ build, output }: Head, { name, rows, columns, isTurned }: Table): string {
  if (!isTurned) return reshape(build, output(name), [1, rows, columns]);
  return build.add('Transpose', [reshape(build, output(name), [1, columns, rows])], { perm: { ints: [0, 2, 1] } });
}

function classColumns(head: Head, { name, columns }: Table) {
  const from = head.number('scoreColumn');
  const to = head.number('classCount') === 0 ? columns : from + head.number('classCount');
  const least = head.choice('background') === 'none' ? 1 : 2;
  if (to - from >= least && to <= columns) return { from, to };
  throw new FitError(
    'bad-option',
    `"${name}" has ${columns} numbers a candidate: scores cannot stand at ${from} to ${to - 1}. Set where they begin, and how many classes there are.`,
  );
}

function objectnessOf(head: Head, { name, rows, columns }: Table, scoreRows: string, column: number): string {
  if (column >= columns)
    throw new FitError('bad-option', `"${name}" has no number at ${column}: it has ${columns} a candidate.`);
  const one = reshape(head.build, slice(head.build, scoreRows, 2, column, column + 1), [1, rows]);
  return head.choice('activation') === 'none' ? one : head.build.add('Sigmoid', [one]);
}

function withoutBackground({ build, choice }: Head, scores: string, classes: number): string {
  switch (choice('background')) {
    case 'first':
      return slice(build, scores, 2, 1, classes);
    case 'last':
      return slice(build, scores, 2, 0, classes - 1);
    default:
      return scores;
  }
}

function cornersOf(head: Head, picture: Picture, { name, rows }: Table, four: string, index: string): string {
  const { build } = head;
  const unit = head.choice('boxUnit') as BoxUnit;
  const form = head.choice('boxForm');
  const strides = stridesOf(picture, rows, 1);
  switch (form) {
    case 'corner and size':
      return cornersOfCorners(head, build.add('MatMul', [four, build.floats([4, 4], cornerAndSize)]), unit);
    case 'two corners':
      return cornersOfCorners(head, four, unit);
    case 'two corners, y first': {
      const xFirst = build.add('Gather', [four, build.ints([4], [1, 0, 3, 2])], { axis: { int: 1 } });
      return cornersOfCorners(head, xFirst, unit);
    }
    case 'offsets in a grid':
    case 'distances in a grid':
      if (!strides) throw new FitError('bad-option', `The ${rows} candidates of "${name}" are no grid's.`);
      return form === 'offsets in a grid'
        ? cornersOfCentres(head, onGrid(head, four, index, strides), 'pixels')
        : cornersOfDistances(head, four, index, {
            ...{ rows: gridRows(head.size, strides), offset: 0.5, isClipped: true },
          });
    default:
      return cornersOfCentres(head, four, unit);
  }
}

/** x, y, width, height → x, y, x + width, y + height */
const cornerAndSize = [...[1, 0, 1, 0], ...[0, 1, 0, 1], ...[0, 0, 1, 0], ...[0, 0, 0, 1]];
