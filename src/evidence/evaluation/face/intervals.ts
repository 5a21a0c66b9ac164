// Intervals, bounds, and the seeded numbers behind them.

export { falseDiscoveryLevels } from '../intervals/false-discovery.ts';
export { type BoundedShare, boundOfCounts, lowerBound, trialsNeeded } from '../intervals/lower-bound.ts';
export { type Estimate, shareInterval } from '../intervals/ratio-interval.ts';
export { seededNumbers } from '../intervals/seeded-numbers.ts';
