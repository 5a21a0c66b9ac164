import { boxOverlap } from '../../src/evidence/evaluation/face/matches.ts';
import type { Classification, Detection } from '../../src/machine/vision/face/results.ts';

/** What one side says of a frame at its thresholds. */
export interface SideResult {
  /** that pass the filter; null: the model gives no boxes */
  readonly boxes: readonly Detection[] | null;
  /** that pass the filter; null: the model gives no classes */
  readonly classes: readonly Classification[] | null;
}

/** How far two sides say the same of a frame, at the thresholds of each. */
export interface FrameAgreement {
  /** boxes that each side keeps, or classes; null: a side gives neither */
  readonly kept: { readonly reference: number; readonly other: number } | null;
  /** kept by the reference alone */
  readonly lost: number;
  /** kept by the other side alone */
  readonly added: number;
  /** pairs of one place with different labels */
  readonly relabelled: number;
  /** largest difference of scores, and of sides of boxes in px, among what both keep */
  readonly largestScore: number;
  readonly largestShiftPx: number;
  /** largest difference of the output tensors; null: their shapes or names differ */
  readonly outputs: number | null;
  /** whether both say the same but for rounding */
  readonly agrees: boolean;
}

/** Differences up to these come from rounding, as in the comparison of each GPU with the CPU. */
const tolerated = { score: 0.01, share: 0.01, leastPx: 2 } as const;
/** Boxes that overlap at least so much are of one thing. */
const sameThing = 0.5;

/**
 * Compares what two sides say of a frame. Boxes are paired by overlap, the closest first, and of those the ones of the same label.
 * @param outputs of the tensors; see `FrameAgreement`
 * @param outputsAgree whether the tensors are the same but for rounding: decides where a side gives neither boxes nor classes
 * @param frame the size of the frame that was seen, px
 */
export function frameAgreement(
  reference: SideResult,
  other: SideResult,
  outputs: number | null,
  outputsAgree: boolean,
  frame: { readonly widthPx: number; readonly heightPx: number },
): FrameAgreement {
  const counted = compareBoxes(reference.boxes, other.boxes) ?? compareClasses(reference.classes, other.classes);
  if (!counted) return { ...nothing, kept: null, outputs, agrees: outputsAgree };
  const { lost, added, relabelled, largestScore, largestShiftPx } = counted;
  const tolerancePx = Math.max(tolerated.leastPx, tolerated.share * Math.max(frame.widthPx, frame.heightPx));
  const isRounding = largestScore <= tolerated.score && largestShiftPx <= tolerancePx;
  return { ...counted, outputs, agrees: lost + added + relabelled === 0 && isRounding };
}

type Counted = Omit<FrameAgreement, 'outputs' | 'agrees'>;

const nothing = { lost: 0, added: 0, relabelled: 0, largestScore: 0, largestShiftPx: 0 };

function compareBoxes(reference: SideResult['boxes'], other: SideResult['boxes']): Counted | null {
  if (!reference || !other) return null;
  const [places, otherPlaces] = [placesOf(reference), placesOf(other)];
  const overlaps = reference
    .flatMap((box, row) =>
      other.map((one, at) => ({
        box,
        one,
        overlap: boxOverlap(otherPlaces, at, places, row, false),
        isSameLabel: box.label === one.label,
      })),
    )
    .filter(({ overlap }) => overlap >= sameThing)
    .sort((a, b) => Number(b.isSameLabel) - Number(a.isSameLabel) || b.overlap - a.overlap);
  const paired = new Set<Detection>();
  const counted = { ...nothing };
  for (const { box, one, isSameLabel } of overlaps) {
    if (paired.has(box) || paired.has(one)) continue;
    paired.add(box).add(one);
    if (!isSameLabel) counted.relabelled++;
    counted.largestScore = Math.max(counted.largestScore, Math.abs(box.score - one.score));
    counted.largestShiftPx = Math.max(counted.largestShiftPx, shiftPx(box, one));
  }
  const alone = (boxes: readonly Detection[]) => boxes.filter((box) => !paired.has(box)).length;
  const kept = { reference: reference.length, other: other.length };
  return { ...counted, kept, lost: alone(reference), added: alone(other) };
}

function compareClasses(reference: SideResult['classes'], other: SideResult['classes']): Counted | null {
  if (!reference || !other) return null;
  const scoreOf = new Map(other.map(({ label, score }) => [label, score]));
  const shared = reference.filter(({ label }) => scoreOf.has(label));
  return {
    kept: { reference: reference.length, other: other.length },
    lost: reference.length - shared.length,
    added: other.length - shared.length,
    relabelled: 0,
    largestScore: shared.reduce((most, { label, score }) => Math.max(most, Math.abs(score - scoreOf.get(label)!)), 0),
    largestShiftPx: 0,
  };
}

/** Boxes as x, y, width, height; a side of 0 counts as 1 px, so that a box overlaps itself. */
function placesOf(boxes: readonly Detection[]): Float64Array {
  return Float64Array.from(
    boxes.flatMap(({ xMin, yMin, xMax, yMax }) => [xMin, yMin, Math.max(1, xMax - xMin), Math.max(1, yMax - yMin)]),
  );
}

function shiftPx(a: Detection, b: Detection): number {
  return Math.max(...(['xMin', 'yMin', 'xMax', 'yMax'] as const).map((side) => Math.abs(a[side] - b[side])));
}
