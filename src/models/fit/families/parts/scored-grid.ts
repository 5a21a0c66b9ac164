import { reshape } from '../../../onnx/face/graphs.ts';
import type { TensorInfo } from '../../../../machine/vision/face/feeding.ts';
import { cornersOfCentres, cornersOfCorners, type BoxUnit } from '../../attach/boxes.ts';
import { bestCandidates } from '../../attach/candidates.ts';
import { stridesOf } from '../../attach/grid.ts';
import { suppressed } from '../../attach/suppressed.ts';
import { asUnits, notThisFamily, specificity, type Family } from '../../structure/family.ts';
import type { ChoiceOption } from '../../structure/options.ts';
import { ones } from './fills.ts';
import { pictureText, rawOutputs, type RawOutput } from './raw-output.ts';
import { boxUnitOption, yoloOptions } from './yolo-options.ts';

export const boxForm: ChoiceOption = {
  kind: 'choice',
  key: 'boxForm',
  about: 'corners: xmin, ymin, xmax, ymax; centre: the centre and the size.',
  choices: ['corners', 'centre'],
  usual: 'corners',
};

/** Boxes [1, N, 4], decoded in the graph, and class probabilities [1, N, C] or [1, C, N]: a row a cell of the grids, nothing suppressed. */
export const scoredGrid: Family = {
  id: 'scored-grid',
  name: 'PP-YOLOE, YOLO-NAS, DAMO-YOLO',
  kind: 'detections',
  recognise(model) {
    const { picture, inputs } = model;
    if (!picture) return notThisFamily('its first input is not a picture');
    const pair = gridPair(rawOutputs(model));
    if (!pair || model.outputs.length !== 2)
      return notThisFamily('its two outputs are not boxes [1, candidates, 4] and class scores of as many candidates');
    const { boxes, scores, classCount, classAxis } = pair;
    const strides = stridesOf(picture, boxes.rows, 1);
    if (!strides)
      return notThisFamily(
        `${boxes.rows} candidates are not one a cell of the grids of a ${pictureText(picture)} picture`,
        1,
      );
    if (!scores.operators.has('Sigmoid')) return notThisFamily('no sigmoid makes probabilities of its class scores', 2);
    if (!boxes.operators.has('Mul') && !boxes.operators.has('Div'))
      return notThisFamily('its boxes are not decoded: nothing multiplies them by strides', 2);
    const [factor, ...more] = inputs.slice(1);
    if (more.length > 0 || (factor && !isFactor(factor)))
      return notThisFamily(`its further input "${factor!.name}" is not a scale of the picture [1, 2]`, 2);
    return {
      fits: true,
      evidence: [
        `Output "${boxes.name}" ${boxes.shapeText} has a box, and "${scores.name}" ${scores.shapeText} ${classCount} class scores a candidate.`,
        `${boxes.rows} candidates are one a cell of the grids of strides ${strides.join(', ')}; a sigmoid makes the scores, and nothing has suppressed them.`,
        ...(factor ? [`The further input "${factor.name}" is by what the picture was scaled; it becomes 1.`] : []),
      ],
      specificity: specificity.operators,
      widthPx: picture.widthPx,
      heightPx: picture.heightPx,
      classCount,
      options: [...yoloOptions({ iou: 0.7 }), boxForm, boxUnitOption],
      // PP-YOLOE, which has the further input, stretches.
      preprocessing: { colour: 'rgb', ...asUnits, letterbox: factor ? null : { border: 114, at: 'centre' } },
      outputs: [boxes.name, scores.name],
      ...(factor && { fills: () => ({ [factor.name]: ones(factor.dtype, [1, 2])! }) }),
      attach: (head) => {
        const { build } = head;
        const candidates = bestCandidates(head, { scores: head.output(scores.name), classAxis, objectness: null });
        const rows = reshape(build, head.output(boxes.name), [boxes.rows, 4]);
        const taken = build.add('Gather', [rows, candidates.index], { axis: { int: 0 } });
        const corners = head.choice('boxForm') === 'corners' ? cornersOfCorners : cornersOfCentres;
        return suppressed(head, candidates, corners(head, taken, head.choice('boxUnit') as BoxUnit), classCount);
      },
    };
  },
};

function gridPair(outputs: readonly RawOutput[]) {
  const boxes = outputs.find(({ columns, rows }) => columns === 4 && rows > 4);
  const scores = boxes && outputs.find((one) => one !== boxes && [one.rows, one.columns].includes(boxes.rows));
  if (!boxes || !scores) return null;
  const isTurned = scores.columns === boxes.rows;
  const classCount = isTurned ? scores.rows : scores.columns;
  return classCount < 1 ? null : { boxes, scores, classCount, classAxis: isTurned ? (1 as const) : (2 as const) };
}

function isFactor({ dtype, shape }: TensorInfo): boolean {
  return dtype === 'float32' && shape.length === 2 && shape[0]! <= 1 && shape[1] === 2;
}
