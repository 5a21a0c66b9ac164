import { reshape, slice } from '../../../onnx/face/graphs.ts';
import { cornersOfCentres, cornersOfCorners, type BoxUnit } from '../../attach/boxes.ts';
import { fixedRows } from '../../attach/fixed-rows.ts';
import { aroundTurned, turnedWords } from '../../attach/turned.ts';
import { asUnits, notThisFamily, specificity, type Family } from '../../structure/family.ts';
import type { ModelStructure } from '../../structure/model-structure.ts';
import { maxDetections, scoreThreshold } from '../../structure/options.ts';
import { statedBoxUnit } from '../parts/box-unit.ts';
import {
  choosesByMetadata,
  numbersByMetadata,
  numbersOfCocoPoints,
  pointsAmong,
  prototypesOf,
  type FurtherNumbers,
} from '../parts/classes-among.ts';
import { furtherColumns, furtherOptions, keepsFurther, withPrototypes } from '../parts/further-columns.ts';
import { lostInSteps } from '../parts/lost-in-steps.ts';
import { rawOutputs, type RawOutput } from '../parts/raw-output.ts';

/** More rows than any export keeps after its own choice of the best. */
const mostRows = 1000;
const choosers = ['TopK', 'NonMaxSuppression', 'GatherElements', 'GatherND'];
/** A box, a score and a class. */
const boxNumbers = 6;

/**
 * One output [1, N, 6]: corners, score and class of boxes that the graph has already chosen. No raw head, and nothing to suppress. The
 * weights of masks, key points or an angle may stand behind them; with an angle the box is a centre and a size.
 */
export const yoloEndToEnd: Family = {
  id: 'yolo-end-to-end',
  name: 'YOLOv10, YOLO26 and exports with suppression inside',
  kind: 'detections',
  recognise(model) {
    const { picture, labels } = model;
    if (!picture) return notThisFamily('its first input is not a picture');
    const stated = statedColumns(model);
    const output = rawOutputs(model)
      .map((one) => (stated !== null && one.columns === -1 ? { ...one, columns: stated } : one))
      .find(
        ({ rows, columns }) =>
          columns >= boxNumbers && columns <= 70 && (rows > 0 || stated !== null) && rows <= mostRows,
      );
    if (!output) return notThisFamily(`no output is [1, rows, ${boxNumbers}] of at most ${mostRows} rows`);
    const chooser = choosers.find((operator) => output.operators.has(operator));
    const isPlain = output.columns === boxNumbers;
    if (!chooser) return notThisFamily('nothing before its output chooses the best rows', isPlain ? 2 : 0);
    const behind = behindBoxes(model, output);
    if (!behind)
      return notThisFamily(
        `its rows have ${output.columns} numbers, and neither masks, key points nor an angle explain more than ${boxNumbers}`,
        1,
      );
    const { further, isTurned } = behind;
    const classCount = labels?.length ?? 0;
    const unit = statedBoxUnit(model, output.name);
    return {
      fits: true,
      evidence: [
        `Output "${output.name}" ${output.shapeText} has ${isTurned ? 'a centre, a size' : 'corners'}, a score and a class in each of ${output.rows === -1 ? 'its' : output.rows} rows${behind.words}.`,
        `${chooser} chooses the rows in the graph, so they are not a raw head and need no suppression.`,
        ...(isTurned ? [turnedWords] : []),
        ...unit.evidence,
      ],
      specificity: specificity.operators,
      widthPx: picture.widthPx,
      heightPx: picture.heightPx,
      classCount,
      options: [scoreThreshold(0.01), maxDetections(), unit.option, ...furtherOptions(further)],
      preprocessing: { colour: 'rgb', ...asUnits, letterbox: { border: 114, at: 'centre' } },
      outputs: [output.name],
      lost: lostInSteps(model, output.name, 'decoded'),
      outputsOf: (options) => withPrototypes(output.name, further, options),
      attach: (head) => {
        const { build } = head;
        const rows = reshape(build, head.output(output.name), [output.rows, output.columns]);
        const columns = (from: number, to = from + 1) => slice(build, rows, 1, from, to);
        const column = (k: number) => reshape(build, columns(k), [output.rows]);
        const boxUnit = head.choice('boxUnit') as BoxUnit;
        const boxes = isTurned
          ? cornersOfCentres(head, aroundTurned(head, columns(0, 4), columns(boxNumbers)), boxUnit)
          : cornersOfCorners(head, columns(0, 4), boxUnit);
        const kept = keepsFurther(further, head.choice)
          ? furtherColumns(head, further, columns(boxNumbers, output.columns))
          : null;
        const fixed = fixedRows(head, { boxes, score: column(4), category: column(5), further: kept?.further });
        return { ...fixed, ...(kept && { details: kept.details }) };
      },
    };
  },
};

/** How many numbers a row has by Ultralytics' metadata, which say that the graph chooses its rows; null: they do not say so. */
function statedColumns(model: ModelStructure): number | null {
  const behind = choosesByMetadata(model) ? numbersByMetadata(model) : null;
  return behind === null ? null : boxNumbers + behind;
}

/** What stands behind box, score and class. */
interface BehindBoxes {
  readonly isTurned: boolean;
  /** numbers that can be kept for the bench; null: none */
  readonly further: FurtherNumbers | null;
  /** in words that follow the rows; '' where there is nothing */
  readonly words: string;
}

/** Null where nothing in the file explains it. */
function behindBoxes(model: ModelStructure, { columns, operators }: RawOutput): BehindBoxes | null {
  const { metadata, outputs } = model;
  const numbers = columns - boxNumbers;
  if (numbers === 0) return { isTurned: false, further: null, words: '' };
  const task = metadata['task'] ?? null;
  const isTurned = numbers === 1 && (task === null ? operators.has('Cos') && operators.has('Sin') : task === 'obb');
  if (isTurned) return { isTurned, further: null, words: ', with an angle behind them' };
  if (outputs.some(({ shape }) => shape.length === 4)) {
    const masks = prototypesOf(model);
    const further = masks?.shape[1] === numbers ? masks : null;
    return { isTurned, further, words: `, with ${numbers} further numbers of masks behind them` };
  }
  const arePoints = task === 'pose' || (task === null && numbers === numbersOfCocoPoints);
  const further = arePoints ? pointsAmong(numbers, metadata) : null;
  return further && { isTurned, further, words: `, with ${numbers} further numbers of key points behind them` };
}
