import type { FilterCounts } from '../../machine/vision/face/filtered-cameras.ts';
import { nameSome } from '../kit/words/name-some.ts';
import { byteText, counted, numberText, shareText } from '../kit/words/figures.ts';

/** What a filtered camera would keep, of a run or of stored captures. */
interface Filtered {
  readonly counts: Pick<FilterCounts, 'captures' | 'given'>;
  /** calls of the data manager */
  readonly asked: number;
  /** images that were not collected at the end */
  readonly waiting: number;
  readonly durationMs: number;
}

const dayMs = 24 * 60 * 60 * 1000;

/** The images stored, as a share of those stored without a filter; above 1 where the buffer fills faster than the data manager asks. */
export const keptShare = ({ counts, asked }: Pick<Filtered, 'counts' | 'asked'>): number =>
  asked === 0 ? 0 : counts.given / asked;

/**
 * How much is stored, and what that is a day (`bytesPerPicture`; null: in images alone): "Keeps 41 images instead of 120 (34 %): about 9,800 images and 1.2 GB a day.".
 * Of less than `leastMs` no day is said.
 */
export function keptWords(run: Filtered, bytesPerPicture: number | null, leastMs = 0): string {
  const { counts, asked, durationMs } = run;
  const kept = `Keeps ${counted(counts.given, 'image')} instead of ${numberText(asked)} (${shareText(keptShare(run))})`;
  if (durationMs < leastMs) return `${kept}.`;
  const aDay = (counts.given * dayMs) / Math.max(1, durationMs);
  // Two digits are as exact as an hour of footage says of a day.
  const images = Number(aDay.toPrecision(2));
  const size = bytesPerPicture === null ? '' : ` and ${byteText(Number((aDay * bytesPerPicture).toPrecision(2)))}`;
  const day = `about ${counted(images, 'image')}${size} a day`;
  return `${kept}: ${day}.`;
}

/** Triggers, and why the other calls of the data manager stored nothing, in words; '': there were no calls. */
export function heldWords({ counts: { captures }, waiting }: Pick<Filtered, 'counts' | 'waiting'>): string {
  const parts = [
    captures.triggered > 0 && counted(captures.triggered, 'trigger'),
    captures['held-back'] > 0 && `${counted(captures['held-back'], 'check')} without a trigger`,
    captures.cooldown > 0 && `${counted(captures.cooldown, 'call')} in a cool-down`,
    captures.failed > 0 && `${counted(captures.failed, 'call')} failed: the service gives no such results`,
    waiting > 0 && `${counted(waiting, 'image')} not yet collected at the end`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? '' : `${parts.join(' · ')}.`;
}

/** How many events have an image, and of which labels those have none: "5 of 8 events have an image, but not 2 of car, 1 of cat." */
export function eventWords(events: number, lost: readonly { readonly label: string }[]): string {
  const counts = new Map<string, number>();
  for (const { label } of lost) counts.set(label, (counts.get(label) ?? 0) + 1);
  const names = [...counts].sort(([, a], [, b]) => b - a).map(([label, count]) => `${numberText(count)} of ${label}`);
  const without = names.length > 0 ? `, but not ${nameSome(names)}` : '';
  return `${numberText(events - lost.length)} of ${counted(events, 'event')} have an image${without}.`;
}

/** How two settings differ: "Keeps 14 % instead of 31 %, and loses 3 of 41 events instead of 1." */
export function comparedWords(
  now: { readonly run: Filtered; readonly lost: number },
  before: { readonly run: Filtered; readonly lost: number },
  events: number,
): string {
  const [share, former] = [keptShare(now.run), keptShare(before.run)].map(shareText);
  const lost = `${numberText(now.lost)} of ${counted(events, 'event')}`;
  return `Keeps ${share} instead of ${former}, and loses ${lost} instead of ${numberText(before.lost)}.`;
}
