import { counted } from '../../kit/words/figures.ts';
import {
  type PresentSetup,
  setAllLabelConfidences,
  setDefaultConfidence,
  setLabelConfidence,
  type ThresholdEvidence,
} from '../../../machine/config/face/edits.ts';
import { displayPath } from '../../../machine/config/face/json.ts';
import type { Finding } from '../../../machine/config/face/lint.ts';
import type { SeenFrame } from '../session/seen-frame.ts';
import type { ConfigState, EditOptions } from '../config/config-state.svelte.ts';
import { serviceThresholds } from '../../../machine/vision/face/filters.ts';
import { isOneOf, onceEach, without } from '../results/label-lists.ts';
import { SeenScores, type KeptCount } from './seen-scores.ts';

export interface LabelRow {
  readonly label: string;
  /** false: `label_confidences` is in force without this label, so its results are dropped */
  readonly listed: boolean;
  /** +Infinity: nothing is kept */
  readonly threshold: number;
  readonly counts: KeptCount;
}

const none: KeptCount = { kept: 0, seen: 0 };

/**
 * The tuned service's thresholds with the raw scores that they filter. During a drag, rows and counts are updated
 * only now and then.
 */
export class ThresholdsState {
  readonly #config: ConfigState;
  readonly #results: () => readonly SeenFrame[];
  readonly #knownLabels: () => readonly string[] | null;
  readonly #scores = new SeenScores();
  #isMoved = $state(false);
  #formerDefault = 0.5;
  readonly #present: () => PresentSetup;
  readonly #hasClasses: () => boolean;

  /** @param hasClasses false: what the service says are numbers of a raw head, not of classes */
  constructor(
    config: ConfigState,
    results: () => readonly SeenFrame[],
    knownLabels: () => readonly string[] | null,
    present: () => PresentSetup,
    hasClasses: () => boolean = () => true,
  ) {
    this.#present = present;
    this.#hasClasses = hasClasses;
    this.#config = config;
    this.#results = results;
    this.#knownLabels = knownLabels;
  }

  /** What the thresholds of all services stand on. */
  get evidence(): readonly ThresholdEvidence[] {
    return this.#config.evidence;
  }

  /** With what that is compared. */
  get present(): PresentSetup {
    return this.#present();
  }

  /** Whether the service says classes at all: thresholds of anything else would be thresholds of nothing. */
  get hasClasses(): boolean {
    return this.#hasClasses();
  }

