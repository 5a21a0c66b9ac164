import { openGraph as openGraphIn } from '../workers/model-graph/client.ts';
import { profileModel as profileModelIn } from '../workers/model-profile/client.ts';
import type { OpenGraph } from './app/bench/graph/graph-loader.svelte.ts';
import type { ProfileModel } from './app/bench/profile/profile-state.svelte.ts';

// The part of the composition root that is fetched when a model is first looked into: each tool runs in a worker of its own.

export { compareBackends, findDifference } from '../workers/backends/client.ts';

const startGraph = () =>
  new Worker(new URL('../workers/model-graph/entry.ts', import.meta.url), { type: 'module', name: 'model-graph' });
const startProfile = () =>
  new Worker(new URL('../workers/model-profile/entry.ts', import.meta.url), { type: 'module', name: 'model-profile' });

export const openGraph: OpenGraph = async (source) => openGraphIn(startGraph, source);
export const profileModel: ProfileModel = (...asked) => profileModelIn(startProfile, ...asked);
