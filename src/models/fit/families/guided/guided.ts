import { reshape, slice } from '../../../onnx/face/graphs.ts';
import { activated, activationOption, areProbabilities } from '../../attach/activation.ts';
import { bestCandidates } from '../../attach/candidates.ts';
import { gridRows, stridesOf } from '../../attach/grid.ts';
import { suppressed } from '../../attach/suppressed.ts';
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
} from '../../structure/family.ts';
import { FitError } from '../../structure/fit-error.ts';
import type { ModelStructure, Picture } from '../../structure/model-structure.ts';
import { shapeText } from '../../../../machine/vision/face/feeding.ts';
import {
  numbersOf,
  type ChoiceOption,
  type NumberOption,
  type NumbersOption,
  type OptionSpec,
} from '../../structure/options.ts';
import { boxForms, cornersAsSaid, type Places } from './guided-boxes.ts';
import {
  levelsOf,
  rowsOfLevels,
  rowsOfTable,
  stridesOfLevels,
  tableOf,
  tableOfLevels,
  type Levels,
  type Table,
} from './guided-tables.ts';
import { boxUnitOption, yoloOptions } from '../parts/yolo-options.ts';

const ranges = { '0..1': asUnits, '-1..1': asSigned, bytes: asBytes } as const;

/** No family: whoever knows the model says by options how its outputs are meant. It is taken only where it is asked for. */
export const guided: Family = {
  id: 'guided',
  name: 'another kind',
  kind: 'detections',
  recognise(model) {
    const { picture } = model;
    if (!picture) return notThisFamily('its first input is not a picture');
    const tables = model.outputs.flatMap(tableOf);
    const levels = levelsOf(model.outputs, picture);
    const read: Read = { picture, tables, levels };
    if (levels.length === 0 && tables.every(({ columns }) => columns < 4))
      return notThisFamily('no output has a number of candidates with four or more numbers each');
    return {
      fits: true,
      evidence: [`Outputs: ${model.outputs.map(({ name, shape }) => `"${name}" ${shapeText(shape)}`).join(', ')}.`],
      specificity: specificity.shape,
      widthPx: picture.widthPx,
      heightPx: picture.heightPx,
      classCount: 0,
      options: optionsOf(model, read),
      preprocessing: { colour: 'rgb', ...asUnits, letterbox: { border: 114, at: 'centre' } },
      preprocessingOf: ({ colour, values }) => ({
        colour: colour === 'bgr' ? 'bgr' : 'rgb',
        ...(values === 'imagenet' ? asImageNet : ranges[values as keyof typeof ranges]),
        letterbox: { border: 114, at: 'centre' },
      }),
      outputs: [
        ...new Set([...tables.map(({ name }) => name), ...levels.flatMap(({ name }) => outputsBehind(read, name))]),
      ],
      outputsOf: ({ boxes, scores }) => [
        ...new Set([boxes, scores].flatMap((name) => outputsBehind(read, String(name)))),
      ],
      attach: (head) => attach(head, read),
    };
  },
};

/** What may hold candidates: outputs, and those that belong together. */
interface Read {
  readonly picture: Picture;
  readonly tables: readonly Table[];
  readonly levels: readonly Levels[];
}

function outputsBehind({ levels }: Read, name: string): readonly string[] {
  return levels.find((one) => one.name === name)?.levels.map((level) => level.name) ?? [name];
}

/** The boxes and scores of most models that look so. */
function usualTables({ tables, levels }: Read) {
  const [first] = levels;
  if (first) {
    const boxes = levels.find(({ channels }) => channels === 4) ?? first;
    return { boxes: boxes.name, scores: (levels.find((one) => one !== boxes) ?? boxes).name };
  }
  const boxes = tables.find(({ columns }) => columns === 4) ?? tables.find(({ columns }) => columns > 4)!;
  return { boxes: boxes.name, scores: (tables.find((one) => one !== boxes && one.rows === boxes.rows) ?? boxes).name };
}

