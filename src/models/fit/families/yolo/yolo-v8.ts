import { reshape, slice } from '../../../onnx/face/graphs.ts';
import { cornersOfCentres, type BoxUnit } from '../../attach/boxes.ts';
import { bestCandidates } from '../../attach/candidates.ts';
import { stridesOf } from '../../attach/grid.ts';
import { suppressed } from '../../attach/suppressed.ts';
import { aroundTurned, turnedWords } from '../../attach/turned.ts';
import {
  asUnits,
  notThisFamily,
  specificity,
  type Detections,
  type Family,
  type Head,
} from '../../structure/family.ts';
import type { ModelStructure } from '../../structure/model-structure.ts';
import { choosesByMetadata, classesAmong, numbersByMetadata, type FurtherNumbers } from '../parts/classes-among.ts';
import { furtherColumns, furtherOptions, keepsFurther, withPrototypes } from '../parts/further-columns.ts';
import { isOfTwoParts, pictureText, rawOutputs, type RawOutput } from '../parts/raw-output.ts';
import { lostInSteps } from '../parts/lost-in-steps.ts';
import { statedBoxUnit } from '../parts/box-unit.ts';
import { yoloOptions } from '../parts/yolo-options.ts';

/** One output [1, 4+C, N]: a column a cell of the grids, decoded boxes (centre and size) above class probabilities; no objectness. */
export const yoloV8: Family = {
  id: 'yolo-v8',
  name: 'YOLOv8, YOLO11, YOLO12',
  kind: 'detections',
  recognise(model) {
    const { picture } = model;
    if (!picture) return notThisFamily('its first input is not a picture');
    const stated = statedRows(model);
    const outputs = rawOutputs(model).map((one) =>
      stated !== null && one.rows === -1 && one.columns === -1 ? { ...one, rows: stated } : one,
    );
    const output =
      outputs.find(({ rows, columns }) => rows > 4 && (columns === -1 || rows < columns)) ??
      turnedOutput(model, outputs);
    if (!output) return notThisFamily('no output is [1, 4 + classes, candidates] with more candidates than numbers');
    const isSized = picture.widthPx > 0 && picture.heightPx > 0;
    const strides = output.columns === -1 ? [8, 16, 32] : isSized ? stridesOf(picture, output.columns, 1) : null;
    if (!strides) {
      return notThisFamily(
        `${output.columns} candidates are not one a cell of the grids of a ${pictureText(picture)} picture`,
        1,
      );
    }
    if (!output.operators.has('Sigmoid')) return notThisFamily('no sigmoid makes probabilities of its class scores', 2);
    if (!output.operators.has('Mul'))
      return notThisFamily('its boxes are not decoded: nothing multiplies them by strides', 2);
    const { classCount, further, beside } = classesAmong(model, output.name, output.rows - 4);
    if (classCount < 1) return notThisFamily(`${output.rows} numbers a candidate leave no class`, 2);
    const isTurned = model.metadata['task'] === 'obb' && output.rows === 4 + classCount + 1;
    const unit = statedBoxUnit(model, output.name);
    return {
      fits: true,
      evidence: [
        `Output "${output.name}" ${output.shapeText} has 4 box numbers and ${classCount} class scores a candidate${beside}.`,
        ...(output.columns === -1
          ? []
          : [
              `${output.columns} candidates are one a cell of the grids of strides ${strides.join(', ')}, so there is no objectness.`,
            ]),
        'A sigmoid makes the class scores, and the boxes are decoded in the graph.',
        ...(isTurned ? [turnedWords] : []),
        ...unit.evidence,
      ],
      specificity: specificity.operators,
      widthPx: picture.widthPx,
      heightPx: picture.heightPx,
      classCount,
      options: [...yoloOptions({ iou: 0.7 }), unit.option, ...furtherOptions(further)],
      preprocessing: { colour: 'rgb', ...asUnits, letterbox: { border: 114, at: 'centre' } },
      outputs: [output.name],
      outputsOf: (options) => withPrototypes(output.name, further, options),
      lost: lostInSteps(model, output.name, 'decoded'),
      attach: (head) =>
        attach(head, output.name, {
          classCount,
          isTurned,
          isByRows: 'isByRows' in output,
          further: keepsFurther(further, head.choice) ? further : null,
        }),
    };
  },
};

/** How many numbers a candidate has by Ultralytics' metadata, where the file leaves all sizes open; null: they do not say it. */
function statedRows(model: ModelStructure): number | null {
  const behind = choosesByMetadata(model) ? null : numbersByMetadata(model);
  const classCount = model.labels?.length ?? 0;
  return behind === null || classCount === 0 ? null : 4 + classCount + behind;
}

interface Columns {
  readonly classCount: number;
  /** an angle stands behind the classes */
  readonly isTurned: boolean;
  /** a candidate is a row */
  readonly isByRows: boolean;
  /** numbers behind the classes that are kept; null: none */
  readonly further: FurtherNumbers | null;
}

/**
 * The output of exporters that put candidates first, [1, N, 4+C]. It has the shape of one with objectness and a class less: the number of
 * labels tells, or that only two tensors are joined in it.
 */
function turnedOutput(model: ModelStructure, outputs: readonly RawOutput[]) {
  const labelCount = model.labels?.length ?? 0;
  const output = outputs.find(
    ({ name, rows, columns }) =>
      columns > 4 && columns < rows && ((labelCount > 0 && columns === 4 + labelCount) || isOfTwoParts(model, name)),
  );
  return output && { ...output, rows: output.columns, columns: output.rows, isByRows: true };
}

function attach(head: Head, name: string, { classCount, isTurned, isByRows, further }: Columns): Detections {
  const { build } = head;
  const given = head.output(name);
  const output = isByRows ? build.add('Transpose', [given], { perm: { ints: [0, 2, 1] } }) : given;
  const scores = slice(build, output, 1, 4, 4 + classCount);
  const candidates = bestCandidates(head, { scores, classAxis: 1, objectness: null });
  const ofCandidates = (from: number, to: number) => {
    const columns = build.add('Gather', [slice(build, output, 1, from, to), candidates.index], { axis: { int: 2 } });
    const rows = build.add('Transpose', [columns], { perm: { ints: [0, 2, 1] } });
    return reshape(build, rows, [-1, to - from]);
  };
  const centres = isTurned
    ? aroundTurned(head, ofCandidates(0, 4), ofCandidates(4 + classCount, 5 + classCount))
    : ofCandidates(0, 4);
  const boxes = cornersOfCentres(head, centres, head.choice('boxUnit') as BoxUnit);
  const first = 4 + classCount;
  const count = further?.kind === 'masks' ? further.shape[1]! : further ? further.points * further.each : 0;
  const kept = further && furtherColumns(head, further, ofCandidates(first, first + count));
  return { ...suppressed(head, candidates, boxes, classCount, kept?.further), ...(kept && { details: kept.details }) };
}
