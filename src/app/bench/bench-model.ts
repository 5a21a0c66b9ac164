import { colorRule } from '../../machine/vision/face/colors.ts';
import type { Bench } from './bench.svelte.ts';
import { setupOf } from '../../machine/config/face/machine-config.ts';
import { renameLabels, serviceFilter } from '../../machine/vision/face/filters.ts';
import type { NormalizedBox } from '../../machine/vision/face/results.ts';
import { detectionsOnSource, regionOnSource, uprightOnSource } from '../../machine/vision/face/traces.ts';
import type { FrameResult } from '../../../workers/vision/protocol.ts';
import { boxAt } from './results/results-state.svelte.ts';
import { tracedStages } from './results/traced-stages.ts';
import type { LabelledBox } from '../../evidence/capture/capture.ts';
import { ModelRunError, type RunModel } from '../captures/run-model.ts';
import type { RawImage } from '../../platform/ports/raw-image.ts';
import type { PrepareModel, ReadyModel } from '../evaluate/ports/raw-model.ts';
import { backendText } from './models/backend-text.ts';
import type { FootageModel } from './footage/footage-ports.ts';
import { resultsKey } from './session/plan-in-force.svelte.ts';
import { renamableService, rowsKey } from './session/rows-key.ts';

/** The parts of the bench that are needed to run its model on another image. */
export type BenchOfModel = Pick<Bench, 'config' | 'models' | 'plan' | 'present' | 'serviceName' | 'session' | 'steps'>;

/** What the bench is configured to run, on frames of footage too. */
type ReadyBench = ReadyModel & FootageModel;

/**
 * Runs the model as the bench is configured: its service, its camera's steps, its thresholds. The stage does not
 * change; the model of the last visit is loaded first if necessary.
 */
export function benchModel(bench: BenchOfModel): RunModel {
  return async (image, name, fromScore) => {
    await makeReady(bench);
    const { config, serviceName, session } = bench;
    const result = await session.runAside(image, name, config.cameraName);
    const { detections } = result;
    if (!detections) throw noBoxes(serviceName, result);
    const kept =
      fromScore === undefined
        ? serviceFilter(config.filter).rows(detections).kept
        : [...detections.score.keys()].filter((row) => detections.score[row]! >= fromScore);
    const stages = tracedStages(bench.steps, result.stages);
    const boxes = Array.from(kept).flatMap((row): LabelledBox[] => {
      const place = uprightOnSource(boxAt(detections, row), stages);
      const label = detections.labels[detections.labelIndex[row]!]!;
      return place ? [{ label, confidence: Math.min(1, detections.score[row]!), ...place }] : [];
    });
    return { by: serviceName || 'The model', boxes: boxes.filter(hasArea) };
  };
}

/** The labels of what the bench is configured to run, of a colour detector its one; null: there is no model, or it has none. */
export function benchLabels(bench: BenchOfModel & Pick<Bench, 'labels'>): () => Promise<readonly string[] | null> {
  return async () => {
    const { config, models, labels, serviceName } = bench;
    await models.settled();
    if (config.tunesColor) {
      const rule = config.service?.color && colorRule(config.service.color);
      return rule && 'label' in rule ? [rule.label] : null;
    }
    if (!models.of(serviceName)) await models.loadFirst(serviceName);
    return labels.of(serviceName) ?? models.of(serviceName)?.labels ?? null;
  };
}

/**
 * What the bench is configured to run, for an evaluation: each image runs under the configuration of the moment in
 * which the model was made ready, and one that was changed since is an error.
 */
export function prepareBenchModel(bench: BenchOfModel): PrepareModel & (() => Promise<ReadyBench>) {
  return async () => {
    await makeReady(bench);
    const { config, serviceName, steps, models, session } = bench;
    const { cameraName } = config;
    const model = models.of(serviceName); // null: a colour detector
    const [planKey, backends] = [imageKey(bench), backendsOf(bench)];
    const named = renamableService(bench.plan);
    const labels = named === null ? null : bench.plan.models[named]!.labels;
    let configText = config.parsed.document.text;
    const refuseOther = (): void => {
      if (imageKey(bench) !== planKey) throw changed();
      if (backendsOf(bench) !== backends) throw moved();
    };
    const see: ReadyBench['see'] = async (image, { name, index, timestampMs }) => {
      refuseOther();
      const result = await session.runAside(image, name, cameraName, { index, timestampMs });
      refuseOther();
      return result;
    };
    const draw: ReadyBench['draw'] = async (image, results) => {
      refuseOther();
      return session.drawAside(image, results, cameraName);
    };
    return {
      key: `${backends} ${rowsKey({ ...bench.plan, cameraName })}`,
      serviceName,
      modelName: model?.fileName ?? colorName,
      sha256: model?.sha256 ?? '',
      cameraName,
      models: modelsOf(bench),
      scoresAreOne: config.tunesColor,
      backend: model ? backendText(model) : 'CPU',
      get configText() {
        if (imageKey(bench) === planKey) configText = config.parsed.document.text;
        return configText;
      },
      get isInForce() {
        return imageKey(bench) === planKey && backendsOf(bench) === backends;
      },
      get onBench() {
        const none = bench.config.tunesColor ? colorName : '';
        return { serviceName: bench.serviceName, modelName: models.of(bench.serviceName)?.fileName ?? none };
      },
      setup: setupOf(bench.present),
      see,
      draw,
      rename(kept) {
        if (named === null) return kept;
        const now = renameLabels(kept.labels, kept.classes ? 'all' : kept.labelIndex, labels);
        return now && { ...kept, labels: now };
      },
      run: async (image, name) => rawImage(await see(image, { name, index: 0, timestampMs: 0 }), serviceName, steps),
    };
  };
}

