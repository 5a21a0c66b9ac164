import { cornersOfCentres } from '../../attach/boxes.ts';
import { gridRows, stridesOf } from '../../attach/grid.ts';
import { onGrid } from '../../attach/on-grid.ts';
import { suppressed } from '../../attach/suppressed.ts';
import { asBytes, asUnits, notThisFamily, specificity, type Family } from '../../structure/family.ts';
import type { ChoiceOption } from '../../structure/options.ts';
import { lostInSteps } from '../parts/lost-in-steps.ts';
import { objectnessRows } from '../parts/objectness-rows.ts';
import { isOfTwoParts, pictureText, rawOutputs } from '../parts/raw-output.ts';
import { yoloOptions } from '../parts/yolo-options.ts';

const decoding = (usual: 'grid' | 'none'): ChoiceOption => ({
  kind: 'choice',
  key: 'decoding',
  about: 'grid: boxes are offsets in a cell and logarithms of sizes; none: the graph has made pixels of them.',
  choices: ['grid', 'none'],
  usual,
});

/** One output [1, N, 5+C]: a row a cell of the grids of box, objectness and class probabilities; boxes raw, or decoded by the export. */
export const yolox: Family = {
  id: 'yolox',
  name: 'YOLOX, YOLOv6',
  kind: 'detections',
  recognise(model) {
    const { picture } = model;
    if (!picture) return notThisFamily('its first input is not a picture');
    const output = rawOutputs(model).find(({ rows, columns }) => columns > 5 && (rows === -1 || columns < rows));
    if (!output) return notThisFamily('no output is [1, candidates, 5 + classes] with more candidates than numbers');
    const { operators } = output;
    const isDecoded = operators.has('Exp') || operators.has('Mul');
    const strides = output.rows === -1 ? (isDecoded ? null : [8, 16, 32]) : stridesOf(picture, output.rows, 1);
    if (!strides) {
      return notThisFamily(
        `${output.rows} candidates are not one a cell of the grids of a ${pictureText(picture)} picture`,
        1,
      );
    }
    if (!operators.has('Sigmoid')) return notThisFamily('no sigmoid makes probabilities of its scores', 2);
    if (isOfTwoParts(model, output.name))
      return notThisFamily('only boxes and class scores are joined in its output, so there is no objectness', 2);
    const classCount = output.columns - 5;
    // YOLOv6 has the same rows, decoded from distances and trained on 0..1 in RGB.
    const isYolov6 = isDecoded && !operators.has('Exp');
    return {
      fits: true,
      evidence: [
        `Output "${output.name}" ${output.shapeText} has a box, an objectness and ${classCount} class scores a candidate.`,
        `Candidates are one a cell of the grids of strides ${strides.join(', ')}.`,
        isDecoded
          ? 'The boxes are decoded in the graph.'
          : 'Nothing but a sigmoid and moves of numbers stands before the output, so its boxes are still offsets in the grid.',
      ],
      specificity: specificity.operators,
      widthPx: picture.widthPx,
      heightPx: picture.heightPx,
      classCount,
      options: [...yoloOptions({ iou: 0.45 }), decoding(isDecoded ? 'none' : 'grid')],
      preprocessing: isYolov6
        ? { colour: 'rgb', ...asUnits, letterbox: { border: 114, at: 'centre' } }
        : { colour: 'bgr', ...asBytes, letterbox: { border: 114, at: 'top-left' } },
      outputs: [output.name],
      lost: lostInSteps(model, output.name, isDecoded ? 'decoded' : 'offsets'),
      attach: (head) => {
        const { candidates, boxes } = objectnessRows(head, head.output(output.name), classCount);
        const pixels =
          head.choice('decoding') === 'grid'
            ? onGrid(head, boxes, candidates.index, gridRows(head.size, strides))
            : boxes;
        return suppressed(head, candidates, cornersOfCentres(head, pixels, 'pixels'), classCount);
      },
    };
  },
};
