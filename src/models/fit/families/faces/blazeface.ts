import { reshape, slice } from '../../../onnx/face/graphs.ts';
import { cornersOfCentres } from '../../attach/boxes.ts';
import { gridRows, type GridRow } from '../../attach/grid.ts';
import { everyClassSuppressed, withKeyPoints } from '../../attach/suppressed.ts';
import { asSigned, asUnits, notThisFamily, specificity, type Family } from '../../structure/family.ts';
import type { InputSize } from '../../structure/input-size.ts';
import {
  iouThreshold,
  keyPointsOption,
  maxCandidates,
  maxDetections,
  scoreThreshold,
} from '../../structure/options.ts';
import { joinLevels, levelOutputs } from '../yolo/level-outputs.ts';
import { pictureText } from '../parts/raw-output.ts';

/** The anchors of MediaPipe's detectors: for an input of so many pixels, how many a cell of which stride. */
interface AnchorLayout {
  readonly sidePx: number;
  readonly grids: readonly { readonly stride: number; readonly anchors: number }[];
}

const fine = { stride: 8, anchors: 2 };
const shortRange = [fine, { stride: 16, anchors: 6 }];
const bodies = [fine, { stride: 16, anchors: 2 }, { stride: 32, anchors: 6 }];

const layouts: readonly AnchorLayout[] = [
  // phones' front cameras; hands have the same at 192
  { sidePx: 128, grids: shortRange },
  { sidePx: 192, grids: shortRange },
  // full range
  { sidePx: 192, grids: [{ stride: 4, anchors: 1 }] },
  // back cameras
  {
    sidePx: 256,
    grids: [
      { stride: 16, anchors: 2 },
      { stride: 32, anchors: 6 },
    ],
  },
  // bodies, and hands of the first release
  { sidePx: 224, grids: bodies },
  { sidePx: 256, grids: bodies },
];

/** A box and so many key points of two numbers each. */
const kinds = [
  { columns: 16, what: 'faces, of six key points', feeding: asSigned },
  { columns: 18, what: 'hands, of seven key points', feeding: asUnits },
  { columns: 12, what: 'bodies, of four key points', feeding: asSigned },
];

/** A score [N, 1] and a box with key points [N, 4 + 2K] an anchor, in pixels from the anchor's middle; anchors have no size. */
export const blazeFace: Family = {
  id: 'blazeface',
  name: 'BlazeFace, BlazePalm, BlazePose',
  kind: 'detections',
  recognise(model) {
    const { picture } = model;
    if (!picture) return notThisFamily('its first input is not a picture');
    const groups = levelOutputs(model);
    const ofColumns = (columns: number) => groups.filter(([level]) => level!.columns === columns);
    const kind = kinds.find(({ columns }) => ofColumns(columns).length === 1);
    const [scores, ...otherScores] = ofColumns(1);
    if (!kind || !scores || otherScores.length > 0 || groups.length !== 2) {
      return notThisFamily('its outputs are not a score [N, 1] and a box with six, seven or four key points an anchor');
    }
    const boxes = ofColumns(kind.columns)[0]!;
    const isOpen = boxes.every(({ rows }) => rows === -1);
    const said = boxes.reduce((sum, { rows }) => sum + rows, 0);
    const [layout, ...rivals] = layouts.filter(
      (candidate) => isOf(candidate, picture) && (isOpen || anchorsOf(candidate).length === said),
    );
    if (!layout || scores.length !== boxes.length || scores.some(({ rows }, k) => rows !== boxes[k]!.rows)) {
      return notThisFamily(`${said} anchors are not MediaPipe's for a ${pictureText(picture)} picture`, 1);
    }
    if (rivals.length > 0) return notThisFamily('the file does not say how many anchors there are', 2);
    const anchors = anchorsOf(layout);
    const count = anchors.length;
    const points = (kind.columns - 4) / 2;
    const isSigmoid = scores.every(({ operators }) => operators.has('Sigmoid'));
    const names = [...scores, ...boxes].map(({ name }) => name);
    return {
      fits: true,
      evidence: [
        `Outputs ${names.map((name) => `"${name}"`).join(', ')} have a score, a box and key points an anchor: ${kind.what}.`,
        `${count} anchors are those of MediaPipe for a ${pictureText(picture)} picture: ${layout.grids.map(({ stride, anchors: each }) => `${each} a cell of stride ${stride}`).join(', ')}.`,
        'MediaPipe blends boxes that overlap; here the best of them stays as it is.',
      ],
      specificity: specificity.signature,
      widthPx: picture.widthPx,
      heightPx: picture.heightPx,
      classCount: 1,
      options: [scoreThreshold(0.05), iouThreshold(0.3), maxDetections(), maxCandidates, keyPointsOption],
      preprocessing: { colour: 'rgb', ...kind.feeding, letterbox: { border: 0, at: 'centre' } },
      outputs: names,
      attach: (head) => {
        const { build } = head;
        const raw = joinLevels(head, scores);
        const found = { scores: isSigmoid ? raw : build.add('Sigmoid', [raw]), classCount: 1 };
        const rows = reshape(build, joinLevels(head, boxes), [count, kind.columns]);
        // A centre and key points move from the middle of their cell, and a size is as it is.
        const middles = build.floats(
          [count, kind.columns],
          anchors.flatMap(({ x, y, stride }) => {
            const middle = [(x + 0.5) * stride, (y + 0.5) * stride];
            return [...middle, 0, 0, ...Array.from({ length: points }, () => middle).flat()];
          }),
        );
        const placed = (index: string) => {
          const ofIndex = (tensor: string) => build.add('Gather', [tensor, index], { axis: { int: 0 } });
          return build.add('Add', [ofIndex(rows), ofIndex(middles)]);
        };
        const boxesOf = (index: string) => cornersOfCentres(head, slice(build, placed(index), 1, 0, 4), 'pixels');
        const pointsOf = (index: string) => slice(build, placed(index), 1, 4, kind.columns);
        return withKeyPoints(head, { count: points, unit: 'pixels', pointsOf }, (furtherOf) =>
          everyClassSuppressed(head, found, boxesOf, furtherOf),
        );
      },
    };
  },
};

function isOf({ sidePx }: AnchorLayout, { widthPx, heightPx }: InputSize): boolean {
  return widthPx === sidePx && heightPx === sidePx;
}

function anchorsOf({ sidePx, grids }: AnchorLayout): GridRow[] {
  const size = { widthPx: sidePx, heightPx: sidePx };
  return grids.flatMap(({ stride, anchors }) => gridRows(size, [stride], anchors));
}
