import { reduceMax, reshape, slice } from '../../../onnx/face/graphs.ts';
import { cornersOfCentres } from '../../attach/boxes.ts';
import { fixedRows, type Rows } from '../../attach/fixed-rows.ts';
import { asUnits, notThisFamily, specificity, type Family, type Head } from '../../structure/family.ts';
import { maxDetections, scoreThreshold } from '../../structure/options.ts';
import { lostInSteps } from '../parts/lost-in-steps.ts';
import { queryRows } from '../parts/raw-output.ts';

/** One output [1, Q, 4 + C] of queries: centre and size as shares, and a score for each class; or [1, Q, 6] with one score and its class. */
export const rtDetrRows: Family = {
  id: 'rt-detr-rows',
  name: 'RT-DETR in one output, as Ultralytics writes it',
  kind: 'detections',
  recognise(model) {
    const { picture, inputs, labels } = model;
    if (!picture) return notThisFamily('its first input is not a picture');
    const [output] = queryRows(model).filter(({ columns }) => columns > 4);
    if (!output) return notThisFamily('no output joins boxes of queries, as shares of the picture, with their scores');
    if (inputs.length > 1) return notThisFamily(`it has a further input "${inputs[1]!.name}"`, 2);
    const parts = model.partsOf(output.name);
    if (!parts[1]!.has('Sigmoid')) return notThisFamily('no sigmoid makes probabilities of its class scores', 2);
    const isChosen = parts.length === 3 && output.columns === 6;
    if (!isChosen && parts.length > 2)
      return notThisFamily(`its rows join ${parts.length} tensors, and not boxes and class scores alone`, 2);
    const classCount = isChosen ? (labels?.length ?? 0) : output.columns - 4;
    return {
      fits: true,
      evidence: [
        isChosen
          ? `Output "${output.name}" ${output.shapeText} has a box, a score and a class in each row, which the graph has chosen.`
          : `Output "${output.name}" ${output.shapeText} has a box and ${classCount} class scores a query.`,
        'A sigmoid makes its boxes, and products what goes into it: centres and sizes as shares of the picture, of queries and of no grid, so nothing is to be suppressed.',
      ],
      specificity: specificity.signature,
      widthPx: picture.widthPx,
      heightPx: picture.heightPx,
      classCount,
      options: [scoreThreshold(0.01), maxDetections(300)],
      preprocessing: { colour: 'rgb', ...asUnits, letterbox: null },
      outputs: [output.name],
      lost: lostInSteps(model, output.name, 'decoded'),
      attach: (head) => {
        const rows = reshape(head.build, head.output(output.name), [-1, output.columns]);
        const boxes = cornersOfCentres(head, slice(head.build, rows, 1, 0, 4), 'proportional');
        return fixedRows(head, { boxes, ...(isChosen ? chosen(head, rows) : bestOfEvery(head, rows, classCount)) });
      },
    };
  },
};

type Scored = Pick<Rows, 'score' | 'category'>;

function chosen({ build }: Head, rows: string): Scored {
  const column = (k: number) => reshape(build, slice(build, rows, 1, k, k + 1), [-1]);
  return { score: column(4), category: column(5) };
}

/** The best class of each query, as Ultralytics reads them. */
function bestOfEvery({ build }: Head, rows: string, classCount: number): Scored {
  const scores = slice(build, rows, 1, 4, 4 + classCount);
  const category = build.add('ArgMax', [scores], { axis: { int: 1 }, keepdims: { int: 0 } });
  return {
    score: reshape(build, reduceMax(build, scores, 1), [-1]),
    category: reshape(build, build.add('Cast', [category], { to: { int: 1 } }), [-1]),
  };
}
