import type { CorrectionWorth } from '../../../evidence/evaluation/face/correction.ts';
import { counted } from '../../kit/words/figures.ts';

/** Why an image is worth correcting, the weightiest reason first. */
export function reasonsText({ uncertain, disagreeing, novel, rare }: CorrectionWorth): string {
  const reasons: string[] = [];
  if (disagreeing > 0) reasons.push(`${counted(disagreeing, 'box')} that only one model has`);
  if (uncertain >= 0.5) reasons.push('unsure boxes');
  if (rare >= 0.5) reasons.push('a rare label');
  if (novel >= 0.8) reasons.push('unlike the others');
  return reasons.length > 0 ? reasons.join(', ') : 'chosen at random';
}
