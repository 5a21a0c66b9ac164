import { isObject } from '../../../../machine/config/face/json.ts';
import { matchingKey } from '../../../../machine/config/face/machine-config.ts';
import { isStepType, stepRecords } from '../../../../machine/config/face/cameras.ts';

/** One line of what a step does, with units: "0.1, 0.1 – 0.9, 0.9", "640 × 480 px", "90° clockwise". */
export function stepSummary(type: string, step: unknown): string {
  if (type === '') return 'passes the frame unchanged';
  if (!isStepType(type)) return 'unknown to the machine';
  return stepRecords[type].summary(isObject(step) ? step[matchingKey(step, 'attributes') ?? 'attributes'] : undefined);
}
