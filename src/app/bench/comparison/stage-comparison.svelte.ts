import { cameraChain } from '../../../machine/vision/face/cameras.ts';
import {
  detectionsAt,
  serviceFilter,
  type ServiceFilter,
  type ServiceFilterRule,
} from '../../../machine/vision/face/filters.ts';
import { type Point, type TracedStage, traceToSource } from '../../../machine/vision/face/traces.ts';
import type { BesideResult, ServiceBeside } from '../../../../workers/vision/protocol.ts';
import { tracedStages } from '../results/traced-stages.ts';
import { compareKept, type KeptBoxes, type KeptChanges } from './compare-kept.ts';
import type { ComparisonBench } from './comparison-bench.ts';
import { apartText } from './comparison-words.ts';
import { labelsBeside } from './labels-beside.ts';
import { placeOnPicture } from './place-on-picture.ts';
import type { SecondChoice } from './second.ts';
import { serviceBeside, type TunedService } from './service-beside.ts';

/** A box of B on the stage. */
export interface SecondBox {
  readonly label: string;
  readonly score: number;
  /** in stage px */
  readonly corners: readonly Point[];
  /** A has no such box there */
  readonly isChanged: boolean;
  readonly faded: boolean;
}

const nothing: ServiceFilterRule = { defaultMinimumConfidence: 0, labelConfidences: {} };

/** The tuned service, "A", beside a second configuration, "B", on the frame of the stage. */
export class StageComparison {
  readonly bench: ComparisonBench;
  readonly choice: SecondChoice;

  constructor(bench: ComparisonBench, choice: SecondChoice) {
    this.bench = bench;
    this.choice = choice;
  }

