import { cornersOfCentres } from '../../attach/boxes.ts';
import { suppressed } from '../../attach/suppressed.ts';
import { asUnits, notThisFamily, specificity, type Family } from '../../structure/family.ts';
import { iouThreshold, maxCandidates, maxDetections, scoreThreshold } from '../../structure/options.ts';
import { objectnessRows } from '../parts/objectness-rows.ts';
import { pictureText, rawOutputs } from '../parts/raw-output.ts';

const stride = 16;

/** One output [1, N, 5+C] of a single grid: decoded box (centre and size, pixels), objectness, and a softmax over the classes. */
export const fastestDet: Family = {
  id: 'fastestdet',
  name: 'FastestDet',
  kind: 'detections',
  recognise(model) {
    const { picture } = model;
    if (!picture) return notThisFamily('its first input is not a picture');
    const output = rawOutputs(model).find(({ columns, rows }) => columns > 5 && rows > 0);
    if (!output) return notThisFamily('no output is [1, candidates, 5 + classes]');
    const cells = (picture.widthPx / stride) * (picture.heightPx / stride);
    if (picture.widthPx < 1 || output.rows !== cells) {
      return notThisFamily(
        `${output.rows} candidates are not the ${cells} cells of one grid of stride ${stride} of a ${pictureText(picture)} picture`,
        1,
      );
    }
    const missing = ['Tanh', 'Sigmoid', 'Softmax'].filter((operator) => !output.operators.has(operator));
    if (missing.length > 0) return notThisFamily(`no ${missing.join(' and no ')} stands before its output`, 2);
    const classCount = output.columns - 5;
    return {
      fits: true,
      evidence: [
        `Output "${output.name}" ${output.shapeText} has a box, an objectness and ${classCount} class scores a candidate.`,
        `${output.rows} candidates are the cells of one grid of stride ${stride}.`,
        'A tanh makes the offsets, a sigmoid the sizes and the objectness, a softmax the class scores.',
      ],
      specificity: specificity.signature,
      widthPx: picture.widthPx,
      heightPx: picture.heightPx,
      classCount,
      options: [scoreThreshold(0.01), iouThreshold(0.45), maxDetections(), maxCandidates],
      preprocessing: { colour: 'bgr', ...asUnits, letterbox: null },
      outputs: [output.name],
      attach: (head) => {
        const { candidates, boxes } = objectnessRows(head, head.output(output.name), classCount);
        return suppressed(head, candidates, cornersOfCentres(head, boxes, 'pixels'), classCount);
      },
    };
  },
};