function optionsOf({ headOf, normalization }: ModelStructure, read: Read): readonly OptionSpec[] {
  const { picture, tables, levels } = read;
  const names = [...levels, ...tables].map(({ name }) => name);
  const widest = Math.max(...tables.map(({ columns }) => columns), ...levels.map(({ channels }) => channels));
  const usual = usualTables(read);
  const isApart = usual.boxes !== usual.scores;
  const operators = headOf(outputsBehind(read, usual.scores)[0]!);
  const grid = tables.some(({ rows }) => stridesOf(picture, rows, 1) !== null);
  const anchors = anchorsLikely(levels[0]);
  const forms = boxForms({ grid, levels: levels.length > 0 });
  const column = (key: string, about: string, usual: number, least = 0): NumberOption => ({
    kind: 'number',
    key,
    about,
    least,
    most: widest - 1,
    whole: true,
    usual,
  });
  const choice = (key: string, about: string, choices: readonly string[], usual = choices[0]!): ChoiceOption => ({
    kind: 'choice',
    key,
    about,
    choices,
    usual,
  });
  return [
    choice('boxes', 'The output with the boxes.', names, usual.boxes),
    column('boxColumn', 'Where the four numbers of a box begin, counted from 0.', 0),
    choice('boxForm', 'What the four numbers are.', forms, anchors > 1 ? usualAnchors(levels[0]).form : forms[0]),
    boxUnitOption,
    choice('scores', 'The output with the scores of the classes.', names, usual.scores),
    column(
      'scoreColumn',
      'Where the scores begin, counted from 0.',
      isApart ? 0 : Math.min(anchors > 1 ? 5 : 4, widest - 1),
    ),
    { ...column('classCount', 'How many classes there are; 0: all numbers that are left.', 0), most: widest },
    activationOption(areProbabilities(operators), 'sigmoid'),
    column(
      'objectness',
      'Where in the output of the scores an objectness stands that multiplies them; -1: there is none.',
      anchors > 1 ? 4 : -1,
      -1,
    ),
    ...(levels[0] ? levelOptions(stridesOfLevels(levels[0], picture), anchors, usualAnchors(levels[0]).sizes) : []),
    choice('background', 'Which class stands for none of the others.', ['none', 'first', 'last']),
    choice('colour', 'Order of colours that the model was trained with.', ['rgb', 'bgr']),
    choice('values', 'What the model was fed of a byte.', [...Object.keys(ranges), 'imagenet'], rangeOf(normalization)),
    ...yoloOptions({ iou: 0.45 }),
  ];
}

/** Three anchors a cell, each with a box, an objectness and classes, are what YOLO's heads have. */
function anchorsLikely(levels: Levels | undefined): number {
  return levels && levels.channels % 3 === 0 && levels.channels >= 18 ? 3 : 1;
}

function levelOptions(strides: readonly number[], anchors: number, sizes: string): readonly OptionSpec[] {
  const numbers = (key: string, about: string, most: number, usual: string): NumbersOption => ({
    kind: 'numbers',
    key,
    about,
    least: 1,
    most,
    usual,
  });
  return [
    {
      kind: 'number',
      key: 'anchorsPerCell',
      least: 1,
      most: 16,
      whole: true,
      usual: anchors,
      about: 'How many boxes a cell of a level has.',
    },
    numbers('strides', 'How many pixels a cell is wide, the finest level first.', 1024, strides.join(', ')),
    numbers(
      'anchors',
      'Width and height of the anchors in pixels, level by level, the finest first; read where boxes have the form of anchors.',
      8192,
      sizes,
    ),
  ];
}

/** Those that YOLOv5 and YOLOv7 begin with; heads of two levels are usually of YOLOv3-tiny and YOLOv4-tiny. */
function usualAnchors(levels: Levels | undefined): { readonly form: string; readonly sizes: string } {
  return levels?.levels.length === 2
    ? { form: 'anchors as in YOLOv3', sizes: '10,14 23,27 37,58 / 81,82 135,169 344,319' }
    : { form: 'anchors as in YOLOv5', sizes: '10,13 16,30 33,23 / 30,61 62,45 59,119 / 116,90 156,198 373,326' };
}

/** What the file tells of its picture; the first range where it tells nothing. */
function rangeOf(normalization: ModelStructure['normalization']): string {
  const told = Object.entries(ranges).find(
    ([, { mean, stdDev }]) => normalization?.mean[0] === mean[0] && normalization.stdDev[0] === stdDev[0],
  );
  return told?.[0] ?? '0..1';
}

