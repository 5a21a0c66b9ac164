import type { SampleKind } from '../../../platform/ports/frame-source.ts';

/** What the buttons say that show sample photographs of a kind, with the model that finds what is on them. */
export const trySamplesWords = {
  faces: 'Try it on faces',
  things: 'Try it on everyday things',
} as const satisfies Record<SampleKind, string>;
