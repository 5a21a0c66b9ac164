import { boxesOnImage, classesOfImage } from '../capture/boxes-on-image.ts';
import type { TransformStep } from '../../machine/config/face/machine-config.ts';
import type { Content, DatasetBox, DatasetItem } from '../datasets/face/items.ts';
import type { ServiceFilter } from '../../machine/vision/face/filters.ts';
import { boxOnSource, keptResults, type FootageFrame } from './footage-frame.ts';
import type { FootageSource } from './run-setup.ts';

/** A frame as an encoded picture of its source. */
export interface FramePicture {
  /** with its extension */
  readonly fileName: string;
  readonly content: Content;
}

/**
 * A frame of footage as a picture of a dataset, with what the filter keeps as its annotations: boxes on the source
 * picture, as predictions. Frames of a video are one sequence, so that a split does not tear them apart.
 * @param frame that was run
 * @param picture the source picture
 * @param run steps of the camera, the filter in force, and the source
 * @returns the item; its split is left to the exporter
 */
export function footageItem(
  frame: FootageFrame,
  { fileName, content }: FramePicture,
  {
    steps,
    filter,
    source,
  }: { readonly steps: readonly TransformStep[]; readonly filter: ServiceFilter; readonly source: FootageSource },
): DatasetItem {
  const { index, stages } = frame;
  const contentId = `${source.sha256.slice(0, 16)}-${index}`;
  const { detections, classifications } = keptResults(frame, filter);
  const [first] = stages;
  const size = first?.uncut ?? first;
  return {
    contentId,
    fileName,
    content,
    sizePx: size ? { widthPx: size.widthPx, heightPx: size.heightPx } : null,
    boxes: boxesOnImage(detections, boxOnSource(frame, steps), (row) => `${contentId}-${row}`).map(withConfidence),
    classifications: classesOfImage(classifications, (row) => `${contentId}-class-${row}`).map(withConfidence),
    tags: [],
    capturedAt: null,
    origin: {},
    split: null,
    ...(source.kind === 'video' && { sequence: { name: source.name, at: index } }),
  };
}

/** Absent, not null, is what datasets have for no confidence. */
function withConfidence<T extends { readonly confidence: number | null }>({
  confidence,
  ...rest
}: T): Omit<T, 'confidence'> & Pick<DatasetBox, 'confidence'> {
  return confidence === null ? rest : { ...rest, confidence };
}
