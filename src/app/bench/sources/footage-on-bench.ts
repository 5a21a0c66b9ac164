import { counted } from '../../kit/words/figures.ts';
import type { StillFrame } from '../../../platform/ports/frame-source.ts';

/** The video or the pictures on the bench, all of which can be run. */
export type FootageOnBench =
  | { readonly kind: 'video'; readonly name: string; readonly file: Blob }
  | { readonly kind: 'pictures'; readonly name: string; readonly pictures: readonly StillFrame[] };

interface Sources {
  readonly kind: string;
  readonly video: { readonly file: Blob | null; readonly video: { readonly name: string } | null };
  readonly stills: { readonly own: readonly StillFrame[]; readonly showsSamples: boolean };
}

/** The video on the stage, or the person's own pictures where there are several; null: neither. */
export function footageOnBench({ kind, video, stills }: Sources): FootageOnBench | null {
  if (kind === 'video' && video.file && video.video) return { kind, name: video.video.name, file: video.file };
  if (kind !== 'stills' || stills.showsSamples || stills.own.length < 2) return null;
  return { kind: 'pictures', name: counted(stills.own.length, 'picture'), pictures: stills.own };
}
