import { captureCost, type SeenPictures } from '../../../machine/config/face/recorder.ts';
import {
  addFilteredCamera,
  type FilterLinePlace,
  type FilterNumber,
  setFilterCapture,
  setFilterLine,
  setFilterNumber,
} from '../../../machine/config/face/edits.ts';
import { type FilteredCamera, filteredCameras } from '../../../machine/config/face/cameras.ts';
import { errorMessage } from '../../../machine/vision/face/errors.ts';
import { type FilterKind, playableRule } from '../../../machine/vision/face/filtered-cameras.ts';
import type { ConfigState } from '../config/config-state.svelte.ts';

/** How often the preview asks a filtered camera of which the data manager captures nothing. */
const usualHz = 1;

/** A line of the rule with its score. */
export interface FilterScore extends FilterLinePlace {
  readonly score: number;
}

/**
 * The scores that a new filtered camera asks for: those of the labels it is to wait for, at least 0.5, or of any label.
 * @param thresholds of the labels, 0..1; none: any label
 */
export const firstScores = (
  thresholds: readonly (readonly [label: string, threshold: number])[],
): Readonly<Record<string, number>> =>
  thresholds.length === 0
    ? { '*': 0.5 }
    : Object.fromEntries(thresholds.map(([label, threshold]) => [label, Math.max(0.5, threshold)]));

/** The filtered cameras of the configuration, the one whose preview is shown, and its edits. */
export class FilteredCameraState {
  readonly #config: ConfigState;
  readonly #pictures: () => SeenPictures | null;
  #chosen = $state('');
  #fault = $state('');

  constructor(config: ConfigState, pictures: () => SeenPictures | null) {
    this.#config = config;
    this.#pictures = pictures;
  }

  readonly all: readonly FilteredCamera[] = $derived.by(() => filteredCameras(this.#config.parsed.document));

  /** The chosen one while it exists, otherwise the first; null: there is none. */
  readonly camera: FilteredCamera | null = $derived(
    this.all.find(({ name }) => name === this.#chosen) ?? this.all[0] ?? null,
  );

  choose(name: string): void {
    this.#chosen = name;
  }

  /** How often the preview's data manager asks, a second. */
  readonly captureHz: number = $derived(this.camera?.captureHz || usualHz);

  /** The rule as far as services that ran can play it; null: they cannot, or there is none. */
  playable(services: readonly string[]) {
    const rule = this.camera?.rule;
    return rule ? playableRule(rule, services) : null;
  }

  /** The vision services that the camera asks, each once. */
  readonly asked: readonly string[] = $derived.by(() => {
    const { inhibitors = [], acceptors = [] } = this.camera?.rule ?? {};
    const names = [...acceptors, ...inhibitors].map(({ vision }) => vision);
    return names.filter((name, at) => names.indexOf(name) === at);
  });

  /** The lines that a service decides, in the order of the text. */
  linesOf(service: string): readonly FilterScore[] {
    const { inhibitors = [], acceptors = [] } = this.camera?.rule ?? {};
    return [...acceptors, ...inhibitors]
      .filter(({ vision }) => vision === service)
      .flatMap((one) =>
        (['classifications', 'objects'] as const).flatMap((kind) =>
          Object.entries(one[kind]).map(([label, score]) => ({
            vision: service,
            inhibits: one.inhibit,
            kind,
            label,
            score,
          })),
        ),
      );
  }

  /** bytes that a picture of the camera takes, as far as is known */
  readonly bytesPerPicture: number = $derived.by(() => {
    const { entries } = this.#config.parsed;
    return captureCost(entries, this.camera?.attributes.camera ?? '', 1, this.#pictures()).bytesPerPicture;
  });

  /** Why the last edit was refused, such as where the configuration has no place for it; '': it was not. */
  get fault(): string {
    return this.#fault;
  }

  dismissFault(): void {
    this.#fault = '';
  }

  attempt(edit: () => void): void {
    this.dismissFault();
    try {
      edit();
    } catch (error) {
      this.#fault = errorMessage(error);
    }
  }

  /** Adds a filtered camera of a camera for labels of a service, each with the score that it must exceed. */
  add(camera: string, vision: string, kind: FilterKind, scores: Readonly<Record<string, number>>): void {
    let added = '';
    this.#config.edit('Add a filtered camera', (text) => {
      const settings = { camera, vision, kind, scores, secondsBefore: 2, secondsAfter: 2, rateHz: usualHz };
      const edited = addFilteredCamera(text, settings);
      added = edited.name;
      return edited.text;
    });
    if (added) this.#chosen = added;
  }

  setNumber(label: string, key: FilterNumber, value: number): void {
    this.#edit(`${label} of`, (text, name) => setFilterNumber(text, name, key, value));
  }

  setCapture(rateHz: number): void {
    this.#edit('Capture rate of', (text, name) => setFilterCapture(text, name, rateHz));
  }

  /** @param isMoving a drag is under way, which `settle` ends */
  setLine(line: FilterLinePlace, score: number | null, isMoving = false): void {
    const key = `filter line ${JSON.stringify(line)}`;
    this.#edit(
      score === null ? `Remove ${line.label} from` : `Score of ${line.label} in`,
      (text, name) => setFilterLine(text, name, line, score),
      isMoving ? key : undefined,
    );
  }

  settle(): void {
    this.#config.settle();
  }

  #edit(label: string, change: (text: string, name: string) => string, coalesce?: string): void {
    const name = this.camera?.name;
    if (name === undefined) return;
    this.#config.edit(`${label} ${name}`, (text) => change(text, name), coalesce === undefined ? {} : { coalesce });
  }
}
