import { untrack } from 'svelte';
import {
  anyCamera,
  type EntryKind,
  type MachineConfig,
  type ParsedMachineConfig,
  parseMachineConfig,
  refusalsOfAll,
  runKey,
  runnableVision,
  type TransformCameraConfig,
  type VisionServiceConfig,
} from '../../../machine/config/face/machine-config.ts';
import {
  type DisabledStep,
  importConfig,
  type PipelineEdit,
  sampleConfigText,
  type ThresholdEvidence,
  withEvidence,
} from '../../../machine/config/face/edits.ts';
import { displayPath, isReadable, unreadable, type Unreadable } from '../../../machine/config/face/json.ts';
import { applyFix, type Finding, type LintFacts } from '../../../machine/config/face/lint.ts';
import { ruleInForce, type ServiceFilterRule } from '../../../machine/vision/face/filters.ts';
import { Throttle } from '../../../base/schedule/throttle.ts';
import { ConfigFindings, type Lint } from './config-findings.svelte.ts';
import { ConfigStore, type SavedConfig } from './config-store.ts';
import { EditHistory, type BesideValue } from '../../kit/edits/edit-history.svelte.ts';
import { LabelFiles, type LabelContents } from './label-files.svelte.ts';
import { packHistory, unpackHistory } from './packed-history.ts';
import type { Choice, Tuning } from './tuning.ts';

export interface EditOptions {
  /** Changes with the same key form one undo step until `settle()`. */
  readonly coalesce?: string;
  /** What the thresholds stand on that the change writes. */
  readonly evidence?: ThresholdEvidence | undefined;
  /** A side effect of the step outside of the text, which undo reverts too. */
  readonly beside?: BesideValue;
  /** Contents of label files that the step sets, and undo sets back. */
  readonly labelFiles?: LabelContents | undefined;
  /** Whether the step belongs to the one before it: undo reverts both at once, under the name of that one. */
  readonly joins?: boolean | undefined;
}

const notKept =
  'This browser cannot keep the configuration: a reload starts from an older one. Export it before you leave.';

/** Nobody reads the counts of all frames faster than this; updating them costs as much as the stage. */
const LISTED_EVERY_MS = 100;

const noFilter: ServiceFilterRule = { defaultMinimumConfidence: 0, labelConfidences: {} };

const imported = (text: string): Tuning => ({ text, importedText: text, disabled: [], runs: null, unreadFile: null });

const firstService: Choice = { vision: null, camera: undefined };

/**
 * The machine configuration on the bench. Its JSON text is the only source of truth: controls edit the text and
 * read the parsed text. While the text cannot be parsed, the last valid one keeps running, and only the text itself
 * can be edited; nothing can be exported, because what runs is not what the text says.
 */
export class ConfigState {
  readonly #store: ConfigStore;
  readonly #findings: ConfigFindings;
  readonly #history = new EditHistory<Tuning>();
  readonly labelFiles: LabelFiles;
  #tuning = $state.raw<Tuning>(imported('{}'));
  /** The configuration that runs: the text's, or the last valid one while the text is broken. */
  parsed = $state.raw<ParsedMachineConfig>(parseMachineConfig('{}'));
  /** JSON is seldom valid in the middle of a word: no error is shown while the person types */
  #isTyping = $state(false);
  #chosen = $state.raw(firstService);
  /** One sentence about the last change to the whole configuration; '': nothing to say. */
  notice: string = $state.raw('');
  readonly #listing: Throttle;
  /** during a drag, the filter by which thresholds show their counts; null: the filter in force */
  #heldFilter = $state.raw<ServiceFilterRule | null>(null);

  constructor(
    options: {
      readonly store?: ConfigStore;
      readonly labelFiles?: LabelFiles;
      readonly facts?: () => LintFacts;
      readonly listing?: Throttle;
    } = {},
  ) {
    this.labelFiles = options.labelFiles ?? new LabelFiles(null);
    this.#listing = options.listing ?? new Throttle(LISTED_EVERY_MS);
    this.#store = options.store ?? new ConfigStore(null);
    this.#findings = new ConfigFindings(options.facts ?? (() => ({})));
    const saved = this.#store.load();
    if (saved) this.#chosen = { vision: saved.vision, camera: saved.camera };
    this.#show(saved ? tuningOf(saved) : imported(sampleConfigText));
    if (saved?.history) this.#history.restore(unpackHistory(this.#tuning, saved.history));
  }

  // What the text says

  get text(): string {
    return this.#tuning.text;
  }