  readonly #tuned: TunedService = $derived.by(() => {
    const { config, runsStepsOnMachine, sources } = this.bench;
    return {
      config: config.runConfig,
      visionName: config.visionName,
      cameraName: config.cameraName,
      comesAfterSteps: sources.kind === 'machine' && !runsStepsOnMachine,
    };
  });

  /** What runs beside the tuned service; null: nothing, or it has no model, or another camera. */
  readonly beside: ServiceBeside | null = $derived.by(() => {
    const { chosen } = this.choice;
    const { labels, models, serviceName } = this.bench;
    if (chosen?.kind !== 'service' || chosen.visionName === serviceName) return null;
    const { visionName } = chosen;
    const seen = serviceBeside(this.#tuned, visionName);
    // A service without a model of its own runs that of the tuned service if both name the same.
    const own = models.assigned[visionName];
    const isShared = !own && this.#modelNameOf(visionName) === this.#modelNameOf(serviceName);
    const modelId = own ?? (isShared ? models.assigned[serviceName] : undefined);
    if ('why' in seen || !modelId) return null;
    return { ...seen, model: { modelId, labels: labelsBeside(labels, visionName, isShared ? serviceName : null) } };
  });

  #modelNameOf(service: string): string | undefined {
    return this.bench.config.runConfig.visionServices.find(({ name }) => name === service)?.mlModelName;
  }

  /** Loads the model that the configuration names for B, unless it has one. */
  bringModel(): void {
    const { chosen } = this.choice;
    if (chosen?.kind !== 'service' || this.beside || !this.bench.modelPathOf(chosen.visionName)) return;
    void this.bench.models.loadFirst(chosen.visionName);
  }

  /** The boxes of A; null: it has none on this frame. */
  readonly first: KeptBoxes | null = $derived.by(() => {
    const { results, session, steps } = this.bench;
    if (!results.detections || !session.current) return null;
    const stages = tracedStages(steps, session.current.stages);
    return { detections: results.detections, kept: results.rows.kept, stages };
  });

  readonly #rule: ServiceFilterRule = $derived.by(() => {
    const { chosen } = this.choice;
    if (chosen?.kind === 'pin') return chosen.rule;
    return this.bench.config.config.visionServices.find(({ name }) => name === chosen?.visionName) ?? nothing;
  });
  readonly #filter: ServiceFilter = $derived.by(() => serviceFilter(this.#rule));

  /** What the other service said of the frame on the stage; null: it did not run on it. */
  readonly #beside: BesideResult | null = $derived.by(() => {
    const { beside } = this;
    const result = this.bench.session.current?.beside;
    const isOfThis = result?.visionName === beside?.visionName && result?.modelId === beside?.model.modelId;
    return (isOfThis && result) || null;
  });

  /** The boxes of B, always of the picture on the stage; null: `why` says why there are none. */
  readonly second: KeptBoxes | null = $derived.by(() => {
    if (this.why !== '') return null;
    const { chosen } = this.choice;
    const raw = chosen?.kind === 'pin' ? this.first : this.#besideBoxes;
    return raw && { ...raw, kept: this.#filter.rows(raw.detections).kept };
  });

  readonly #besideBoxes: Omit<KeptBoxes, 'kept'> | null = $derived.by(() => {
    if (!this.#beside?.detections) return null;
    const { detections, stages } = this.#beside;
    const cameraName = this.beside?.cameraName ?? null;
    const steps = cameraName === null ? [] : cameraChain(this.#tuned.config.cameras, cameraName).steps;
    return { detections, stages: tracedStages(steps, stages) };
  });

  /** Why nothing is compared on this frame, as a sentence; '': it is. */
  readonly why: string = $derived.by(() => {
    const { models, serviceName, session } = this.bench;
    const { chosen } = this.choice;
    if (!chosen || !session.current) return 'Waiting for a frame …';
    const { visionName } = chosen;
    if (chosen.kind === 'pin' && visionName !== serviceName)
      return `The pinned thresholds are those of ${visionName}. Pin those of ${serviceName} to compare them.`;
    if (chosen.kind === 'service') {
      if (visionName === serviceName) return `${visionName} is the tuned service itself. Choose another one.`;
      const seen = serviceBeside(this.#tuned, visionName);
      if ('why' in seen) return apartText(visionName, seen);
      if (!this.beside)
        return models.loading
          ? `The model of ${visionName} is being loaded …`
          : `${visionName} has no model here. Choose it in the Model panel and load one, then come back.`;
    }
    if (!this.first)
      return `${serviceName || 'The tuned service'} gives no boxes on this frame. Only boxes are compared.`;
    if (chosen.kind === 'pin') return '';
    if (!this.#beside) return `Waiting for ${visionName} …`;
    const { detections, problems } = this.#beside;
    if (detections) return '';
    return problems[0]
      ? `${visionName}: ${problems[0].message}`
      : `${visionName} gives no boxes. Only boxes are compared.`;
  });

  /** null: there is nothing to compare, or too much. Computed once for a frame and its thresholds. */
  readonly changes: KeptChanges | null = $derived.by(() =>
    this.first && this.second ? compareKept(this.first, this.second) : null,
  );

  /** The boxes of B on the stage. */
  readonly boxes: readonly SecondBox[] = $derived.by(() => {
    const { view, viewport } = this.bench;
    if (!this.first || !this.second || view.overlayHidden || view.undistortPreview) return [];
    const { detections, kept, stages } = this.second;
    const place = placeOnPicture(shownOf(this.first.stages, view.shownStage));
    return detectionsAt(detections, kept).map(({ label, score, ...box }, at) => ({
      label,
      score,
      corners: traceToSource(box, stages).map((corner) => {
        const { x, y } = place(corner);
        return viewport.toStage(x, y);
      }),
      isChanged: this.changes?.changedRows.has(kept[at]!) ?? false,
      faded: view.focusedLabel !== null && view.focusedLabel !== label,
    }));
  });
}

/** The pictures up to the one on the stage; null: the last one. */
const shownOf = (stages: readonly TracedStage[], shownStage: number | null): readonly TracedStage[] =>
  shownStage === null ? stages : stages.slice(0, shownStage + 2);
