import { expect, it } from 'vitest';
import type { BenchPlan } from '../../../../workers/vision/protocol.ts';
import { PlanInForce } from './plan-in-force.svelte.ts';

const planOf = (visionName: string): BenchPlan => ({
  config: { cameras: [], visionServices: [] },
  visionName,
  cameraName: null,
  models: {},
  undistortPreview: false,
  shownStage: null,
  thumbnails: false,
});
const unable = { able: false, tensors: [], warnings: [], reason: '', code: '' };

it('runs the frame again for a service beside the tuned one, whose results stay what they were', async () => {
  const asked: string[] = [];
  const plan = new PlanInForce({
    set: async ({ beside }) => {
      asked.push(beside?.cameraName ?? 'alone');
      return { detector: unable, classifier: unable, problems: [] };
    },
    rerun: async () => (asked.push('rerun'), true),
    working: (work) => work().then(() => true),
    onNewModel: () => undefined,
    onNewResults: () => void asked.push('new results'),
  });
  const beside = { visionName: 'other', cameraName: 'front', model: { modelId: '5a', labels: null } };
  for (const besides of [null, beside, { ...beside }, { ...beside, cameraName: 'small' }, null])
    await plan.apply({ ...planOf('tuned'), beside: besides });
  expect(asked).toEqual(['alone', 'new results', 'rerun', 'front', 'rerun', 'small', 'rerun', 'alone', 'rerun']);
});

it('sets the plan before one that failed again, as the worker may have come back with the one that failed', async () => {
  const asked: string[] = [];
  const plan = new PlanInForce({
    set: async ({ visionName }) => {
      asked.push(visionName!);
      if (visionName === 'deadly') throw new Error('The worker died.');
      return { detector: unable, classifier: unable, problems: [] };
    },
    rerun: async () => (asked.push('rerun'), true),
    working: (work) =>
      work().then(
        () => true,
        () => false,
      ),
    onNewModel: () => undefined,
    onNewResults: () => void asked.push('new results'),
  });
  for (const name of ['good', 'deadly', 'good', 'good']) await plan.apply(planOf(name));
  expect(asked).toEqual(['good', 'new results', 'rerun', 'deadly', 'good', 'new results', 'rerun']);
  expect(plan.applied).toEqual(planOf('good'));
});
