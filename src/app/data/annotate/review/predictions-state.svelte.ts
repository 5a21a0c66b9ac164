import { counted } from '../../../kit/words/figures.ts';
import { errorMessage } from '../../../../machine/vision/face/errors.ts';
import { changesTo, removalOf, type AnnotatedBox } from '../boxes/annotated-box.ts';
import { accepted, newOnes } from '../boxes/box-edits.ts';
import { nameOf } from '../boxes/box-words.ts';
import type { BoxesState } from '../boxes/boxes-state.svelte.ts';
import type { LabelList } from '../boxes/label-list.svelte.ts';
import type { PredictionRun } from '../../../captures/run-model.ts';

export interface PredictionsPorts {
  readonly labels: LabelList;
  readonly boxes: () => BoxesState;
  /** null if there is no model to run */
  readonly runModel: () => (() => Promise<PredictionRun>) | null;
  readonly say: (sentence: string) => void;
}

/** The predictions of a model on the image, until a person accepts or rejects them. */
export class PredictionsState {
  readonly #ports: PredictionsPorts;
  /** Predictions with this confidence or more are accepted together. */
  public acceptFrom = $state(0.5);
  running: boolean = $state(false);
  /** Why the model did not run. */
  fault: string = $state('');

  constructor(ports: PredictionsPorts) {
    this.#ports = ports;
  }

  get #boxes(): BoxesState {
    return this.#ports.boxes();
  }
  get canRun(): boolean {
    return this.#ports.runModel() !== null;
  }

  dismissFault(): void {
    this.fault = '';
  }

  /** Selects the first prediction if none is selected: a person must see what is accepted. */
  #reviewed(): readonly AnnotatedBox[] {
    const chosen = this.#boxes.selection.filter(({ predicted }) => predicted);
    if (chosen.length > 0) return chosen;
    const first = this.#boxes.predictions[0];
    if (first) this.#boxes.select([first.key]);
    this.#ports.say(first ? `${nameOf(first)} selected. Accept or reject it.` : 'There are no predictions here.');
    return [];
  }

  accept(): void {
    const chosen = this.#reviewed();
    if (chosen.length === 0) return;
    this.#goOnReviewing(chosen, () => this.#boxes.edit('Accept', changesTo(chosen.map(accepted))));
    this.#ports.say(`${chosen.map(nameOf).join(', ')} accepted. ${this.#left()}`);
  }

  reject(): void {
    const chosen = this.#reviewed();
    if (chosen.length === 0) return;
    this.#goOnReviewing(chosen, () => this.#boxes.edit('Reject', removalOf(chosen)));
    this.#ports.say(`${chosen.map(nameOf).join(', ')} rejected. ${this.#left()}`);
  }

  /** After a decision the next prediction of the list is selected. */
  #goOnReviewing(chosen: readonly AnnotatedBox[], decide: () => void): void {
    const { predictions } = this.#boxes;
    const at = predictions.indexOf(chosen.at(-1)!);
    const inTurn = [...predictions.slice(at + 1), ...predictions.slice(0, at)];
    const next = inTurn.find((box) => !chosen.includes(box));
    decide();
    this.#boxes.select(next ? [next.key] : []);
  }

  #left(): string {
    const { length } = this.#boxes.predictions;
    return length > 0 ? `${counted(length, 'prediction')} left.` : 'No predictions left.';
  }

  get acceptable(): readonly AnnotatedBox[] {
    return this.#boxes.predictions.filter(({ confidence }) => (confidence ?? 1) >= this.acceptFrom);
  }

  acceptAbove(): void {
    const chosen = this.acceptable;
    this.#boxes.edit(`Accept ${counted(chosen.length, 'prediction')}`, changesTo(chosen.map(accepted)));
    this.#ports.say(`${counted(chosen.length, 'prediction')} accepted. ${this.#left()}`);
  }

  rejectAll(): void {
    const chosen = this.#boxes.predictions;
    this.#boxes.edit(`Reject ${counted(chosen.length, 'prediction')}`, removalOf(chosen));
    this.#ports.say(`${counted(chosen.length, 'prediction')} rejected.`);
  }

  /** Replaces the predictions of an earlier run, also if another image was opened meanwhile. */
  async run(): Promise<void> {
    const run = this.#ports.runModel();
    if (!run || this.running) return;
    const boxes = this.#boxes;
    this.running = true;
    this.fault = '';
    this.#ports.say('The model runs.');
    try {
      const { by, boxes: seen } = await run();
      const drawn = boxes.boxes.filter(({ predicted }) => !predicted);
      const news = newOnes(seen, drawn).map((box) => ({ ...box, key: crypto.randomUUID(), predicted: true }));
      boxes.edit('Run the model', [...removalOf(boxes.predictions), ...changesTo(news)]);
      this.#ports.labels.know(news.map(({ label }) => label));
      const known = seen.length - news.length;
      this.#ports.say(
        `${by}: ${counted(news.length, 'prediction')}${known > 0 ? `, ${known} more that have a box already` : ''}.`,
      );
    } catch (error) {
      this.fault = errorMessage(error);
    } finally {
      this.running = false;
    }
  }
}
