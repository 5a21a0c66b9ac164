import type { KeptTruth, TruthLine } from '../../../../evidence/footage/filtered/kept-truth.ts';
import { counted, durationText, numberText, shareText } from '../../../kit/words/figures.ts';

/**
 * The share kept of frames that a person corrected: "24 corrected frames: keeps 11 of 12 (92 %) with face. 3 of 16 (19 %) kept have
 * nothing that the camera waits for."
 */
export function truthWords({ frames, lines, kept, keptWithNothing }: KeptTruth): string {
  const corrected = counted(frames, 'corrected frame');
  if (lines.length === 0) return `${corrected}: keeps ${numberText(kept)} (${shareText(kept / frames)}).`;
  const there = lines.filter((line) => line.frames > 0);
  const absent = lines.filter((line) => line.frames === 0);
  const keeps = there.map((line) => `${shareOf(line.kept, line.frames)} with ${nameOf(line)}`).join(', ');
  const parts = [keeps && `keeps ${keeps}`, absent.length > 0 && `none has ${absent.map(nameOf).join(', ')}`];
  const first = `${corrected}: ${parts.filter(Boolean).join('; ')}.`;
  if (kept === 0) return first;
  return `${first} ${shareOf(keptWithNothing, kept)} kept have nothing that the camera waits for.`;
}

/** What counts as kept of a video, whose frames are asked for by time. */
export const nearWords = (withinMs: number): string =>
  `A frame counts as kept where an image within ${durationText(withinMs)} is.`;

const nameOf = ({ key }: TruthLine): string => (key === '*' ? 'any label' : key);

const shareOf = (part: number, whole: number): string =>
  `${numberText(part)} of ${numberText(whole)} (${shareText(part / whole)})`;
