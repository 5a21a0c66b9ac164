import type { DrawingType } from '../config/face/cameras.ts';
import type { CameraChain } from './camera-chain.ts';

/** A type that is missing here does not compile. */
const drawingTypes: Readonly<Record<DrawingType, true>> = { detections: true, classifications: true };

/**
 * Tells whether a step between a camera and its source draws what a vision service finds.
 * @param chain of the camera
 * @returns false: its steps only move pixels
 * @example
 * drawsOnTheWay({ steps: [{ camera: 'c', position: 0, step: { type: 'detections' } }] }); // => true
 * drawsOnTheWay({ steps: [{ camera: 'c', position: 0, step: { type: 'crop' } }] }); // => false
 */
export function drawsOnTheWay({ steps }: Pick<CameraChain, 'steps'>): boolean {
  return steps.some(({ step }) => Object.hasOwn(drawingTypes, step.type));
}