  /** The text as imported, with which exports are compared. */
  get importedText(): string {
    return this.#tuning.importedText;
  }

  /** True while the text is not a JSON object and an earlier text runs. */
  get broken(): boolean {
    return this.#tuning.runs !== null;
  }

  readonly #fault: Unreadable | null = $derived.by(() => (this.broken ? unreadable(this.text) : null));

  /**
   * Why the text cannot be read, so that nothing can be edited, exported or written; null: it can, or the person is
   * typing.
   */
  readonly unreadable: Unreadable | null = $derived(this.#isTyping ? null : this.#fault);

  /** Name of the imported file that cannot be read; '': the text was pasted or typed. */
  get unreadFile(): string {
    return this.#tuning.unreadFile ?? '';
  }

  get config(): MachineConfig {
    return this.parsed.config;
  }

  // Compared as text, so that an edit that keeps all names, such as moving a threshold, does not update their
  // readers.
  readonly #visionNamesText: string = $derived(JSON.stringify(this.#namesOf(...runnableVision)));
  /** Names of the services that can be tuned, whether or not they can be built. */
  readonly visionNames: readonly string[] = $derived(JSON.parse(this.#visionNamesText) as readonly string[]);
  readonly #modelNamesText: string = $derived(JSON.stringify(this.#namesOf('mlmodel-vision')));
  /** Names of those that run a model; the others are colour detectors. */
  readonly modelVisionNames: readonly string[] = $derived(JSON.parse(this.#modelNamesText) as readonly string[]);
  readonly cameraNames: readonly string[] = $derived(this.#namesOf(...anyCamera));
  readonly transformCameraNames: readonly string[] = $derived(this.#namesOf('transform-camera'));

  /** The service to tune: the chosen one while it exists, otherwise the first. */
  readonly visionName: string | null = $derived(
    this.#chosen.vision !== null && this.visionNames.includes(this.#chosen.vision)
      ? this.#chosen.vision
      : (this.visionNames[0] ?? null),
  );

  /** Whether the service to tune is a colour detector, which has no model. */
  readonly tunesColor: boolean = $derived(this.visionName !== null && !this.modelVisionNames.includes(this.visionName));
  /** The service that a model is for: the tuned one, or beside a colour detector the first that runs one; '': none. */
  readonly modelVisionName: string = $derived(
    this.tunesColor ? (this.modelVisionNames[0] ?? '') : (this.visionName ?? ''),
  );

  readonly service: VisionServiceConfig | null = $derived(
    this.config.visionServices.find(({ name }) => name === this.visionName) ?? null,
  );

  /** The camera that feeds it: the chosen one, otherwise the service's own; null: the bare source. */
  readonly cameraName: string | null = $derived.by(() => {
    const wanted = this.#chosen.camera === undefined ? this.service?.cameraName : this.#chosen.camera;
    return typeof wanted === 'string' && this.cameraNames.includes(wanted) ? wanted : null;
  });

  readonly camera: TransformCameraConfig | null = $derived.by(() => {
    const camera = this.config.cameras.find(({ name }) => name === this.cameraName);
    return camera?.kind === 'transform' ? camera : null;
  });

  readonly filter: ServiceFilterRule = $derived(this.service ?? noFilter);
  readonly ruleInForce = $derived(ruleInForce(this.filter));
  /**
   * The filter by which thresholds show their counts: the same as `filter`, but during a drag updated only now and
   * then. Lists of the frame on the stage use `filter`, as the stage does.
   */
  readonly listedFilter: ServiceFilterRule = $derived(this.#heldFilter ?? this.filter);

  /** The linter's findings about the text; empty until `lintBy` was called. */
  get findings(): readonly Finding[] {
    return this.#findings.all;
  }

  lintBy(lint: Lint): void {
    this.#findings.lintBy(lint);
  }

  /** The text that the findings are about: the present one, or during a drag an earlier one. */
  get lintedText(): string {
    return this.#findings.text;
  }

  /** Why the tuned resources cannot be built, in the machine's words. */
  problemsOf(resource: string | null): readonly string[] {
    return this.parsed.problems.filter((problem) => problem.resource === resource).map(({ message }) => message);
  }

  /** Why the machine would refuse the whole configuration, though the bench runs parts of it; '': it would not. */
  readonly refusedWhole: string = $derived.by(() => {
    const [first, ...more] = refusalsOfAll(this.parsed);
    if (!first) return '';
    const others = more.length > 0 ? ` And ${more.length} more.` : '';
    return `The machine would refuse this whole configuration: ${displayPath(first.path)}: ${first.message}.${others}`;
  });

  readonly #runKey: string = $derived(runKey(this.config));

  /** The running configuration; a new object only if frames must be run again. */
  readonly runConfig: MachineConfig = $derived.by(() => {
    void this.#runKey;
    return untrack(() => this.config);
  });

  // Choosing what to tune

  chooseVision(name: string): void {
    this.#choose({ vision: name, camera: undefined });
  }

  /** null: the bare source; undefined: the service's own camera. */
  chooseCamera(name: string | null | undefined): void {
    this.#choose({ ...this.#chosen, camera: name });
  }

  // Steps that are switched off are stored beside the text

  get disabled(): readonly DisabledStep[] {
    return this.#tuning.disabled;
  }

  // What thresholds stand on is kept beside the text, too

  get evidence(): readonly ThresholdEvidence[] {
    return this.#tuning.evidence ?? [];
  }

  // Editing

  /**
   * Changes the text and records an undo step named `label`. Returns false, with nothing changed, if the text
   * cannot be read: an edit of the configuration that runs instead would overwrite it.
   */
  edit(label: string, change: (text: string) => string, options: EditOptions = {}): boolean {
    return this.editSteps(label, (edit) => ({ ...edit, text: change(edit.text) }), options);
  }

  /** Like `edit`, for changes that also switch steps on and off. Every control edits through this. */
  editSteps(label: string, change: (edit: PipelineEdit) => PipelineEdit, options: EditOptions = {}): boolean {
    this.#isTyping = false;
    if (this.broken) return false;
    const after = change({ text: this.text, disabled: this.disabled });
    const evidence = options.evidence ? withEvidence(this.evidence, options.evidence) : this.#tuning.evidence;
    this.#record(label, { ...this.#tuning, ...after, evidence }, options.coalesce ?? null, options);
    return true;
  }

  /** Sets the text as typed, valid or not. */
  typeText(text: string): void {
    this.#isTyping = true;
    this.#replaceText('Edit the JSON', text, 'typing', (typed) => typed);
  }

  /** Removes from an unreadable text what other programs accept and the machine refuses, such as comments. */
  mend(): void {
    const mend = this.#fault?.mend;
    if (!mend) return;
    const name = this.unreadFile;
    this.#replaceText(mend.title, mend.text);
    if (name) this.notice = `Opened the configuration ${name}, fixed. The machine would refuse the file itself.`;
  }

  /** Replaces the unreadable text by the configuration that runs. Undo restores the text. */
  backToReadable(): void {
    const { runs } = this.#tuning;
    if (runs === null) return;
    this.#record('Back to the previous configuration', { ...this.#tuning, text: runs, unreadFile: null }, null);
  }

  /** Ends a drag or a burst of typing: the next change is an undo step of its own. */
  settle(): void {
    this.#isTyping = false;
    this.#history.settle();
    this.#findings.follow(this.text, false);
    this.#list();
  }

  get undoLabel(): string | null {
    return this.#history.undoLabel;
  }

  get redoLabel(): string | null {
    return this.#history.redoLabel;
  }

  undo(): void {
    const before = this.#history.undo();
    if (before) this.#goTo(before);
  }

  redo(): void {
    const after = this.#history.redo();
    if (after) this.#goTo(after);
  }

  fix(finding: Finding): void {
    const fix = this.#findings.fixIn(this.text, finding);
    if (!fix) return;
    this.#replaceText(fix.title, applyFix(this.text, fix));
  }

  // Coming in

  /**
   * Starts over from a pasted, dropped or shared text. Undo restores the former configuration and selection.
   * Returns false for an unreadable text, which is kept verbatim, while the former configuration runs, until it is
   * repaired.
   */
  importText(text: string, label = 'Import a configuration', fileName = ''): boolean {
    const whole = importConfig(text).text;
    const isWhole = isReadable(whole);
    if (isWhole) this.#begin(label, whole);
    else this.#record(label, { ...this.#tuning, text, unreadFile: fileName }, null);
    this.#isTyping = false;
    return isWhole;
  }

  /** Like importText, for a file; false: it is no configuration, not even one with JSON errors. */
  importFile(text: string, name: string): boolean {
    const looksMeant = /"(components|services)"\s*:/.test(text) && !isReadable(text);
    if (!looksMeant && importConfig(text).pastedAs === 'unknown') return false;
    const isWhole = this.importText(text, `Import ${name}`, name);
    // For an unreadable file, the page shows that as long as it is the case.
    this.notice = isWhole ? `Opened the configuration ${name}. Undo restores the previous one.` : '';
    return true;
  }

  /** Back to the built-in example. */
  reset(): void {
    this.importText(sampleConfigText, 'Back to the example');
  }

  say(notice: string): void {
    this.notice = notice;
  }

  dismissNotice(): void {
    this.notice = '';
  }

  #namesOf(...kinds: readonly EntryKind[]): readonly string[] {
    return this.parsed.entries.filter(({ kind, name }) => kinds.includes(kind) && name !== '').map(({ name }) => name);
  }

  /** Replaces the text. If an imported text becomes readable by this, the bench starts over from it. */
  #replaceText(
    label: string,
    text: string,
    coalesceKey: string | null = null,
    wrap = (mended: string): string => importConfig(mended).text,
  ): void {
    if (this.#tuning.unreadFile !== null && isReadable(wrap(text))) this.#begin(label, wrap(text));
    else this.#record(label, { ...this.#tuning, text }, coalesceKey);
  }

  #begin(label: string, text: string): void {
    this.#record(label, imported(text), null, {}, { before: this.#chosen, after: firstService });
    this.#choose(firstService);
  }

  /** @param choice the selection before and after the step, if it starts over */
  #record(
    label: string,
    after: Tuning,
    coalesceKey: string | null,
    { beside, labelFiles, joins = false }: EditOptions = {},
    choice?: { readonly before: Choice; readonly after: Choice },
  ): void {
    const before = this.#tuning;
    const isSame =
      after.text === before.text &&
      after.disabled === before.disabled &&
      after.importedText === before.importedText &&
      after.evidence === before.evidence &&
      after.unreadFile === before.unreadFile;
    if (isSame && !beside && !labelFiles) return;
    const former = labelFiles && this.#putLabels(labelFiles);
    const shown = this.#show(after, coalesceKey !== null);
    const step = {
      label,
      before: { ...before, choice: choice?.before, labelFiles: former },
      after: { ...shown, choice: choice?.after, labelFiles },
      beside,
    };
    if (joins) this.#history.join(step, joined);
    else this.#history.record(step, coalesceKey);
    this.#save();
  }

  /** @returns the contents before */
  #putLabels(contents: LabelContents): LabelContents {
    const former = Object.fromEntries(Object.keys(contents).map((path) => [path, this.labelFiles.at(path)]));
    this.labelFiles.put(contents);
    return former;
  }

  #goTo({ choice, labelFiles, ...tuning }: Tuning): void {
    this.#isTyping = false;
    if (labelFiles) this.labelFiles.put(labelFiles);
    if (choice) this.#choose(choice);
    this.#show(tuning);
    this.#save();
  }

  #choose(choice: Choice): void {
    this.#chosen = choice;
    this.#save();
  }

  readonly #list = (): void => void (this.#heldFilter = null);

  /**
   * @returns the tuning with the text that runs if its own cannot be read: the one that ran before, or the one that
   *   it names
   */
  #show(tuning: Tuning, moving = false): Tuning {
    this.#heldFilter = moving ? this.listedFilter : null;
    if (moving) this.#listing.schedule(this.#list);
    const running = this.parsed.document.text;
    const runs = isReadable(tuning.text) ? null : (tuning.runs ?? running);
    const inForce = runs ?? tuning.text;
    if (inForce !== running) this.parsed = parseMachineConfig(inForce);
    this.#tuning = { ...tuning, runs };
    this.#findings.follow(tuning.text, moving);
    return this.#tuning;
  }

  /** Writes what is not stored yet: the page is closed. */
  flush(): void {
    this.#store.flush();
  }

  #save(): void {
    const config = () => ({
      ...this.#tuning,
      ...this.#chosen,
      history: packHistory(this.#tuning, this.#history.steps),
    });
    this.#store.save(config, () => (this.notice = notKept));
  }
}

/** One state of two steps in a row that are one: the state at its own end, with what only the other step changed. */
const joined = (own: Tuning, other: Tuning): Tuning => ({
  ...own,
  choice: own.choice ?? other.choice,
  labelFiles: own.labelFiles || other.labelFiles ? { ...other.labelFiles, ...own.labelFiles } : undefined,
});

function tuningOf({ text, importedText, disabled, runs = null, unreadFile = null, evidence }: SavedConfig): Tuning {
  return { text, importedText, disabled, runs, unreadFile, evidence };
}
