import { render } from 'svelte/server';
import { expect, it } from 'vitest';
import ReplayChoiceForm from './ReplayChoiceForm.svelte';
import type { Recording } from './replay-source.ts';
import type { ReplayState } from './replay-state.svelte.ts';

it('offers boxes and classifications of a service, whatever its newest frames have', () => {
  const recording: Recording = {
    locationId: 'yard',
    robotName: 'porch',
    partId: 'p',
    partName: 'porch-main',
    serviceName: 'watch-recorder',
    frameCount: 3,
    firstMs: 1000,
    lastMs: 3000,
    kinds: ['detections'],
  };
  const state = { held: null, reading: null } as ReplayState;
  const { body } = render(ReplayChoiceForm, { props: { state, recordings: [recording] } });
  for (const kind of ['detections', 'classifications']) expect(body).toContain(kind);
});
