import type { AnnotatedBox } from './annotated-box.ts';

/** "face 0.92", "prediction face 0.92", "no label" */
export function nameOf({ label, confidence, predicted }: AnnotatedBox): string {
  const score = confidence === null ? '' : ` ${confidence.toFixed(2)}`;
  return `${predicted ? 'prediction ' : ''}${label || 'no label'}${score}`;
}

/** ", track 3", ", track 3 between key frames"; '' for a box without a track */
export function trackWords({ track }: AnnotatedBox): string {
  return track ? `, track ${track.id}${track.isKey ? '' : ' between key frames'}` : '';
}

/** Why a box cannot be removed. */
export const computedWords =
  'A box between key frames is computed: end its track on the last frame that shows it, or remove a key frame.';
