import { shapeText, type TensorInfo } from '../../../../machine/vision/face/feeding.ts';
import { cornersOfCorners } from '../../attach/boxes.ts';
import { fixedRows } from '../../attach/fixed-rows.ts';
import { asUnits, notThisFamily, specificity, type Family } from '../../structure/family.ts';
import { maxDetections, scoreThreshold } from '../../structure/options.ts';
import { chosenBoxes, chosenRows } from '../parts/chosen-boxes.ts';
import { ones } from '../parts/fills.ts';

/** Labels, boxes and scores of the best queries, and a second input: the picture's size, which the boxes are multiplied by. */
export const rtDetr: Family = {
  id: 'rt-detr',
  name: 'RT-DETR, D-FINE, DEIM',
  kind: 'detections',
  recognise(model) {
    const { picture, inputs, labels } = model;
    if (!picture) return notThisFamily('its first input is not a picture');
    const chosen = chosenBoxes(model);
    if (!chosen?.scores) return notThisFamily('its outputs are not boxes, whole-numbered labels and scores');
    const [, sizes, ...more] = inputs;
    const fill = sizes && more.length === 0 && isSizes(sizes) ? ones(sizes.dtype, [1, 2]) : null;
    if (!sizes || !fill) {
      return notThisFamily('it has no second input [1, 2] for the size that boxes are multiplied by');
    }
    return {
      fits: true,
      evidence: [
        `Outputs "${chosen.boxes.name}", "${chosen.labels.name}" and "${chosen.scores.name}" are boxes, labels and scores of the best queries, so nothing is to be suppressed.`,
        `The second input "${sizes.name}" ${shapeText(sizes.shape)} ${sizes.dtype} is the size that boxes are multiplied by.`,
      ],
      specificity: specificity.signature,
      widthPx: picture.widthPx,
      heightPx: picture.heightPx,
      classCount: labels?.length ?? 0,
      options: [scoreThreshold(0.01), maxDetections(300)],
      preprocessing: { colour: 'rgb', ...asUnits, letterbox: null },
      outputs: [chosen.boxes.name, chosen.labels.name, chosen.scores.name],
      // A picture of 1×1 leaves boxes as shares of it, whichever of width and height comes first.
      fills: () => ({ [sizes.name]: fill }),
      attach: (head) => {
        const rows = chosenRows(head, chosen);
        return fixedRows(head, { ...rows, boxes: cornersOfCorners(head, rows.boxes, 'proportional') });
      },
    };
  },
};

function isSizes({ shape }: TensorInfo): boolean {
  return shape.length === 2 && shape[0]! <= 1 && shape[1] === 2;
}
