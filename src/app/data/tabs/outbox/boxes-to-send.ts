import { boxesOnImage } from '../../../../evidence/capture/boxes-on-image.ts';
import type { RawResults } from '../../../../machine/vision/face/results.ts';
import type { Capture, ImageBox } from '../../../../evidence/capture/capture.ts';
import { type TracedBox, type TracedStage, uprightOnSource } from '../../../../machine/vision/face/traces.ts';
import { detectionsAt } from '../../../../machine/vision/face/filters.ts';

/**
 * Which boxes of a capture are sent:
 * - `corrected`: the current boxes: as a person corrected them, otherwise the detections that passed the thresholds
 * - `filtered`: the detections that passed the thresholds when it was captured, without later corrections
 * - `raw`: all detections of the model, before any threshold
 * - `none`: no boxes
 */
export type BoxChoice = 'corrected' | 'filtered' | 'raw' | 'none';

/** The chosen boxes, in coordinates of the stored image. Their ids are deterministic, so that boxes that are sent again are recognized. */
export function boxesToSend(
  choice: BoxChoice,
  capture: Pick<Capture, 'id' | 'boxes' | 'detections' | 'image' | 'setup'>,
  raw: RawResults | null,
): readonly ImageBox[] {
  const way = wayOf(capture);
  const onSource = (box: TracedBox) => uprightOnSource(box, way);
  switch (choice) {
    case 'none':
      return [];
    case 'corrected':
      return capture.boxes;
    case 'filtered':
      return boxesOnImage(capture.detections ?? [], onSource, (row) => `${capture.id}-filtered-${row}`);
    case 'raw': {
      const detections = raw?.detections ? detectionsAt(raw.detections) : [];
      return boxesOnImage(detections, onSource, (row) => `${capture.id}-raw-${row}`);
    }
  }
}

/** The transform stages from the stored image to the detector's input. */
function wayOf({ image, setup }: Pick<Capture, 'image' | 'setup'>): readonly TracedStage[] {
  const source = { step: null, widthPx: image.widthPx, heightPx: image.heightPx };
  const stages = setup?.stages ?? [];
  if (stages.length === 0) return [source];
  return stages.map(({ step, widthPx, heightPx }) => ({ step: setup!.steps[step] ?? null, widthPx, heightPx }));
}
