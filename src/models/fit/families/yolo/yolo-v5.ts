import { reshape, slice } from '../../../onnx/face/graphs.ts';
import { cornersOfCentres, type BoxUnit } from '../../attach/boxes.ts';
import { stridesOf } from '../../attach/grid.ts';
import { suppressed } from '../../attach/suppressed.ts';
import { asUnits, notThisFamily, specificity, type Family } from '../../structure/family.ts';
import { objectnessRows } from '../parts/objectness-rows.ts';
import { classesAmong } from '../parts/classes-among.ts';
import { furtherColumns, furtherOptions, keepsFurther, withPrototypes } from '../parts/further-columns.ts';
import { pictureText, rawOutputs } from '../parts/raw-output.ts';
import { lostInSteps } from '../parts/lost-in-steps.ts';
import { statedBoxUnit } from '../parts/box-unit.ts';
import { yoloOptions } from '../parts/yolo-options.ts';

const anchors = 3;

/** One output [1, N, 5+C]: three anchors a cell, each a row of decoded box (centre and size), objectness and class probabilities. */
export const yoloV5: Family = {
  id: 'yolo-v5',
  name: 'YOLOv5, YOLOv7',
  kind: 'detections',
  recognise(model) {
    const { picture } = model;
    if (!picture) return notThisFamily('its first input is not a picture');
    const output = rawOutputs(model).find(({ rows, columns }) => columns > 5 && (rows === -1 || columns < rows));
    if (!output) return notThisFamily('no output is [1, candidates, 5 + classes] with more candidates than numbers');
    const strides = output.rows === -1 ? [8, 16, 32] : stridesOf(picture, output.rows, anchors);
    if (!strides) {
      return notThisFamily(
        `${output.rows} candidates are not three anchors a cell of the grids of a ${pictureText(picture)} picture`,
        1,
      );
    }
    if (!output.operators.has('Sigmoid') || !output.operators.has('Mul')) {
      return notThisFamily(
        'its rows are not decoded: no sigmoid and no product with the anchors stands before them',
        2,
      );
    }
    const { classCount, further, beside } = classesAmong(model, output.name, output.columns - 5);
    if (classCount < 1) return notThisFamily(`${output.columns} numbers a candidate leave no class`, 2);
    const unit = statedBoxUnit(model, output.name);
    return {
      fits: true,
      evidence: [
        `Output "${output.name}" ${output.shapeText} has a box, an objectness and ${classCount} class scores a candidate${beside}.`,
        ...(output.rows === -1
          ? []
          : [`${output.rows} candidates are three anchors a cell of the grids of strides ${strides.join(', ')}.`]),
        'A sigmoid makes the scores, and the boxes are decoded in the graph.',
        ...unit.evidence,
      ],
      specificity: output.rows === -1 ? specificity.grid : specificity.operators,
      widthPx: picture.widthPx,
      heightPx: picture.heightPx,
      classCount,
      options: [...yoloOptions({ iou: 0.45 }), unit.option, ...furtherOptions(further)],
      preprocessing: { colour: 'rgb', ...asUnits, letterbox: { border: 114, at: 'centre' } },
      outputs: [output.name],
      outputsOf: (options) => withPrototypes(output.name, further, options),
      lost: lostInSteps(model, output.name, 'decoded'),
      attach: (head) => {
        const { build } = head;
        const given = head.output(output.name);
        const { candidates, boxes } = objectnessRows(head, given, classCount);
        const corners = cornersOfCentres(head, boxes, head.choice('boxUnit') as BoxUnit);
        if (!keepsFurther(further, head.choice)) return suppressed(head, candidates, corners, classCount);
        const count = further.kind === 'masks' ? further.shape[1]! : further.points * further.each;
        const columns = slice(build, given, 2, 5 + classCount, 5 + classCount + count);
        const ofCandidates = build.add('Gather', [columns, candidates.index], { axis: { int: 1 } });
        const kept = furtherColumns(head, further, reshape(build, ofCandidates, [-1, count]));
        return { ...suppressed(head, candidates, corners, classCount, kept.further), details: kept.details };
      },
    };
  },
};
