import { isPlaceholder } from '../../../../machine/vision/face/results.ts';
import { cornersOfCorners, type BoxUnit } from '../../attach/boxes.ts';
import { fixedRows } from '../../attach/fixed-rows.ts';
import { asUnits, notThisFamily, specificity, type Family } from '../../structure/family.ts';
import { maxDetections, scoreThreshold, type ChoiceOption } from '../../structure/options.ts';
import { shapeText } from '../../../../machine/vision/face/feeding.ts';
import { chosenBoxes, chosenRows } from './chosen-boxes.ts';
import { boxUnitOption } from './yolo-options.ts';

const firstClass = (usual: '0' | '1'): ChoiceOption => ({
  kind: 'choice',
  key: 'firstClass',
  about: 'The number of the first class; 1 where 0 stands for the background.',
  choices: ['0', '1'],
  usual,
});

/** Boxes, labels and scores that the graph has chosen and suppressed, in as many rows as it found: torchvision's without a batch. */
export const scoredBoxes: Family = {
  id: 'scored-boxes',
  name: 'torchvision, MMDetection and other exports of chosen boxes',
  kind: 'detections',
  recognise(model) {
    const { picture, inputs, labels } = model;
    if (!picture) return notThisFamily('its first input is not a picture');
    const chosen = chosenBoxes(model);
    if (!chosen) return notThisFamily('its outputs are not boxes, whole-numbered labels and scores');
    if (inputs.length > 1) return notThisFamily(`it has a further input "${inputs[1]!.name}"`);
    const { boxes, labels: classes, scores } = chosen;
    const hasBatch = boxes.shape.length === 3;
    const hasSoftmax = model.headOf((scores ?? boxes).name).has('Softmax');
    // The list of labels may begin with the background itself.
    const countsFromOne = !hasBatch && !isPlaceholder(labels?.[0] ?? '');
    return {
      fits: true,
      evidence: [
        `Outputs "${boxes.name}" ${shapeText(boxes.shape)} and "${classes.name}" ${shapeText(classes.shape)} ${classes.dtype}${scores ? `, with "${scores.name}",` : ''} are boxes, labels and scores of what the graph chose.`,
        ...(hasBatch
          ? []
          : [
              hasSoftmax
                ? 'There is no batch among their sizes, as torchvision writes them, and a softmax makes the scores: class 0 is the background.'
                : 'There is no batch among their sizes, as torchvision writes them: class 0 is taken for the background. A sigmoid makes the scores, so it may be a class, too: then choose 0 as the first class.',
            ]),
      ],
      specificity: specificity.operators,
      widthPx: picture.widthPx,
      heightPx: picture.heightPx,
      classCount: labels?.length ?? 0,
      options: [scoreThreshold(0.01), maxDetections(), boxUnitOption, firstClass(countsFromOne ? '1' : '0')],
      preprocessing: { colour: 'rgb', ...asUnits, letterbox: null },
      outputs: [boxes.name, classes.name, ...(scores ? [scores.name] : [])],
      attach: (head) => {
        const { build } = head;
        const rows = chosenRows(head, chosen);
        return fixedRows(head, {
          ...rows,
          boxes: cornersOfCorners(head, rows.boxes, head.choice('boxUnit') as BoxUnit),
          category:
            head.choice('firstClass') === '0'
              ? rows.category
              : build.add('Sub', [rows.category, build.floats([], [1])]),
        });
      },
    };
  },
};
