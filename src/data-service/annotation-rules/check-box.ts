import type { BoundingBox } from '../ports/stored-captures.ts';
import { boundedName, invalidArgument, requireText } from '../wire/invalid-argument.ts';
import { requireWord } from './annotation-bounds.ts';

const coordinates = {
  xMinNormalized: 'x_min_normalized',
  yMinNormalized: 'y_min_normalized',
  xMaxNormalized: 'x_max_normalized',
  yMaxNormalized: 'y_max_normalized',
} as const;

/** A new box, if it lies in the picture and has a label of no more characters than a scheme's. @throws ConnectError InvalidArgument naming field and value */
export function requireBox(box: BoundingBox): BoundingBox {
  requireWord(box.label, 'label');
  boundedName(box.id, 'id');
  return requirePlaced(box);
}

/** A box, if it lies in the picture and has a label. @throws ConnectError InvalidArgument naming field and value */
export function requirePlaced(box: BoundingBox): BoundingBox {
  requireText(box.label, 'label');
  for (const [name, field] of Object.entries(coordinates) as [keyof typeof coordinates, string][]) {
    requireFraction(box[name], field);
  }
  requireOrder(box.xMinNormalized, box.xMaxNormalized, 'x');
  requireOrder(box.yMinNormalized, box.yMaxNormalized, 'y');
  requireConfidence(box.confidence);
  return box;
}

export function requireConfidence(confidence: number | null): number | null {
  return confidence === null ? null : requireFraction(confidence, 'confidence');
}

function requireFraction(value: number, field: string): number {
  // NaN fails both comparisons.
  if (value >= 0 && value <= 1) return value;
  throw invalidArgument(`${field} is ${value}; it must be a number from 0 to 1.`);
}

function requireOrder(min: number, max: number, axis: 'x' | 'y'): void {
  if (min <= max) return;
  throw invalidArgument(`${axis}_min_normalized is ${min}, more than ${axis}_max_normalized ${max}; swap them.`);
}