interface Candidates extends Table {
  /** [1, rows, columns] */
  readonly tensor: () => string;
  readonly levels: Levels | null;
}

function candidatesOf(head: Head, { tables, levels }: Read, name: string): Candidates {
  const group = levels.find((one) => one.name === name);
  if (!group) {
    const table = tables.find((one) => one.name === name)!;
    return { ...table, tensor: () => rowsOfTable(head, table), levels: null };
  }
  const anchors = head.number('anchorsPerCell');
  if (group.channels % anchors === 0 && group.levels.every((level) => (level.anchors ?? anchors) === anchors))
    return { ...tableOfLevels(group, anchors), tensor: () => rowsOfLevels(head, group, anchors), levels: group };
  throw new FitError(
    'bad-option',
    `A cell of "${name}" has ${group.channels} numbers, which are not those of ${anchors} anchors. Set how many a cell has.`,
  );
}

/** Where a table's candidates lie in the picture, for the forms that count from there. */
function placesOf(head: Head, picture: Picture, { name, rows, levels }: Candidates): Places {
  const gridRowsOf = () => {
    if (levels) return gridRows(head.size, stridesAsSaid(head, levels), head.number('anchorsPerCell'));
    const strides = stridesOf(picture, rows, 1);
    if (strides) return gridRows(head.size, strides);
    throw new FitError('bad-option', `The ${rows} candidates of "${name}" are not those of a grid.`);
  };
  return {
    gridRows: gridRowsOf,
    anchorRows: () => {
      if (!levels) throw new FitError('bad-option', `"${name}" is one output: anchors belong to levels.`);
      const anchors = head.number('anchorsPerCell');
      const sizes = numbersOf(head.choice('anchors'));
      const wanted = 2 * anchors * levels.levels.length;
      if (sizes.length !== wanted) {
        throw new FitError(
          'bad-option',
          `anchors has ${sizes.length} numbers: ${levels.levels.length} levels of ${anchors} need ${wanted}, a width and a height each.`,
        );
      }
      const strides = stridesAsSaid(head, levels);
      return gridRowsOf().map((row, at) => {
        const anchor = anchors * strides.indexOf(row.stride) + (at % anchors);
        return { ...row, widthPx: sizes[2 * anchor]!, heightPx: sizes[2 * anchor + 1]! };
      });
    },
  };
}

function stridesAsSaid({ choice, size }: Head, { levels }: Levels): readonly number[] {
  const strides = numbersOf(choice('strides'));
  const sizes = levels.map(({ height, width }) => `${width}×${height}`);
  const said = strides.map((stride) => `${Math.ceil(size.widthPx / stride)}×${Math.ceil(size.heightPx / stride)}`);
  if (said.join() === sizes.join()) return strides;
  throw new FitError(
    'bad-option',
    `Strides ${strides.join(', ')} give grids of ${said.join(', ')} cells; the model has ${sizes.join(', ')}.`,
  );
}

function attach(head: Head, read: Read): Detections {
  const { build } = head;
  const boxes = candidatesOf(head, read, head.choice('boxes'));
  const scores = head.choice('scores') === boxes.name ? boxes : candidatesOf(head, read, head.choice('scores'));
  if (boxes.rows !== scores.rows) {
    throw new FitError(
      'bad-option',
      `"${boxes.name}" has ${boxes.rows} candidates and "${scores.name}" ${scores.rows}: take two outputs of one number.`,
    );
  }
  const { from, to } = classColumns(head, scores);
  const scoreRows = scores.tensor();
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
  const four = slice(build, boxes === scores ? scoreRows : boxes.tensor(), 2, first, first + 4);
  const taken = build.add('Gather', [four, candidates.index], { axis: { int: 1 } });
  const places = placesOf(head, read.picture, boxes);
  const corners = cornersAsSaid(head, reshape(build, taken, [-1, 4]), candidates.index, places);
  const left = head.choice('background') === 'none' ? to - from : to - from - 1;
  return suppressed(head, candidates, corners, left);
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