  /** The counted scores; a new object whenever frames came or went. */
  readonly seen: { readonly scores: SeenScores; readonly labels: readonly string[]; readonly frameCount: number } =
    $derived.by(() => {
      this.#scores.update(this.#hasClasses() ? this.#results() : []);
      return { scores: this.#scores, labels: this.#scores.labels(), frameCount: this.#scores.frameCount };
    });

  readonly #counts: ReadonlyMap<string, KeptCount> = $derived.by(() =>
    this.seen.scores.counts(this.#config.listedFilter),
  );

  readonly total: KeptCount = $derived.by(() => {
    let kept = 0;
    let seen = 0;
    for (const counts of this.#counts.values()) {
      kept += counts.kept;
      seen += counts.seen;
    }
    return { kept, seen };
  });

  get perLabel(): boolean {
    return this.#config.ruleInForce === 'label_confidences';
  }

  get default(): number {
    return this.#config.filter.defaultMinimumConfidence;
  }

  /** The default threshold as the figures show it, which is updated now and then during a drag. */
  get listedDefault(): number {
    return this.#config.listedFilter.defaultMinimumConfidence;
  }

  /** Every label that is listed, seen or known, once: seen ones first, in the order of first occurrence. */
  readonly labels: readonly string[] = $derived.by(() => {
    const listed = Object.keys(this.#config.listedFilter.labelConfidences);
    const known = this.perLabel ? [] : (this.#knownLabels() ?? []);
    const unlisted = without(this.seen.labels, listed);
    return onceEach([...without(this.seen.labels, unlisted), ...listed, ...unlisted, ...known]);
  });

  readonly rows: readonly LabelRow[] = $derived.by(() => {
    const { labels } = this;
    const countsOf = this.#counts;
    const thresholds = serviceThresholds(labels, this.#config.listedFilter);
    return labels.map((label, index): LabelRow => {
      const threshold = thresholds[index]!;
      const counts = countsOf.get(label.toLowerCase()) ?? none;
      return { label, listed: threshold !== Infinity, threshold: zeroWithoutFilter(threshold), counts };
    });
  });

  /** The threshold in force for a label; its row is updated later during a drag. +Infinity: nothing is kept. */
  thresholdOf(label: string): number {
    return zeroWithoutFilter(serviceThresholds([label], this.#config.filter)[0]!);
  }

  /** Labels of the frames that the list in force drops. */
  readonly unlistedSeen: readonly string[] = $derived.by(() => this.#missing(this.seen.labels));
  /** Labels that the model can report and the list in force would drop. */
  readonly unlistedKnown: readonly string[] = $derived.by(() => this.#missing(this.#knownLabels() ?? []));

  /** Whether a person has moved a threshold of the tuned service on this visit. */
  get isMoved(): boolean {
    return this.#isMoved;
  }

  setDefault(value: number, drag = false): void {
    const change = (text: string, vision: string): string => setDefaultConfidence(text, vision, value);
    if (this.#edit('Default threshold', change, byDrag(drag, 'default'))) this.#isMoved = true;
  }

  /**
   * Sets one label's threshold. While the default is in force, all labels seen or known are first listed with it,
   * since a list with one label would drop all others.
   */
  setLabel(label: string, value: number, drag = false): void {
    const change = (text: string, vision: string): string => {
      const listed = this.perLabel ? text : setAllLabelConfidences(text, vision, this.#allAtDefault([label]));
      return setLabelConfidence(listed, vision, label, value);
    };
    if (this.#edit(`Threshold of ${label}`, change, byDrag(drag, `label ${label}`))) this.#isMoved = true;
  }

  removeLabel(label: string): void {
    this.#edit(`Remove ${label}`, (text, vision) => setLabelConfidence(text, vision, label, null));
  }

  /** Sets one threshold for several labels; the others stay unchanged. */
  setLabels(labels: readonly string[], value: number): void {
    this.setEach(Object.fromEntries(labels.map((label) => [label, value])));
  }

  /**
   * Sets the thresholds of several labels in one step; the others stay unchanged, or are dropped. What the thresholds
   * stand on is kept with them.
   */
  setEach(
    values: Readonly<Record<string, number>>,
    others: 'keep' | 'drop' = 'keep',
    evidence?: Omit<ThresholdEvidence, 'service'>,
  ): void {
    const labels = Object.keys(values);
    const isAsked = isOneOf(labels);
    const kept = others === 'keep' ? pick(this.#listed(labels), (label) => !isAsked(label)) : {};
    this.#writeList(`Threshold of ${countText(labels)}`, { ...kept, ...values }, evidence);
  }

  /**
   * Lists these labels only, with their present thresholds, so that the machine drops all others, including labels
   * it does not know yet.
   */
  keepOnly(labels: readonly string[]): void {
    const added = Object.fromEntries(this.#missing(labels, true).map((label) => [label, this.#valueForNew()]));
    const listed = { ...this.#listed(labels), ...(this.perLabel ? added : {}) };
    this.#writeList(`Keep only ${countText(labels)}`, pick(listed, isOneOf(labels)));
  }

  /** Removes these labels from the list. It must not become empty, since an empty list drops nothing. */
  drop(labels: readonly string[]): void {
    if (this.canDrop(labels)) this.#writeList(`Drop ${countText(labels)}`, this.#listedWithout(labels));
  }

  /** Whether at least one label would be left. */
  canDrop(labels: readonly string[]): boolean {
    return Object.keys(this.#listedWithout(labels)).length > 0;
  }

  #listedWithout(labels: readonly string[]): Readonly<Record<string, number>> {
    const isDropped = isOneOf(labels);
    return pick(this.#listed([]), (label) => !isDropped(label));
  }

  /** The list in force, or if there is none, a list with the same effect. */
  #listed(labels: readonly string[]): Readonly<Record<string, number>> {
    return this.perLabel ? this.#config.filter.labelConfidences : this.#allAtDefault(labels);
  }

  #writeList(
    label: string,
    list: Readonly<Record<string, number>>,
    evidence?: Omit<ThresholdEvidence, 'service'>,
  ): void {
    this.#formerDefault = this.default || this.#formerDefault;
    const service = this.#config.visionName;
    const options = evidence && service !== null ? { evidence: { ...evidence, service } } : {};
    this.#edit(label, (text, vision) => setAllLabelConfidences(text, vision, list), options);
  }

  /** Lists labels with the default threshold, or with the lowest listed one if there is no default. */
  list(labels: readonly string[], label = `List ${countText(labels)}`): void {
    const value = this.#valueForNew();
    this.#edit(label, (text, vision) =>
      setAllLabelConfidences(text, vision, {
        ...this.#config.filter.labelConfidences,
        ...Object.fromEntries(this.#missing(labels, true).map((missing) => [missing, value])),
      }),
    );
  }

  /** Gives every label its own threshold, starting with the default. */
  useLabels(): void {
    this.#formerDefault = this.default || this.#formerDefault;
    this.#edit('Thresholds by label', (text, vision) => setAllLabelConfidences(text, vision, this.#allAtDefault([])));
  }

  /** Removes the list: one threshold for every label again. */
  useDefault(): void {
    this.#edit('One threshold for all', (text, vision) =>
      setDefaultConfidence(setAllLabelConfidences(text, vision, {}), vision, this.#formerDefault),
    );
  }

  settle(): void {
    this.#config.settle();
  }

  /**
   * The path of the tuned service's attributes as text, which stays equal while a threshold moves in a newly parsed
   * text.
   */
  readonly #attributesPath: string = $derived.by(() => {
    const { parsed, visionName } = this.#config;
    const entry = parsed.entries.find(({ name, kind }) => name === visionName && kind === 'mlmodel-vision');
    return displayPath(entry?.attributesPath ?? []).toLowerCase();
  });

  /** Findings by the attribute that they are about. */
  readonly #findings: ReadonlyMap<string, Finding> = $derived.by(() =>
    byPath(this.#config.findings, this.#attributesPath),
  );

  /** The linter's finding about the threshold of a label; null: about the default. */
  findingOf(label: string | null): Finding | null {
    if (this.#findings.size === 0) return null;
    const path = label === null ? ['default_minimum_confidence'] : ['label_confidences', label];
    return this.#findings.get(displayPath(path).toLowerCase()) ?? null;
  }

  fix(finding: Finding): void {
    this.#config.fix(finding);
  }

  #edit(label: string, change: (text: string, vision: string) => string, options: EditOptions = {}): boolean {
    const vision = this.#config.visionName;
    return vision !== null && this.#config.edit(label, (text) => change(text, vision), options);
  }

  #allAtDefault(labels: readonly string[]): Readonly<Record<string, number>> {
    const all = onceEach([...(this.#knownLabels() ?? []), ...this.seen.labels, ...labels]);
    return Object.fromEntries(all.map((label) => [label, this.default]));
  }

  #valueForNew(): number {
    const listed = Object.values(this.#config.filter.labelConfidences);
    return listed.length > 0 ? Math.min(...listed) : this.default;
  }

  #missing(labels: readonly string[], always = false): readonly string[] {
    if (!this.perLabel && !always) return [];
    const listed = Object.keys(this.#config.filter.labelConfidences);
    return without(onceEach(labels), listed);
  }
}

const byDrag = (drag: boolean, key: string): EditOptions => (drag ? { coalesce: `threshold ${key}` } : {});

/** No filter is written as 0. A threshold below 0 differs from it, as scores may be below 0. */
const zeroWithoutFilter = (threshold: number): number => (threshold === -Infinity ? 0 : threshold);

const pick = (
  list: Readonly<Record<string, number>>,
  isPicked: (label: string) => boolean,
): Readonly<Record<string, number>> => Object.fromEntries(Object.entries(list).filter(([label]) => isPicked(label)));

const countText = (labels: readonly string[]): string =>
  labels.length === 1 ? labels[0]! : counted(labels.length, 'label');

/**
 * The first finding at each place below a path, by the rest of its path, ignoring case, as the machine reads keys.
 */
function byPath(findings: readonly Finding[], above: string): ReadonlyMap<string, Finding> {
  const under = `${above}.`;
  return new Map(
    findings
      .toReversed()
      .map((finding) => [displayPath(finding.path).toLowerCase(), finding] as const)
      .filter(([path]) => path.startsWith(under))
      .map(([path, finding]) => [path.slice(under.length), finding]),
  );
}
