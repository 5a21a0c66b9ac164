import { expect, it } from 'vitest';
import type { BenchPlan } from '../../../../workers/vision/protocol.ts';
import type { CameraConfig } from '../../../machine/config/parse/machine-config.ts';
import { visionServiceConfig } from '../../../../tests/machine-configs.ts';
import { PlanInForce, resultsKey } from './plan-in-force.svelte.ts';

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

it('tells the worker of another vision service, and keeps the scores seen, unless a step draws what it says', async () => {
  const asked: string[] = [];
  const plan = new PlanInForce({
    set: async ({ config }) => {
      asked.push(config.visionServices.map(({ name }) => name).join());
      return { detector: unable, classifier: unable, problems: [] };
    },
    rerun: async () => true,
    working: (work) => work().then(() => true),
    onNewModel: () => undefined,
    onNewResults: () => void asked.push('new results'),
  });
  const tuned = visionServiceConfig({ name: 'tuned' });
  const model = { modelId: '5a', labels: null };
  const withServices = (names: readonly string[], drawn: string, models: BenchPlan['models'] = {}): BenchPlan => ({
    ...planOf('tuned'),
    cameraName: 'steps',
    config: {
      cameras: [
        {
          kind: 'transform',
          name: 'steps',
          source: 'webcam',
          pipeline: [
            { type: 'detections', attributes: { serviceName: drawn, confidenceThreshold: 0, validLabels: [] } },
          ],
          intrinsics: null,
          distortion: null,
        },
      ],
      visionServices: [tuned, ...names.map((name) => visionServiceConfig({ name }))],
    },
    models,
  });
  await plan.apply(withServices([], ''));
  await plan.apply(withServices(['recorder'], ''));
  await plan.apply(withServices(['recorder'], '', { recorder: model }));
  expect(asked).toEqual(['tuned', 'new results', 'tuned,recorder', 'tuned,recorder']);
  const keys = [
    withServices(['recorder'], 'recorder'),
    withServices(['renamed'], 'recorder'),
    withServices(['recorder'], 'recorder', { recorder: model }),
    withServices(['recorder'], '', { tuned: model }),
  ].map(resultsKey);
  expect(new Set(keys).size).toBe(4);
});

it('names the same results when a camera comes or goes that is not on the way of the frames', () => {
  const step = { type: 'rotate', attributes: { angleDegs: 90 } } as const;
  const turned = (name: string, source: string): CameraConfig => ({
    kind: 'transform',
    name,
    source,
    pipeline: [step],
    intrinsics: null,
    distortion: null,
  });
  const keyWith = (...cameras: readonly CameraConfig[]) =>
    resultsKey({ ...planOf('tuned'), cameraName: 'small', config: { cameras, visionServices: [] } });
  const [webcam, small, kept] = [
    { kind: 'source', name: 'webcam' },
    turned('small', 'kept'),
    { kind: 'filtered', name: 'kept', source: 'webcam' },
  ] as const;
  const key = keyWith(webcam, small, kept);
  expect(
    keyWith(turned('other', 'small'), webcam, { kind: 'filtered', name: 'watch', source: 'small' }, small, kept),
  ).toBe(key);
  const others = [
    [webcam, small],
    [webcam, small, { ...kept, source: 'other' }, turned('other', 'webcam')],
    [{ ...webcam, builtIn: true }, small, kept],
    [small, { ...kept, source: 'small' }], // each other's source
  ] as const;
  expect(new Set([key, ...others.map((cameras) => keyWith(...cameras))]).size).toBe(5);
});
