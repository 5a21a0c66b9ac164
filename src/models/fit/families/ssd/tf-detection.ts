import { reshape } from '../../../onnx/face/graphs.ts';
import { isPlaceholder } from '../../../../machine/vision/face/results.ts';
import { shapeText, type TensorInfo } from '../../../../machine/vision/face/feeding.ts';
import { fixedRows } from '../../attach/fixed-rows.ts';
import { asBytes, notThisFamily, specificity, type Family } from '../../structure/family.ts';
import { maxDetections, scoreThreshold } from '../../structure/options.ts';

/** Boxes, scores and classes as TensorFlow's detection API names them, best first, suppressed in the graph; SSD, EfficientDet and others. */
export const tfDetection: Family = {
  id: 'tf-detection',
  name: 'TensorFlow detection API',
  kind: 'detections',
  recognise({ picture, outputs, labels }) {
    if (!picture) return notThisFamily('its first input is not a picture');
    const named = (name: string) => outputs.find((output) => baseName(output) === name);
    const [boxes, scores, classes] = ['detection_boxes', 'detection_scores', 'detection_classes'].map(named);
    if (!boxes || !scores || !classes) {
      return notThisFamily('it has no outputs detection_boxes, detection_scores and detection_classes');
    }
    const areRows = boxes.shape.length === 3 && boxes.shape[2] === 4;
    if (!areRows || [scores, classes].some(({ shape }) => shape.length !== 2)) {
      return notThisFamily('its detection_boxes are not [1, N, 4], or its scores and classes not [1, N]');
    }
    // Classes count from 1, and the list may have a line for the number 0.
    const hasPlaceholder = isPlaceholder(labels?.[0] ?? '');
    return {
      fits: true,
      evidence: [
        `Outputs "${boxes.name}" ${shapeText(boxes.shape)}, "${scores.name}" and "${classes.name}" are named and shaped as TensorFlow's detection API has them: ymin, xmin, ymax, xmax as shares, classes from 1.`,
        ...(named('num_detections') ? ['"num_detections" counts them; the rows beyond have a score of 0.'] : []),
      ],
      specificity: specificity.signature,
      widthPx: picture.widthPx,
      heightPx: picture.heightPx,
      classCount: Math.max(0, (labels?.length ?? 0) - (hasPlaceholder ? 1 : 0)),
      options: [scoreThreshold(0.01), maxDetections()],
      preprocessing: { colour: 'rgb', ...asBytes, letterbox: null },
      outputs: [boxes.name, scores.name, classes.name],
      attach: (head) => {
        const { build } = head;
        const flat = (tensor: TensorInfo) => reshape(build, head.output(tensor.name), [-1]);
        return fixedRows(head, {
          boxes: reshape(build, head.output(boxes.name), [-1, 4]),
          category: build.add('Sub', [flat(classes), build.floats([], [1])]),
          score: flat(scores),
        });
      },
    };
  },
};

/** Converters write "detection_boxes:0", too. */
function baseName({ name }: TensorInfo): string {
  return name.replace(/:\d+$/, '');
}
