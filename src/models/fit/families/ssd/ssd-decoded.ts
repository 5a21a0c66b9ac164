import { reshape, slice } from '../../../onnx/face/graphs.ts';
import { cornersOfCentres, cornersOfCorners } from '../../attach/boxes.ts';
import { everyClassSuppressed } from '../../attach/suppressed.ts';
import { notThisFamily, specificity, type Family } from '../../structure/family.ts';
import {
  iouThreshold,
  maxCandidates,
  maxDetections,
  scoreThreshold,
  type ChoiceOption,
} from '../../structure/options.ts';
import { boxPair } from '../parts/box-pair.ts';

const boxForm = (usual: 'corners' | 'centre'): ChoiceOption => ({
  kind: 'choice',
  key: 'boxForm',
  about: 'corners: xmin, ymin, xmax, ymax; centre: the centre and the size.',
  choices: ['corners', 'centre'],
  usual,
});

/** Scores [1, N, 1+C] under a softmax, a background first, and boxes [1, N, 4] that the graph has decoded against its priors. */
export const ssdDecoded: Family = {
  id: 'ssd-decoded',
  name: 'UltraFace, SSD with decoded boxes',
  kind: 'detections',
  recognise(model) {
    const { picture } = model;
    if (!picture) return notThisFamily('its first input is not a picture');
    const pair = boxPair(model);
    if (!pair || pair.scores.columns < 2) {
      return notThisFamily('its outputs are not scores [1, candidates, classes] and boxes [1, candidates, 4]');
    }
    const { boxes, scores } = pair;
    if (boxes.rows < 1) return notThisFamily('the file does not say how many candidates there are');
    if (!scores.operators.has('Softmax')) return notThisFamily('no softmax makes probabilities of its scores');
    if (!boxes.operators.has('Exp')) {
      return notThisFamily('its boxes are not decoded: no exponential makes sizes of them');
    }
    // Half the size goes off the centre, and is added to it.
    const areCorners = boxes.operators.has('Sub');
    const classCount = scores.columns - 1;
    return {
      fits: true,
      evidence: [
        `Outputs "${scores.name}" ${scores.shapeText} and "${boxes.name}" ${boxes.shapeText} have a row a prior box.`,
        'An exponential makes sizes of the boxes, so the graph has decoded them; nothing has suppressed them.',
        `A softmax makes the scores, so the first of ${scores.columns} classes is the background.`,
      ],
      specificity: specificity.operators,
      widthPx: picture.widthPx,
      heightPx: picture.heightPx,
      classCount,
      leavesOutBackground: true,
      options: [
        // UltraFace gives nearly every anchor 0.05 to 0.1.
        scoreThreshold(classCount === 1 ? 0.1 : 0.05),
        iouThreshold(0.45),
        maxDetections(),
        maxCandidates,
        boxForm(areCorners ? 'corners' : 'centre'),
      ],
      preprocessing: {
        colour: 'rgb',
        mean: [127 / 255, 127 / 255, 127 / 255],
        stdDev: [128 / 255, 128 / 255, 128 / 255],
        letterbox: null,
      },
      outputs: [scores.name, boxes.name],
      attach: (head) => {
        const { build } = head;
        const count = boxes.rows;
        const rows = reshape(build, head.output(boxes.name), [count, 4]);
        const corners = head.choice('boxForm') === 'corners' ? cornersOfCorners : cornersOfCentres;
        const classes = slice(build, head.output(scores.name), 2, 1, scores.columns);
        return everyClassSuppressed(head, { scores: classes, classCount }, (index) =>
          corners(head, build.add('Gather', [rows, index], { axis: { int: 0 } }), 'proportional'),
        );
      },
    };
  },
};
