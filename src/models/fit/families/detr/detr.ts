import { reduceMax, reshape, slice } from '../../../onnx/face/graphs.ts';
import type { TensorInfo } from '../../../../machine/vision/face/feeding.ts';
import { cornersOfCentres } from '../../attach/boxes.ts';
import { fixedRows, type Rows } from '../../attach/fixed-rows.ts';
import { asImageNet, asUnits, notThisFamily, specificity, type Family, type Head } from '../../structure/family.ts';
import type { InputSize } from '../../structure/input-size.ts';
import { maxDetections, scoreThreshold, type ChoiceOption } from '../../structure/options.ts';
import { boxPair, type BoxPair } from '../parts/box-pair.ts';
import { ones } from '../parts/fills.ts';
import { queryClasses } from '../parts/query-classes.ts';
import type { RawOutput } from '../parts/raw-output.ts';

/** More queries than any such model asks. */
const mostQueries = 1000;

const classScores = (usual: 'sigmoid' | 'softmax'): ChoiceOption => ({
  kind: 'choice',
  key: 'classScores',
  about:
    'sigmoid: every class for itself, and a query may give several; softmax: one class a query, and the last one stands for no object.',
  choices: ['sigmoid', 'softmax'],
  usual,
  isToldByGraph: true,
});

/** Two outputs of queries: logits [1, Q, C] and boxes [1, Q, 4], centre and size as shares of the picture. */
export const detr: Family = {
  id: 'detr',
  name: 'DETR and its kin, as logits and boxes',
  kind: 'detections',
  recognise(model) {
    const { picture, inputs } = model;
    if (!picture) return notThisFamily('its first input is not a picture');
    const pair = boxPair(model);
    if (!pair || pair.beside.length > 0 || pair.scores.columns < 1) {
      return notThisFamily('its outputs are not logits [1, queries, classes] and boxes [1, queries, 4]');
    }
    const { boxes, scores } = pair;
    if (boxes.rows > mostQueries) return notThisFamily(`${boxes.rows} rows are more than queries`);
    const layers = [...model.layersOf(scores.name)];
    if (layers.length === 0 || layers.some((layer) => layer.includes('Conv'))) {
      return notThisFamily('its class scores come from a grid of cells and not from queries: no product makes them');
    }
    if (scores.operators.has('Softmax') || scores.operators.has('Sigmoid')) {
      return notThisFamily('its class scores are probabilities already, not logits');
    }
    const mask = inputs.slice(1);
    if (mask.length > 1 || mask.some((input) => maskFill(input, picture) === null)) {
      return notThisFamily(`its further input "${mask[0]!.name}" is not a mask of the picture [1, height, width]`);
    }
    const { hasNoObject, why } = queryClasses(model, pair);
    const isFedUnits = !hasNoObject && learnedFromUnits(boxes);
    return {
      fits: true,
      evidence: [
        `Outputs "${scores.name}" ${scores.shapeText} and "${boxes.name}" ${boxes.shapeText} are class logits and a box a query; a product makes them, no grid.`,
        why,
        ...mask.map(({ name }) => `The further input "${name}" masks padding, of which there is none.`),
      ],
      specificity: specificity.operators,
      widthPx: picture.widthPx,
      heightPx: picture.heightPx,
      classCount: scores.columns - (hasNoObject ? 1 : 0),
      options: [scoreThreshold(0.01), maxDetections(300), classScores(hasNoObject ? 'softmax' : 'sigmoid')],
      preprocessing: { colour: 'rgb', ...(isFedUnits ? asUnits : asImageNet), letterbox: null },
      outputs: [scores.name, boxes.name],
      fills: (size) => Object.fromEntries(mask.map((input) => [input.name, maskFill(input, size)!])),
      attach: (head) => {
        const rows = head.choice('classScores') === 'softmax' ? oneClassRows(head, pair) : everyClassRows(head, pair);
        return fixedRows(head, { ...rows, boxes: cornersOfCentres(head, rows.boxes, 'proportional') });
      },
    };
  },
};

/**
 * RT-DETR and D-FINE learned from 0..1, all others from ImageNet's numbers. They alone choose their queries by the highest score of any
 * class, save RF-DETR, whose sizes are exponentials and no mean of bins.
 */
function learnedFromUnits({ operators }: RawOutput): boolean {
  const choosesQueries = operators.has('TopK') && operators.has('ReduceMax');
  return choosesQueries && (!operators.has('Exp') || operators.has('Softmax'));
}

function maskFill({ dtype, shape }: TensorInfo, { widthPx, heightPx }: InputSize) {
  if (shape.length !== 3 || shape[0]! > 1) return null;
  const [, height, width] = shape as readonly [number, number, number];
  return ones(
    dtype,
    [1, height === -1 ? heightPx : height, width === -1 ? widthPx : width].map((size) => Math.max(1, size)),
  );
}

/** The best of all classes of all queries. */
function everyClassRows(head: Head, { boxes, scores: { name, rows, columns } }: BoxPair): Rows {
  const { build } = head;
  const flat = reshape(build, build.add('Sigmoid', [head.output(name)]), [-1]);
  const taken = rows === -1 ? head.number('maxDetections') : Math.min(head.number('maxDetections'), rows * columns);
  const [score, index] = build.addMany('TopK', [flat, build.ints([1], [taken])], 2, { axis: { int: 0 } }) as [
    string,
    string,
  ];
  const classes = build.ints([], [columns]);
  const query = build.add('Div', [index, classes]);
  const category = build.add('Sub', [index, build.add('Mul', [query, classes])]);
  const all = reshape(build, head.output(boxes.name), [-1, 4]);
  return {
    boxes: build.add('Gather', [all, query], { axis: { int: 0 } }),
    category: build.add('Cast', [category], { to: { int: 1 } }),
    score,
  };
}

/** The best class of each query, the last one left out. */
function oneClassRows(head: Head, { boxes, scores: { name, columns } }: BoxPair): Rows {
  const { build } = head;
  const probabilities = build.add('Softmax', [head.output(name)], { axis: { int: 2 } });
  const objects = slice(build, probabilities, 2, 0, columns - 1);
  const category = build.add('ArgMax', [objects], { axis: { int: 2 }, keepdims: { int: 0 } });
  return {
    boxes: reshape(build, head.output(boxes.name), [-1, 4]),
    category: reshape(build, build.add('Cast', [category], { to: { int: 1 } }), [-1]),
    score: reshape(build, reduceMax(build, objects, 2), [-1]),
  };
}
