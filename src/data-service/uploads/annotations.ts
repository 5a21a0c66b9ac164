import type { Annotations } from '../../gen/app/data/v1/data_pb.ts';
import { requireBox, requireConfidence } from '../annotation-rules/check-box.ts';
import type { BoundingBox, Classification } from '../ports/stored-captures.ts';
import type { Ids } from '../ports/ids.ts';
import { mostBoxes, requireWord } from '../annotation-rules/annotation-bounds.ts';
import { invalidArgument, requireText } from '../wire/invalid-argument.ts';
import { isImage } from '../wire/media-types.ts';

const field = 'annotations.classifications.label';

export interface UploadAnnotations {
  readonly boundingBoxes: readonly BoundingBox[];
  readonly classifications: readonly Classification[];
}

/** Boxes and classifications that come with an upload; those without an id, or with one given twice, get a fresh one. */
export function uploadAnnotations(annotations: Annotations | undefined, mimeType: string, ids: Ids): UploadAnnotations {
  const { bboxes = [], classifications = [] } = annotations ?? {};
  if (bboxes.length > 0 && !isImage(mimeType)) {
    throw invalidArgument(
      `annotations.bboxes has ${bboxes.length} for data of type ${mimeType}; only images take boxes.`,
    );
  }
  const used = new Set<string>();
  const idOf = (given: string): string => {
    const id = given === '' || used.has(given) ? ids.next() : given;
    used.add(id);
    return id;
  };
  return {
    boundingBoxes: bboxes.map(
      ({ id, label, xMinNormalized, yMinNormalized, xMaxNormalized, yMaxNormalized, confidence }) =>
        requireBox({
          id: idOf(id),
          label,
          xMinNormalized,
          yMinNormalized,
          xMaxNormalized,
          yMaxNormalized,
          confidence: confidence ?? null,
        }),
    ),
    classifications: fewClassifications(classifications).map(({ id, label, confidence }) => ({
      id: idOf(id),
      label: requireWord(requireText(label, field), field),
      confidence: requireConfidence(confidence ?? null),
    })),
  };
}

function fewClassifications<One>(classifications: readonly One[]): readonly One[] {
  if (classifications.length <= mostBoxes) return classifications;
  throw invalidArgument(
    `annotations.classifications has ${classifications.length} entries; give at most ${mostBoxes}.`,
  );
}
