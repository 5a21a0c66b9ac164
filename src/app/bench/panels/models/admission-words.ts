import type { Admission } from '../../../../platform/ports/backend-decisions.ts';
import { timeText } from '../../../kit/words/figures.ts';

/** What the last comparison with the CPU decided, when and on what, as sentences. */
export function admissionWords({ fault, decidedAtMs, frameName, widthPx, heightPx }: Admission): string {
  const compared = `Compared with the CPU on ${frameName}, ${widthPx} × ${heightPx} px, ${timeText(decidedAtMs)}`;
  return fault === '' ? `${compared}: the same but for rounding.` : `${compared}. ${fault}`;
}
