import { onnxType } from '../../../onnx/face/model-files.ts';
import { reshape } from '../../../onnx/face/graphs.ts';
import { shapeText, type TensorInfo } from '../../../../machine/vision/face/feeding.ts';
import { cornersOfCentres, cornersOfCorners, type BoxUnit } from '../../attach/boxes.ts';
import { stridesOf } from '../../attach/grid.ts';
import { suppressed } from '../../attach/suppressed.ts';
import { asUnits, notThisFamily, specificity, type Family } from '../../structure/family.ts';
import type { ModelStructure } from '../../structure/model-structure.ts';
import type { NumberOption } from '../../structure/options.ts';
import { statedBoxUnit } from './box-unit.ts';
import { lostInSteps } from './lost-in-steps.ts';
import { pictureText } from './raw-output.ts';
import { boxForm } from './scored-grid.ts';
import { yoloOptions } from './yolo-options.ts';

/** COCO's, which the published ones have. */
const usualClasses = 80;

/** Each class is suppressed for itself, and the file does not say how many there are. */
const classCountOption = (labelCount: number): NumberOption => ({
  kind: 'number',
  key: 'classCount',
  about: 'How many classes the model has; boxes of a class beyond them are dropped.',
  least: 1,
  most: 1000,
  whole: true,
  usual: labelCount > 0 ? labelCount : usualClasses,
});

/**
 * Boxes [1, N, 4], the score of the best class [1, N] and its number [1, N], a row a cell of the grids, nothing suppressed: YOLOs as
 * Qualcomm AI Hub exports them, and PhotonVision, which trains and runs them so.
 */
export const bestClasses: Family = {
  id: 'best-classes',
  name: "YOLO with each cell's best class, as of Qualcomm AI Hub and PhotonVision",
  kind: 'detections',
  recognise(model) {
    const { picture, labels } = model;
    if (!picture) return notThisFamily('its first input is not a picture');
    const found = bestClassOutputs(model);
    if (!found)
      return notThisFamily(
        'its three outputs are not boxes [1, candidates, 4], scores [1, candidates] and class numbers [1, candidates]',
      );
    const { boxes, scores, classes } = found;
    const count = boxes.shape[1]!;
    const strides = stridesOf(picture, count, 1);
    if (!strides)
      return notThisFamily(
        `${count} candidates are not one a cell of the grids of a ${pictureText(picture)} picture`,
        1,
      );
    const unit = statedBoxUnit(model, boxes.name);
    const range = model.rangeOf(boxes.name);
    // Shares of the picture end near 1, and pixels near its sides.
    const usual = range === null ? unit.option.usual : range.high < 4 ? 'proportional' : 'pixels';
    return {
      fits: true,
      evidence: [
        `Outputs "${boxes.name}" ${shapeText(boxes.shape)}, "${scores.name}" and "${classes.name}" ${shapeText(classes.shape)} have a box, the best score and its class a candidate.`,
        `${count} candidates are one a cell of the grids of strides ${strides.join(', ')}, so nothing has suppressed them.`,
        ...(range === null
          ? unit.evidence
          : [
              `Its boxes are quantised in steps of ${Number(range.step.toPrecision(2))}, up to ${range.high.toFixed(0)}.`,
            ]),
      ],
      specificity: specificity.signature,
      widthPx: picture.widthPx,
      heightPx: picture.heightPx,
      classCount: labels?.length ?? 0,
      options: [
        ...yoloOptions({ iou: 0.7 }),
        classCountOption(labels?.length ?? 0),
        boxForm,
        { ...unit.option, usual },
      ],
      preprocessing: { colour: 'rgb', ...asUnits, letterbox: { border: 114, at: 'centre' } },
      outputs: [boxes.name, scores.name, classes.name],
      lost: lostInSteps(model, scores.name, 'decoded'),
      attach: (head) => {
        const { build } = head;
        const { index, score } = head.ends.bestOf(head, reshape(build, head.output(scores.name), [-1]));
        const ofBest = (tensor: string) => build.add('Gather', [tensor, index], { axis: { int: 0 } });
        // A number that was quantised may come back a little beside itself.
        const numbers = build.add('Round', [ofBest(reshape(build, head.output(classes.name), [-1]))]);
        const category = build.add('Cast', [numbers], { to: { int: onnxType('int64') } });
        const corners = head.choice('boxForm') === 'corners' ? cornersOfCorners : cornersOfCentres;
        const rows = ofBest(reshape(build, head.output(boxes.name), [count, 4]));
        const placed = corners(head, rows, head.choice('boxUnit') as BoxUnit);
        return suppressed(head, { index, score, category }, placed, head.number('classCount'));
      },
    };
  },
};

interface BestClassOutputs {
  readonly boxes: TensorInfo;
  readonly scores: TensorInfo;
  readonly classes: TensorInfo;
}

/** Finds them by shape; which of the two with a number a candidate is which, a name, an operator or the quantisation tells. */
function bestClassOutputs(model: Pick<ModelStructure, 'outputs' | 'headOf' | 'rangeOf'>): BestClassOutputs | null {
  const { outputs } = model;
  const boxes = outputs.find(({ shape }) => shape.length === 3 && shape[2] === 4);
  if (!boxes || outputs.length !== 3) return null;
  const rows = outputs.filter((one) => one !== boxes && one.shape.length === 2 && one.shape[1] === boxes.shape[1]);
  const classes = rows.filter((one) => areClasses(model, one));
  const scores = rows.filter((one) => !classes.includes(one));
  return classes.length === 1 && scores.length === 1 ? { boxes, scores: scores[0]!, classes: classes[0]! } : null;
}

function areClasses(
  { headOf, rangeOf }: Pick<ModelStructure, 'headOf' | 'rangeOf'>,
  { name, dtype }: TensorInfo,
): boolean {
  if (/score|conf|prob/i.test(name)) return false;
  if (/class|label|categor/i.test(name) || headOf(name).has('ArgMax')) return true;
  const range = rangeOf(name);
  return range === null ? !dtype.startsWith('float') : range.high > 2;
}
