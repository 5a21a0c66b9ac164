import type { VisionClient } from '../../../../workers/vision/client/vision-client.ts';
import type { FoundCause, FoundCauses, ModelDescription } from '../../../../workers/vision/protocol.ts';
import type { VisionServiceConfig } from '../../../machine/config/face/machine-config.ts';
import type { DrawnBox } from '../../../models/fit/solver/drawn-box.ts';
import type { Symptom } from '../../../models/fit/solver/symptom.ts';
import { errorMessage } from '../../../machine/vision/face/errors.ts';
import { statedFeeding, type StatedFeeding } from '../../../machine/vision/face/inference.ts';
import { LatestRun } from '../../kit/runs/latest-run.svelte.ts';
import type { ConfigState } from '../config/config-state.svelte.ts';
import type { FitState } from '../fit/fit-state.svelte.ts';
import type { LabelsState } from '../models/labels-state.svelte.ts';
import type { ModelsState } from '../models/models-state.svelte.ts';
import { lateState } from '../session/late-state.svelte.ts';
import { cureTarget, writeCure } from './write-cure.ts';

/** The parts of the bench that the solver changes. */
export interface SolverDependencies {
  readonly config: ConfigState;
  readonly models: ModelsState;
  readonly labels: LabelsState;
  readonly fit: FitState;
  readonly serviceName: string;
}

