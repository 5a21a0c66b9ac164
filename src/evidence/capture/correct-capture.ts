import type { CaptureCorrection } from './capture-store.ts';
import type { Capture } from './capture.ts';

/** The capture with a person's corrections. If only tags are corrected, the boxes stay the model's predictions. */
export function correctedCapture(capture: Capture, correction: CaptureCorrection, nowMs: number): Capture {
  const { tags = capture.tags, boxes = capture.boxes, classes = capture.classes } = correction;
  const touched = correction.boxes !== undefined || correction.classes !== undefined;
  return { ...capture, tags, boxes, classes, correctedAtMs: touched ? nowMs : capture.correctedAtMs };
}
