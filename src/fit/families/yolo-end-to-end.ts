import { reshape, slice } from '../../onnx/versioned-operators.ts';
import { cornersOfCorners, type BoxUnit } from '../attach/boxes.ts';
import { fixedRows } from '../attach/fixed-rows.ts';
import { asUnits, notThisFamily, specificity, type Family } from '../family.ts';
import { maxDetections, scoreThreshold } from '../options.ts';
import { statedBoxUnit } from './box-unit.ts';
import { rawOutputs } from './raw-output.ts';

/** More rows than any export keeps after its own choice of the best. */
const mostRows = 1000;
const choosers = ['TopK', 'NonMaxSuppression', 'GatherElements', 'GatherND'];

/** One output [1, N, 6]: corners, score and class of boxes that the graph has already chosen. No raw head, and nothing to suppress. */
export const yoloEndToEnd: Family = {
  id: 'yolo-end-to-end',
  name: 'YOLOv10, YOLO26 and exports with suppression inside',
  kind: 'detections',
  recognise(model) {
    const { picture, labels } = model;
    if (!picture) return notThisFamily('its first input is no picture');
    const output = rawOutputs(model).find(
      ({ rows, columns }) => columns >= 6 && columns <= 70 && rows > 0 && rows <= mostRows,
    );
    if (!output) return notThisFamily(`no output is [1, rows, 6] of at most ${mostRows} rows`);
    const chooser = choosers.find((operator) => output.operators.has(operator));
    if (!chooser) return notThisFamily('nothing before its output chooses the best rows', output.columns === 6 ? 2 : 0);
    if (output.columns > 6 && !model.outputs.some(({ shape }) => shape.length === 4)) {
      return notThisFamily(`its rows have ${output.columns} numbers, and no masks explain more than 6`, 1);
    }
    const classCount = labels?.length ?? 0;
    const unit = statedBoxUnit(model, output.name);
    return {
      fits: true,
      evidence: [
        `Output "${output.name}" ${output.shapeText} has corners, a score and a class in each of ${output.rows} rows.`,
        `${chooser} chooses the rows in the graph, so they are no raw head and need no suppression.`,
        ...unit.evidence,
      ],
      specificity: specificity.operators,
      widthPx: picture.widthPx,
      heightPx: picture.heightPx,
      classCount,
      options: [scoreThreshold(0.01), maxDetections(), unit.option],
      preprocessing: { colour: 'rgb', ...asUnits, letterbox: { border: 114, at: 'centre' } },
      outputs: [output.name],
      attach: (head) => {
        const { build } = head;
        const rows = reshape(build, head.output(output.name), [output.rows, output.columns]);
        const column = (k: number) => reshape(build, slice(build, rows, 1, k, k + 1), [output.rows]);
        return fixedRows(head, {
          boxes: cornersOfCorners(head, slice(build, rows, 1, 0, 4), head.choice('boxUnit') as BoxUnit),
          score: column(4),
          category: column(5),
        });
      },
    };
  },
};
