import { boxesOnImage } from '../../../../capture/boxes-on-image.ts';
import type { RawResults } from '../../../../vision/run-result.ts';
import type { Capture, ImageBox } from '../../../../capture/capture.ts';
import type { TracedBox, TracedStage } from '../../../../vision/trace.ts';
import { detectionsAt } from '../../../../vision/filter/filter-detections.ts';
import { uprightOnSource } from '../../../../vision/upright-on-source.ts';

/**
 * Which boxes of a capture are sent.
 * - `corrected`: as they are now: a person's where one corrected them, else those that passed the thresholds.
 * - `filtered`: those that passed the thresholds when it was captured, whatever was corrected since.
 * - `raw`: all that the model gave, before any threshold.
 * - `none`
 */
export type BoxChoice = 'corrected' | 'filtered' | 'raw' | 'none';

/** The boxes of a choice on the kept image. Their ids are the same every time: what was sent is known again. */
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

/** The pictures between the kept image and what the detector saw. */
function wayOf({ image, setup }: Pick<Capture, 'image' | 'setup'>): readonly TracedStage[] {
  const source = { step: null, widthPx: image.widthPx, heightPx: image.heightPx };
  const stages = setup?.stages ?? [];
  if (stages.length === 0) return [source];
  return stages.map(({ step, widthPx, heightPx }) => ({ step: setup!.steps[step] ?? null, widthPx, heightPx }));
}
