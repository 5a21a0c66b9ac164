import { untrack } from 'svelte';
import type { VisionClient } from '../../../../workers/vision/client/vision-client.ts';
import type {
  BenchPlan,
  FoundInterpretation,
  FoundInterpretations,
  InterpretationSide,
} from '../../../../workers/vision/protocol.ts';
import { setAllLabelConfidences, setModelAttributes } from '../../../machine/config/face/edits.ts';
import { errorMessage } from '../../../machine/vision/face/errors.ts';
import { LatestRun } from '../../kit/runs/latest-run.svelte.ts';
import type { ConfigState } from '../config/config-state.svelte.ts';
import { lateState } from '../session/late-state.svelte.ts';
import type { SessionState } from '../session/session-state.svelte.ts';
import type { ModelsState } from './models-state.svelte.ts';
import { fitKey } from './fit-key.ts';

export interface InterpretationChoices extends FoundInterpretations {
  readonly service: string;
  readonly side: InterpretationSide;
}

interface Expected {
  readonly service: string;
  readonly modelId: string;
}

interface Taken extends Expected {
  readonly words: string;
  /** the label of the undo step */
  readonly label: string;
}

/** A score from which a person would notice the box. */
const surely = 0.3;

/**
 * The ways to read the tuned service's model. After a model was loaded, its outputs are read on the first frame: if
 * one way is possible, it is written; if there are several, their pictures are shown. A person may ask for other
 * ways at any time. Its progress is 0..1, and its fault is why there is nothing to choose.
 */
export class InterpretationsState extends LatestRun<number> {
  readonly #config: ConfigState;
  readonly #models: ModelsState;
  readonly #client: Pick<VisionClient, 'findInterpretations'>;
  #choices = $state.raw<InterpretationChoices | null>(null);
  #taken = $state.raw<Taken | null>(null);
  #expected: Expected | null = null;

  constructor(config: ConfigState, models: ModelsState, client: Pick<VisionClient, 'findInterpretations'>) {
    super();
    this.#config = config;
    this.#models = models;
    this.#client = client;
  }

  /** The choices for a service with the picture to draw on; null: there is no choice to make. */
  choices(service: string): InterpretationChoices | null {
    return this.#choices?.service === service ? this.#choices : null;
  }

  /** The interpretation written for a service's model, in words, while undo would revert exactly that; '': none. */
  taken(service: string): string {
    const taken = this.#taken;
    if (!taken || taken.service !== service || this.#models.of(service)?.modelId !== taken.modelId) return '';
    return this.#config.undoLabel === taken.label ? taken.words : '';
  }

  takeBack(service: string): void {
    if (this.taken(service) !== '') this.#config.undo();
  }

  /**
   * A model was loaded: its outputs are read once the plan with it is applied. Not needed for the app's own models.
   */
  expect(service: string): void {
    const model = this.#models.of(service);
    this.dismiss();
    this.#expected =
      model && !this.#models.isBuiltin(model) && service !== '' ? { service, modelId: model.modelId } : null;
  }

  /** A plan was applied, and the frame on the stage was run under it. */
  async planApplied(plan: BenchPlan): Promise<void> {
    const expected = this.#expected;
    if (!expected || plan.visionName !== expected.service) return;
    if (plan.models[expected.service]?.modelId !== expected.modelId) return;
    this.#expected = null;
    // A model that cannot run reports that itself.
    await this.#search('outputs', (found) => this.#takeFirst(found, expected), () => null); // prettier-ignore
  }

  /** Takes what the first frame says of a model. Without a choice, nothing needs to be said. */
  #takeFirst(found: FoundInterpretations, { service, modelId }: Expected): void {
    if (this.#models.of(service)?.modelId !== modelId) return close(found);
    const [best] = found.interpretations;
    if (!best || best.verdict.kind !== 'plausible' || (best.boxes[0]?.score ?? 0) < surely) return close(found);
    const isCertain = found.left === 1 && best.edits.needs.length === 0;
    if (isCertain && !best.isPresent && this.#mayWrite(service, best)) this.#write(service, best, fitKey(modelId));
    else if (found.left > 1 || !best.isPresent) return this.#show({ ...found, service, side: 'outputs' });
    close(found);
  }

  /** Shows the ways to read one side of a service's model. */
  async find(side: InterpretationSide, service: string): Promise<void> {
    this.dismiss();
    const take = (found: FoundInterpretations): void => {
      if (found.interpretations.length > 0) this.#show({ ...found, service, side });
      else if (side === 'input') this.fault = 'The service finds no boxes, so inputs cannot be compared.';
      else this.fault = 'No two outputs of this model are boxes and scores, so there is no other way to read them.';
    };
    await this.#search(side, take, (error) => `${service} cannot be read in other ways: ${errorMessage(error)}`);
  }

  /** Writes an interpretation into the configuration, as one undo step. */
  take(interpretation: FoundInterpretation): void {
    const choices = this.#choices;
    if (!choices || interpretation.edits.needs.length > 0) return;
    this.#write(choices.service, interpretation, null);
    this.dismiss();
  }

  /** Cancels a search and removes its pictures. */
  dismiss(): void {
    this.cancel();
    this.fault = null;
    if (this.#choices) close(this.#choices);
    this.#choices = null;
  }

  #search(
    side: InterpretationSide,
    take: (found: FoundInterpretations) => void,
    faultOf: (error: unknown) => string | null,
  ): Promise<void> {
    return this.begin({
      first: 0,
      run: (tell, signal) => this.#client.findInterpretations(side, tell, signal),
      take,
      drop: close,
      faultOf,
    });
  }

  /** A box order that a person wrote is only changed by a click. */
  #mayWrite(service: string, { edits }: FoundInterpretation): boolean {
    const present = this.#config.config.visionServices.find(({ name }) => name === service);
    return present !== undefined && (edits.attributes.boxOrder === undefined || present.boxOrder === null);
  }

  #write(service: string, { why, edits }: FoundInterpretation, coalesce: string | null): void {
    const model = this.#models.of(service);
    if (!model) return;
    const label = `How ${model.fileName} is read`;
    const change = (text: string): string => {
      const written = setModelAttributes(text, service, edits.attributes);
      return edits.labelConfidences ? setAllLabelConfidences(written, service, edits.labelConfidences) : written;
    };
    if (!this.#config.edit(label, change, coalesce === null ? {} : { coalesce })) return;
    this.#config.settle();
    this.#taken = { service, modelId: model.modelId, words: `Wrote into the configuration: ${why}.`, label };
  }

  #show(choices: InterpretationChoices): void {
    if (this.#choices) close(this.#choices);
    this.#choices = choices;
  }
}

function close({ picture }: FoundInterpretations): void {
  picture?.close();
}

/** What of a bench models are read on. */
interface InterpretedBench {
  readonly config: ConfigState;
  readonly models: ModelsState;
  readonly session: SessionState;
  readonly vision: VisionClient;
}

export const interpretationsOf = lateState(({ config, models, session, vision }: InterpretedBench) => {
  const interpretations = new InterpretationsState(config, models, vision);
  $effect(() => {
    const { applied } = session;
    if (applied) untrack(() => void interpretations.planApplied(applied));
  });
  return interpretations;
});
