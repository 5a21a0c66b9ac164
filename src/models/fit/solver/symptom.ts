import type { Change } from './hypothesis.ts';

/** What a person sees that is wrong; 'unsure' = something is. */
export type Symptom =
  'unsure' | 'corner' | 'shifted' | 'mirrored' | 'one-label' | 'wrong-labels' | 'nothing' | 'hundreds';

/** What commonly makes a symptom. */
const usual: Readonly<Record<Symptom, readonly Change[]>> = {
  unsure: [],
  corner: ['box-space', 'box-form', 'box-order', 'tensors'],
  shifted: ['box-form', 'letterbox', 'box-order', 'box-space'],
  mirrored: ['box-order', 'turn'],
  'one-label': ['tensors', 'background', 'labels', 'range', 'activation'],
  'wrong-labels': ['labels', 'background', 'tensors'],
  nothing: ['threshold', 'range', 'colours', 'activation', 'turn', 'labels', 'box-space'],
  hundreds: ['suppression', 'threshold', 'background', 'activation', 'range'],
};

export const usualWeight = 1.3;

/** How much more a set of changes is worth for a symptom: a word of the person's, which the frame may contradict. */
export function weightOf(changes: readonly Change[], symptom: Symptom): number {
  return changes.length > 0 && changes.every((change) => usual[symptom].includes(change)) ? usualWeight : 1;
}
