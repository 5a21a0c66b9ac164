// What a filtered camera keeps.

export type { FilterKind, SeenByService, SeenByServices } from '../filtered-camera/decide-image.ts';
export { type FilterCounts, FilterTally } from '../filtered-camera/filter-counts.ts';
export { filterPhase, type FilterPhase } from '../filtered-camera/filter-phase.ts';
export { type FilterMoment, FilterPlay } from '../filtered-camera/filter-play.ts';
export { filterRefusal, type FilterRefusal, type FilterRefusalCode } from '../filtered-camera/filter-refusal.ts';
export { defaultImageFrequencyHz, filterRule, type FilterRule } from '../filtered-camera/filter-rule.ts';
export type { FilterState, KeptImage } from '../filtered-camera/filter-step.ts';
export { playableRule } from '../filtered-camera/playable-rule.ts';