/** Finds out what is wrong with the tuned service, and fixes it in one undo step, or by rewriting the model. */
export class SolverState extends LatestRun<number> {
  readonly #dependencies: SolverDependencies;
  readonly #client: Pick<VisionClient, 'findCauses'>;
  isOpen: boolean = $state.raw(false);
  /** The reported symptom; null: none yet. */
  symptom = $state.raw<Symptom | null>(null);
  /** Boxes around real objects that the person drew, on the frame of the search. */
  drawn = $state.raw<readonly DrawnBox[]>([]);
  found = $state.raw<FoundCauses | null>(null);
  #written = $state.raw<{
    readonly service: string;
    readonly label: string;
    readonly words: string;
    /** the model was written anew, too */
    readonly isModel?: boolean;
  } | null>(null);

  constructor(dependencies: SolverDependencies, client: Pick<VisionClient, 'findCauses'>) {
    super();
    this.#dependencies = dependencies;
    this.#client = client;
  }
  /** The last fix in words, while undo would revert exactly that; '': nothing. */
  get written(): string {
    const written = this.#written;
    const { config, serviceName } = this.#dependencies;
    return written?.service === serviceName && config.undoLabel === written.label ? written.words : '';
  }

  /** The model that the last fix wrote, to be kept and put on the machine; null: it wrote none. */
  get writtenModel(): File | null {
    const { serviceName, models } = this.#dependencies;
    const model = this.written !== '' && this.#written?.isModel ? models.of(serviceName) : null;
    const source = model && models.sourceOf(model.modelId);
    return source?.kind === 'file' ? source.file : null;
  }

  open(): void {
    this.isOpen = true;
  }

  close(): void {
    this.cancel();
    this.#show(null);
    this.symptom = null;
    this.drawn = [];
    this.fault = null;
    this.isOpen = false;
  }

  /** Reports a symptom and starts the search. */
  async choose(symptom: Symptom): Promise<void> {
    this.symptom = symptom;
    await this.#search();
  }

  /** Adds a box that the person drew, and ranks the causes with it. */
  async draw(box: DrawnBox): Promise<void> {
    this.drawn = [...this.drawn, box];
    await this.#search();
  }

  async forgetDrawn(): Promise<void> {
    this.drawn = [];
    await this.#search();
  }

  /**
   * Applies the fix of a cause as one undo step; if no configuration helps, opens the dialog that rewrites the
   * model.
   */
  async use(cause: FoundCause): Promise<void> {
    const { serviceName, models, fit, config } = this.#dependencies;
    const { cure } = cause;
    if (config.broken) return;
    const model = models.of(serviceName);
    if (this.canPad(cause)) return this.#pad(model!);
    if (cure.edits.needs.length > 0) {
      this.close();
      return model ? fit.open(model, cure.edits.fitOptions) : undefined;
    }
    this.#write(cause);
    this.close();
  }

  /** Whether the model can be rewritten: not one of the app, one that fits already, or what is neither a detector nor a classifier. */
  canRewrite(): boolean {
    const { serviceName, models, fit } = this.#dependencies;
    const model = models.of(serviceName);
    const kind = model && fit.recognitionOf(model)?.kind;
    return model !== null && fit.canOpen(model) && kind !== 'fits' && kind !== 'other';
  }

  /** Whether a cause is that frames are stretched, and no more, which a border in the model's graph mends with one click. */
  canPad({ changes }: Pick<FoundCause, 'changes'>): boolean {
    const { serviceName, models, fit } = this.#dependencies;
    const model = models.of(serviceName);
    const kind = model && fit.recognitionOf(model)?.kind;
    return (
      model !== null && changes.join() === 'letterbox' && fit.canOpen(model) && (kind === 'fits' || kind === 'family')
    );
  }

  /** Why how the model is fed is only a guess, in a sentence; '': that is known, was chosen, or nothing is to be guessed. */
  get guess(): string {
    const { serviceName, models, config, fit } = this.#dependencies;
    const model = models.of(serviceName);
    const source = model && models.sourceOf(model.modelId);
    const { service } = config;
    if (!source || source.kind === 'builtin' || !service || model.inputs[0]?.dtype !== 'float32') return '';
    const said = saidOf(model, fit);
    if (said) return said.guess !== null && isFedSo(service, said) ? said.guess : '';
    return isFedSo(service, machineDefault)
      ? 'Nothing in its file says it; values from −1 to 1 in RGB are the machine’s default.'
      : '';
  }

  takeBack(): void {
    if (this.written !== '') this.#dependencies.config.undo();
  }

  async #pad(model: ModelDescription): Promise<void> {
    const { fit } = this.#dependencies;
    this.close();
    if (await fit.rewrite(model))
      this.tell('Wrote the border of its training into the model: frames keep their shape now.', true);
  }

  /** Says what the last edit of the configuration wrote for the tuned service, as long as undo takes exactly that back. */
  tell(words: string, isModel = false): void {
    const { config, serviceName: service } = this.#dependencies;
    this.#written = { service, label: config.undoLabel ?? '', words, isModel };
  }

  #write({ title, cure }: FoundCause): void {
    const { config, labels, serviceName: service } = this.#dependencies;
    const label = `Fix: ${title}`;
    const before = labels.sourceOf(service);
    const target = cureTarget(config, service);
    const given = cure.labels;
    const labelFiles =
      given && before.kind === 'file'
        ? { [before.named.path]: { labels: given, from: 'shifted by a line here' } }
        : undefined;
    if (!config.editSteps(label, (edit) => writeCure(edit, cure, target), { labelFiles })) return;
    config.settle();
    // A new camera is the service's own from now on, not one that a person chose.
    if (cure.turnDegs !== 0) config.chooseCamera(undefined);
    this.tell(`Wrote into the configuration: ${title}.`);
  }

  async #search(): Promise<void> {
    const { models, fit, serviceName } = this.#dependencies;
    const model = models.of(serviceName);
    const report = {
      symptom: this.symptom ?? 'unsure',
      drawn: this.drawn,
      ownLabels: model?.labels ?? null,
      statedFeeding: model && saidOf(model, fit),
    };
    await this.begin({
      first: 0,
      run: (tell, signal) => this.#client.findCauses(report, tell, signal),
      take: (found) => {
        this.#show(found);
        if (found.causes.length === 0)
          this.fault =
            'The outputs of this model are neither boxes nor classes, so there is nothing to compare. The panel of the model says why, and what helps.';
      },
      drop: ({ picture }) => picture?.close(),
      faultOf: (error) => `Nothing could be tried: ${errorMessage(error)}`,
    });
  }

  #show(found: FoundCauses | null): void {
    this.found?.picture?.close();
    this.found = found;
  }
}

export const solverOf = lateState(
  (bench: SolverDependencies & { readonly vision: Pick<VisionClient, 'findCauses'> }) =>
    new SolverState(bench, bench.vision),
);

/** What the model's file, or its recognised family, says of how it is fed. */
function saidOf(model: ModelDescription, fit: FitState): StatedFeeding | null {
  const recognition = fit.recognitionOf(model);
  return statedFeeding(model.metadata) ?? (recognition?.kind === 'family' ? recognition.feeding : null);
}

const machineDefault = { bgr: false, range: null } as const;
const half = [0.5, 0.5, 0.5];

/** Whether a service feeds its model as was guessed; without a range, as the machine does by itself. */
function isFedSo({ bgr, meanValue, stdDev }: VisionServiceConfig, said: Pick<StatedFeeding, 'bgr' | 'range'>): boolean {
  const range = said.range ?? { meanValue: half, stdDev: half };
  const isNear = (a: readonly number[], b: readonly number[]) =>
    b.every((value, at) => Math.abs(value - a[at]!) < 1e-3);
  return bgr === (said.bgr ?? bgr) && isNear(meanValue, range.meanValue) && isNear(stdDev, range.stdDev);
}
