import type { StreamBreak } from '../../../evidence/footage/filtered/stream-breaks.ts';
import type { FilterPhase } from '../../../machine/vision/face/filtered-cameras.ts';
import { durationText, numberText, positionText } from '../../kit/words/figures.ts';
import type { SourceKind } from '../sources/source-kinds.ts';
import type { LiveSince } from './live-stream.svelte.ts';

/** What the camera does now: "Window open, 2 s left". */
export function phaseWords({ kind, leftMs }: FilterPhase): string {
  const left = `${numberText(Math.ceil(leftMs / 1000))} s left`;
  if (kind === 'waiting') return 'Waits for a trigger';
  return kind === 'window' ? `Window open, ${left}` : `Cool-down, ${left}`;
}

/** Why no time passes: the source gives no frames by itself. */
export const atRestWords = (kind: SourceKind): string =>
  kind === 'video' ? 'Paused: no time passes' : 'Stopped: no time passes';

const begins = {
  opened: '',
  source: ', since the source changed',
  setting: ', since the setting changed',
  results: ', since the model or the steps changed',
} as const satisfies Record<LiveSince, string>;

/** How long was counted: "12.3 s counted, since the setting changed." */
export const sinceWords = (durationMs: number, since: LiveSince): string =>
  `${durationText(durationMs)} counted${begins[since]}.`;

/** The gap in the frames, and what the preview makes of it, in a sentence of its own. */
export function breakWords(
  { kind, fromMs, toMs }: StreamBreak,
  source: SourceKind,
  again = 'The camera starts again there, the counts go on.',
): string {
  if (kind === 'silence') return `No frame came for ${durationText(toMs - fromMs)}, which does not count. ${again}`;
  if (source === 'video') return `The video went from ${positionText(fromMs)} to ${positionText(toMs)}. ${again}`;
  const by = durationText(Math.abs(toMs - fromMs));
  return `The source’s clock went ${kind === 'back' ? 'back' : 'ahead'} by ${by}. ${again}`;
}

/** How often frames run here, and what that means for a camera that buffers more; 0: no camera buffers them. */
export function rateWords(framesPerSecond: number, imageFrequencyHz = 0): string {
  const here = `Frames count as they run here, ${rateText(framesPerSecond)} a second.`;
  if (framesPerSecond >= imageFrequencyHz) return here;
  return `${here} The camera would buffer ${rateText(imageFrequencyHz)}: some count more than once.`;
}

const rateText = (rate: number): string => numberText(Number(rate.toPrecision(2)));