/** What runs in the place of a model. */
const colorName = 'colour detector';

/** Where the models of the plan run: results of a GPU differ from those of a CPU in their last digits. */
const backendsOf = ({ plan, models }: BenchOfModel): string =>
  Object.keys(plan.models)
    .map((service) => models.of(service)?.backend ?? '')
    .join();

/** The models of the plan, that of the tuned service first. */
const modelsOf = ({ plan, models, serviceName }: BenchOfModel) =>
  [...new Set([serviceName, ...Object.keys(plan.models)])].flatMap((service) => {
    const model = models.of(service);
    return model ? [{ service, name: model.fileName, sha256: model.sha256 }] : [];
  });

/**
 * Differs where the results of a stored image do. It goes through the steps of the service's camera also while a live
 * machine is on the stage, whose frames have been through them.
 */
const imageKey = ({ config, plan }: BenchOfModel): string => resultsKey({ ...plan, cameraName: config.cameraName });

/** Loads the model of the last visit if none is loaded, and brings the wanted plan into force. */
async function makeReady(bench: BenchOfModel): Promise<void> {
  const { models, session, serviceName } = bench;
  if (models.loading) throw missing('The bench’s model is still loading. Try again in a moment.');
  const needsModel = !bench.config.tunesColor;
  if (needsModel && !models.of(serviceName)) await models.loadFirst(serviceName);
  if (needsModel && !models.of(serviceName)) {
    throw missing(`There is no model to run: ${models.fault?.message ?? 'load one on the bench.'}`);
  }
  await session.applyPlan(bench.plan);
}

function rawImage(result: FrameResult, serviceName: string, steps: BenchOfModel['steps']): RawImage {
  const stages = tracedStages(steps, result.stages);
  const source = stages[0]?.uncut ?? stages[0];
  const { detections, classifications } = result;
  if (!source || (!detections && !classifications)) throw noBoxes(serviceName, result);
  const { widthPx, heightPx } = source;
  // Without steps nothing is cut away.
  const region = stages.length > 1 ? regionOnSource(stages) : null;
  const seen = region && Float64Array.from(region.flatMap(({ x, y }) => [x, y]));
  if (!detections) {
    const { labels, score } = classifications!;
    return { widthPx, heightPx, seen, labels, classes: score, ...noRows() };
  }
  const { labels, labelIndex, score } = detections;
  const { row, box } = detectionsOnSource(detections, stages);
  return {
    widthPx,
    heightPx,
    seen,
    labels,
    labelIndex: row.map((at) => labelIndex[at]!),
    score: Float64Array.from(row, (at) => score[at]!),
    box,
    classes: null,
  };
}

const noRows = () => ({ labelIndex: new Uint32Array(0), score: new Float64Array(0), box: new Float64Array(0) });

const changed = (): ModelRunError =>
  new ModelRunError('changed', 'The configuration was changed on the bench, other than its thresholds.');

const moved = (): ModelRunError =>
  new ModelRunError('moved', 'The model moved to another backend, whose results are kept apart. Run it again.');

/** A box that is clipped to the picture may have no area left. */
const hasArea = (box: NormalizedBox): boolean =>
  box.xMinNormalized < box.xMaxNormalized && box.yMinNormalized < box.yMaxNormalized;

const missing = (message: string): ModelRunError => new ModelRunError('no-model', message);

function noBoxes(serviceName: string, { problems, classifications }: FrameResult): ModelRunError {
  const problem = problems[0];
  if (problem) return new ModelRunError('failed', problem.message);
  const why = classifications ? 'it classifies whole images' : 'its model has no boxes among its outputs';
  return new ModelRunError('no-boxes', `${serviceName || 'The bench’s model'} gives no boxes: ${why}.`);
}
