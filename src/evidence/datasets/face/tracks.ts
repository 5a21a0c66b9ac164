// Boxes of one thing over frames.

export { computedBoxes, tracksOf } from '../tracks/track-frames.ts';
export { isTrackTag, trackMarks, trackTag } from '../tracks/track-tags.ts';
export type { KeyFrame, TrackMark } from '../tracks/track.ts';
