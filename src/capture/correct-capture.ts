import type { CaptureCorrection } from './capture-store.ts';
import type { Capture } from './capture.ts';

/** The capture as a person corrected it. Tags alone leave the model's boxes what they are: predictions. */
export function correctedCapture(capture: Capture, correction: CaptureCorrection, nowMs: number): Capture {
  const { tags = capture.tags, boxes = capture.boxes, classes = capture.classes } = correction;
  const touched = correction.boxes !== undefined || correction.classes !== undefined;
  return { ...capture, tags, boxes, classes, correctedAtMs: touched ? nowMs : capture.correctedAtMs };
}
