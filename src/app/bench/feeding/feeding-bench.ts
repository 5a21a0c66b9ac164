import type { FeedingCure } from '../../../../workers/feeding/client.ts';
import { type PipelineEdit, setModelAttributes } from '../../../machine/config/face/edits.ts';
import type { VisionServiceConfig } from '../../../machine/config/face/machine-config.ts';
import { ModelRunError } from '../../captures/run-model.ts';
import type { BenchFeeding, FeedingBench } from '../../evaluate/ports/feeding-bench.ts';
import type { ConfigState } from '../config/config-state.svelte.ts';
import type { FitState } from '../fit/fit-state.svelte.ts';
import type { LabelsState } from '../models/labels-state.svelte.ts';
import type { ModelsState } from '../models/models-state.svelte.ts';
import type { SolverState } from '../solver/solver-state.svelte.ts';
import { addLastStep, cureTarget } from '../solver/write-cure.ts';

type Solver = Pick<SolverState, 'tell' | 'written' | 'takeBack'>;

interface Bench {
  readonly config: ConfigState;
  readonly models: Pick<ModelsState, 'of' | 'sourceOf' | 'loading' | 'loadFirst' | 'fault'>;
  readonly labels: Pick<LabelsState, 'of'>;
  readonly fit: Pick<FitState, 'rewrite' | 'recognise'>;
  readonly serviceName: string;
}

/** What an evaluation asks of the bench to say what feeding costs, and to write what wins it back. */
export function feedingBench(bench: Bench, solver: Solver): FeedingBench {
  return {
    async now() {
      const { models, labels, serviceName, config } = bench;
      if (config.tunesColor) throw missing(`${serviceName} is a colour detector. It has no model that is fed.`);
      if (models.loading) throw missing('The bench’s model is still loading. Try again in a moment.');
      if (!models.of(serviceName)) await models.loadFirst(serviceName);
      const model = models.of(serviceName);
      if (!model) throw missing(`There is no model to feed: ${models.fault?.message ?? 'load one on the bench.'}`);
      const { backend } = model;
      const source = models.sourceOf(model.modelId);
      if (!source || backend === 'live') throw missing('The model runs on a live machine, where nothing but the machine feeds it. Open its file on the bench.'); // prettier-ignore
      const { service } = config;
      if (!service) throw missing('The configuration has no vision service that feeds the model.');
      return {
        source,
        backend,
        service: saidBy(service),
        labels: labels.of(serviceName) ?? model.labels,
        modelName: model.fileName,
        stepsOf: config.camera?.pipeline.some(({ type }) => type !== '') ? config.camera.name : '',
        key: keyOf(bench),
      };
    },
    get key() {
      return keyOf(bench);
    },
    write: (cure) => write(bench, solver, cure),
    get written() {
      return solver.written;
    },
    takeBack: () => solver.takeBack(),
  };
}

const missing = (message: string): ModelRunError => new ModelRunError('no-model', message);

function keyOf({ models, serviceName, config: { service, camera } }: Bench): string {
  const model = models.of(serviceName);
  if (!model || !service) return '';
  return JSON.stringify([model.modelId, saidBy(service), camera?.pipeline]);
}

/** What a vision service says of how its model is fed and read. */
function saidBy(service: VisionServiceConfig): BenchFeeding['service'] {
  const { bgr, meanValue, stdDev, boxOrder, remapInputNames, remapOutputNames } = service;
  return { bgr, meanValue: [...meanValue], stdDev: [...stdDev], boxOrder, remapInputNames, remapOutputNames };
}

async function write(bench: Bench, solver: Solver, { title, fed, step, fit }: FeedingCure): Promise<string> {
  const { config, models, serviceName } = bench;
  if (config.broken) return 'The configuration cannot be read: fix it on the bench first.';
  const withStep = (edit: PipelineEdit) => (step ? addLastStep(edit, cureTarget(config, serviceName), asWritten(step), 'fed-camera') : edit); // prettier-ignore
  const model = models.of(serviceName);
  if (fit) {
    const isWritten = model !== null && (await bench.fit.rewrite(model, { ...fit, also: withStep }));
    if (!isWritten) return 'The model could not be written again: the dialog on the bench says why.';
    followCamera(bench, step);
    solver.tell(`Wrote the model again: ${title}.`, true);
    return '';
  }
  const isWritten = config.editSteps(`Preprocessing: ${title}`, (edit) =>
    withStep({ ...edit, text: setModelAttributes(edit.text, serviceName, fed) }),
  );
  if (!isWritten) return 'The configuration cannot be written: fix it on the bench first.';
  config.settle();
  followCamera(bench, step);
  solver.tell(`Wrote into the configuration: ${title}.`);
  return '';
}

/** A new camera is the service's own from now on, not one that a person chose. */
function followCamera({ config }: Bench, step: FeedingCure['step']): void {
  if (step) config.chooseCamera(undefined);
}

/** A step as the JSON has it. */
function asWritten(step: NonNullable<FeedingCure['step']>): { readonly type: string; readonly attributes: object } {
  if (step.type === 'crop') {
    const { xMin, yMin, xMax, yMax } = step.attributes;
    return { type: step.type, attributes: { x_min_px: xMin, y_min_px: yMin, x_max_px: xMax, y_max_px: yMax } };
  }
  if (step.type !== 'resize') throw new TypeError(`A feeding has no step "${step.type}".`);
  const { widthPx, heightPx } = step.attributes;
  return { type: step.type, attributes: { width_px: widthPx, height_px: heightPx } };
}
