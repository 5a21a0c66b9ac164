import { expect, it } from 'vitest';
import type { ComparisonTask, SidesCompared } from '../../../../workers/backends/client.ts';
import { deferred } from '../../../../tests/deferred.ts';
import { visionServiceConfig } from '../../../../tests/machine-configs.ts';
import type { BackendsBench } from './backends-bench.ts';
import { ComparisonRun } from './comparison-run.svelte.ts';

const compared: SidesCompared = {
  pictures: [],
  unreadable: { reference: '', other: '' },
  medianMs: { reference: 1, other: 2 },
};
const first = { sha256: 'a', kind: 'one-thread' } as const;
const second = { sha256: 'a', kind: 'webgpu' } as const;

function started() {
  const asked: { task: ComparisonTask; signal: AbortSignal; tell: (fraction: number) => void }[] = [];
  const answers: ReturnType<typeof deferred<SidesCompared>>[] = [];
  const stage = { modelId: 'a', pictures: ['x.png', 'y.png', 'z.png'] };
  const bench = {
    openBackends: async () => ({
      compareBackends: (task: ComparisonTask, tell: (fraction: number) => void, signal: AbortSignal) => {
        asked.push({ task, signal, tell });
        const answer = deferred<SidesCompared>();
        answers.push(answer);
        signal.addEventListener('abort', () => answer.reject(signal.reason as Error));
        return answer.promise;
      },
    }),
    config: { service: visionServiceConfig({ defaultMinimumConfidence: 0.4 }) },
    models: {
      of: () => ({ modelId: stage.modelId, sha256: stage.modelId, format: {} }),
      sourceOf: () => ({ kind: 'stored', sha256: 'a' }),
      stored: [],
    },
    plan: { config: { cameras: [], visionServices: [] }, cameraName: 'cam', models: { v: { labels: ['cat'] } } },
    serviceName: 'v',
    session: { current: null },
    shelf: null,
    sources: {
      kind: 'stills',
      stills: { index: 1, frames: stage.pictures.map((name) => ({ name, blob: async () => new Blob([name]) })) },
    },
  } as unknown as BackendsBench;
  return { run: new ComparisonRun(bench), asked, answers, stage };
}

const until = (there: () => boolean) => expect.poll(there).toBe(true);

it('runs the pictures of the strip from the one that is shown, at the tuned thresholds', async () => {
  const { run, asked, answers } = started();
  const ends = run.start(first, second, 9);
  await until(() => asked.length === 1);
  const { task, tell } = asked[0]!;
  expect(task.pictures.map(({ name }) => name)).toEqual(['y.png', 'z.png', 'x.png']);
  expect(task).toMatchObject({
    cameraName: 'cam',
    reference: { kind: 'one-thread', labels: ['cat'], vision: { defaultMinimumConfidence: 0.4 } },
    other: { kind: 'webgpu' },
  });
  tell(0.5);
  expect(run.progress).toEqual({ doing: 'runs', fraction: 0.5 });
  answers[0]!.resolve(compared);
  await ends;
  expect([run.progress, run.found?.compared, run.fault]).toEqual([null, compared, null]);
});

it('drops what comes after a cancel, and says nothing of it', async () => {
  const { run, asked } = started();
  const ends = run.start(first, second, 1);
  await until(() => asked.length === 1);
  run.cancel();
  asked[0]!.tell(0.9);
  await ends;
  expect([asked[0]!.signal.aborted, run.progress, run.found, run.fault]).toEqual([true, null, null, null]);
});

it('drops an answer of the model before, and one that was found before another model came', async () => {
  const { run, asked, answers, stage } = started();
  const late = run.start(first, second, 1);
  await until(() => asked.length === 1);
  stage.modelId = 'b';
  answers[0]!.resolve(compared);
  await late;
  expect([run.found, run.progress]).toEqual([null, null]);

  stage.modelId = 'a';
  const ends = run.start(first, second, 1);
  await until(() => asked.length === 2);
  answers[1]!.resolve(compared);
  await ends;
  expect(run.found).not.toBeNull();
  stage.modelId = 'b';
  expect(run.found).toBeNull();
  stage.modelId = 'a';
  const again = run.start(first, second, 1);
  expect(run.found).toBeNull(); // while another one runs
  run.cancel();
  await again;
});

it('says why there is no result, until the next start', async () => {
  const { run, asked, answers } = started();
  const ends = run.start(first, second, 1);
  await until(() => asked.length === 1);
  answers[0]!.reject(new Error('The model has no GPU.'));
  await ends;
  expect(run.fault).toBe('The sides could not be compared: The model has no GPU.');
  const again = run.start(first, second, 1);
  expect(run.fault).toBeNull();
  run.cancel();
  await again;
});
