import { untrack } from 'svelte';
import type { EntryKind } from '../../config/config-entries.ts';
import type { DisabledStep, PipelineEdit } from '../../config/edit-pipeline.ts';
import { importConfig, type PastedAs } from '../../config/import-config.ts';
import { parseDocument } from '../../config/json-document.ts';
import { applyFix } from '../../config/lint/apply-fix.ts';
import type { Finding, LintFacts, ModelJudge } from '../../config/lint/finding.ts';
import type { MachineConfig, TransformCameraConfig, VisionServiceConfig } from '../../config/machine-config.ts';
import { displayPath } from '../../config/json-path.ts';
import { parseMachineConfig, refusalsOfAll, type ParsedMachineConfig } from '../../config/parse-machine-config.ts';
import { sampleConfigText } from '../../config/sample-config.ts';
import { ShareError } from '../../config/share-error.ts';
import { ruleInForce, type ServiceFilterRule } from '../../vision/filter/thresholds.ts';
import { Pace } from '../session/pace.ts';
import { ConfigFindings, type Lint } from './config-findings.svelte.ts';
import { ConfigStore } from './config-store.ts';
import { EditHistory, type BesideValue } from './edit-history.svelte.ts';
import { runKey } from '../../config/run-key.ts';

export interface EditOptions {
  /** Changes with one key are one undo step until `settle()`. */
  readonly coalesce?: string;
  /** What the step did outside of the text: undo takes that back, too. */
  readonly beside?: BesideValue;
}

/** What undo brings back. */
interface Tuning extends PipelineEdit {
  readonly importedText: string;
}

const notKept =
  'This browser has no room for the configuration, or keeps nothing for the page: a reload starts from an older one. Export it before you leave.';

/** Nobody reads lists faster; to write and lay out all that a threshold changes costs as much as the stage. */
const LISTED_EVERY_MS = 100;

const noFilter: ServiceFilterRule = { defaultMinimumConfidence: 0, labelConfidences: {} };

/**
 * The machine configuration on the bench. Its JSON text is the single source of truth: controls edit the text, and
 * read what it parses to. While the text is broken (someone is typing) the last good one keeps running.
 */
export class ConfigState {
  readonly #store: ConfigStore;
  readonly #findings: ConfigFindings;
  readonly #history = new EditHistory<Tuning>();
  #tuning = $state.raw<Tuning>({ text: '', disabled: [], importedText: '' });
  #draft = $state.raw<ParsedMachineConfig>(parseMachineConfig(''));
  #parsed = $state.raw<ParsedMachineConfig>(parseMachineConfig('{}'));
  #chosenVision = $state.raw<string | null>(null);
  #chosenCamera = $state.raw<string | null | undefined>(undefined);
  #notice = $state.raw('');
  readonly #listing: Pace;
  /** what panels list while a threshold moves on; null = what is in force */
  #heldFilter = $state.raw<ServiceFilterRule | null>(null);

  constructor(
    options: {
      readonly store?: ConfigStore;
      readonly facts?: () => LintFacts;
      readonly judge?: ModelJudge;
      readonly listing?: Pace;
    } = {},
  ) {
    this.#listing = options.listing ?? new Pace(LISTED_EVERY_MS);
    this.#store = options.store ?? new ConfigStore(null);
    this.#findings = new ConfigFindings(options.facts ?? (() => ({})), options.judge ?? (() => []));
    this.#store.onRefused = () => (this.#notice = notKept);
    const saved = this.#store.load();
    this.#chosenVision = saved?.vision ?? null;
    this.#chosenCamera = saved?.camera;
    this.#show(
      saved
        ? { text: saved.text, disabled: saved.disabled, importedText: saved.importedText }
        : { text: sampleConfigText, disabled: [], importedText: sampleConfigText },
    );
  }

  /**
   * Opens a configuration in the address, now and whenever it changes; keeps the state when the page goes away. Resolves once that
   * of now is open, to what ends it.
   */
  async listen(page: Window): Promise<() => void> {
    const open = async (): Promise<void> => {
      if (await this.openHash(page.location.hash)) {
        page.history.replaceState(page.history.state, '', page.location.pathname + page.location.search);
      }
    };
    const leave = (): void => this.#store.flush();
    const openNext = (): void => void open();
    page.addEventListener('hashchange', openNext);
    page.addEventListener('pagehide', leave);
    await open();
    return () => {
      page.removeEventListener('hashchange', openNext);
      page.removeEventListener('pagehide', leave);
      leave();
    };
  }

  // What the text says

  get text(): string {
    return this.#tuning.text;
  }

  /** As it came in: what the exports are compared with. */
  get importedText(): string {
    return this.#tuning.importedText;
  }

  /** The configuration that runs: the text's, or the last good one while the text is broken. */
  get parsed(): ParsedMachineConfig {
    return this.#parsed;
  }

  /** True while the text is no JSON object and an earlier one runs. */
  get broken(): boolean {
    return this.#draft !== this.#parsed;
  }

  get config(): MachineConfig {
    return this.#parsed.config;
  }

  // As text: an edit that names nothing anew, such as a threshold that moves, leaves all alone that reads the names.
  readonly #visionNamesText: string = $derived(JSON.stringify(this.#namesOf('mlmodel-vision')));
  /** Names of the services that can be tuned, buildable or not. */
  readonly visionNames: readonly string[] = $derived(JSON.parse(this.#visionNamesText) as readonly string[]);
  readonly cameraNames: readonly string[] = $derived(this.#namesOf('transform-camera', 'source-camera'));
  readonly transformCameraNames: readonly string[] = $derived(this.#namesOf('transform-camera'));

  /** The service to tune: the chosen one while it exists, else the first. */
  readonly visionName: string | null = $derived(
    this.#chosenVision !== null && this.visionNames.includes(this.#chosenVision)
      ? this.#chosenVision
      : (this.visionNames[0] ?? null),
  );

  readonly service: VisionServiceConfig | null = $derived(
    this.config.visionServices.find(({ name }) => name === this.visionName) ?? null,
  );

  /** The camera it looks through, null = the bare source: the chosen one, else the service's own. */
  readonly cameraName: string | null = $derived.by(() => {
    const wanted = this.#chosenCamera === undefined ? this.service?.cameraName : this.#chosenCamera;
    return typeof wanted === 'string' && this.cameraNames.includes(wanted) ? wanted : null;
  });

  readonly camera: TransformCameraConfig | null = $derived.by(() => {
    const camera = this.config.cameras.find(({ name }) => name === this.cameraName);
    return camera?.kind === 'transform' ? camera : null;
  });

  readonly filter: ServiceFilterRule = $derived(this.service ?? noFilter);
  readonly ruleInForce = $derived(ruleInForce(this.filter));
  /** What panels list: that same filter, of a threshold that is dragged now and then only. Once it rests they are the same. */
  readonly listedFilter: ServiceFilterRule = $derived(this.#heldFilter ?? this.filter);

  /** What is wrong with the text, or unlike what it looks like; nothing until `lintBy` was called. */
  get findings(): readonly Finding[] {
    return this.#findings.all;
  }

  lintBy(lint: Lint): void {
    this.#findings.lintBy(lint);
  }

  /** The text that the findings are about: the present one, or during a drag the one before it. */
  get lintedText(): string {
    return this.#findings.text;
  }

  /** Why the tuned resources cannot be built, as the machine would say it. */
  problemsOf(resource: string | null): readonly string[] {
    return this.#parsed.problems.filter((problem) => problem.resource === resource).map(({ message }) => message);
  }

  /** Why the machine would refuse the whole configuration, though the bench runs the rest of it; '' = it would not. */
  readonly refusedWhole: string = $derived.by(() => {
    const [first, ...more] = refusalsOfAll(this.#parsed);
    if (!first) return '';
    const others = more.length > 0 ? ` And ${more.length} more.` : '';
    return `The machine would refuse this whole configuration: ${displayPath(first.path)}: ${first.message}.${others}`;
  });

  readonly #runKey: string = $derived(runKey(this.config));

  /** The running configuration, with an identity that changes only where a frame must be run again. */
  readonly runConfig: MachineConfig = $derived.by(() => {
    void this.#runKey;
    return untrack(() => this.config);
  });

  // Choosing what to tune

  chooseVision(name: string): void {
    this.#chosenVision = name;
    this.#chosenCamera = undefined;
    this.#save();
  }

  /** null = the bare source; undefined = the camera of the service. */
  chooseCamera(name: string | null | undefined): void {
    this.#chosenCamera = name;
    this.#save();
  }

  // Steps that are switched off live beside the text

  get disabled(): readonly DisabledStep[] {
    return this.#tuning.disabled;
  }

  // Editing

  /**
   * Changes the text and records an undo step named `label`. On a broken text the change starts from the last good
   * one; undo brings the broken one back.
   */
  edit(label: string, change: (text: string) => string, options: EditOptions = {}): void {
    this.editSteps(label, (edit) => ({ ...edit, text: change(edit.text) }), options);
  }

  /** As `edit`, for changes that also switch steps on and off. */
  editSteps(label: string, change: (edit: PipelineEdit) => PipelineEdit, options: EditOptions = {}): void {
    const base = { text: this.broken ? this.#parsed.document.text : this.text, disabled: this.disabled };
    this.#record(label, { ...this.#tuning, ...change(base) }, options.coalesce ?? null, options.beside);
  }

  /** Takes the text as it was typed, broken or not. */
  typeText(text: string): void {
    this.#record('Edit of the JSON', { ...this.#tuning, text }, 'typing');
  }

  /** Ends a drag or a burst of typing: what follows is an undo step of its own. */
  settle(): void {
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
    if (before) this.#show(before);
  }

  redo(): void {
    const after = this.#history.redo();
    if (after) this.#show(after);
  }

  fix(finding: Finding): void {
    const fix = this.#findings.fixIn(this.text, finding);
    if (!fix) return;
    const fixed = applyFix(this.text, fix);
    this.#record(fix.title, { ...this.#tuning, text: fixed }, null);
  }

  // Coming in

  /** Starts over from a pasted, dropped or shared text. Undo brings the former configuration back. */
  importText(text: string, label = 'Import of a configuration'): PastedAs {
    const imported = importConfig(text);
    if (imported.pastedAs !== 'unknown' || parseDocument(text).errors.length > 0) {
      this.#record(label, { text: imported.text, importedText: imported.text, disabled: [] }, null);
      this.#chosenVision = null;
      this.#chosenCamera = undefined;
    }
    return imported.pastedAs;
  }

  /** As importText, for a file dropped on the window; false when it holds no configuration. */
  importFile(text: string, name: string): boolean {
    if (this.importText(text, `Import of ${name}`) === 'unknown') return false;
    this.#notice = `Opened the configuration ${name}. Undo brings the former one back.`;
    return true;
  }

  /** Back to the built-in example. */
  reset(): void {
    this.importText(sampleConfigText, 'Back to the example');
  }

  /** Opens `#config=…`; true when the address held one, readable or not. What unpacks it is fetched with the first. */
  async openHash(hash: string): Promise<boolean> {
    const encoded = /^#(?!\/)(?:.*&)?config=([^&]*)/.exec(hash)?.[1];
    if (encoded === undefined) return false;
    const unpacking = await import('../../config/share-config.ts').catch(() => null);
    if (!unpacking) {
      this.#notice =
        'What unpacks the configuration of the link could not be fetched. Check the connection and reload the page.';
      return false;
    }
    try {
      this.importText(unpacking.decodeShare(encoded), 'Opening of a shared configuration');
      this.#notice = 'Opened the configuration of the link. Undo brings the former one back.';
    } catch (error) {
      if (!(error instanceof ShareError)) throw error;
      this.#notice = error.message;
    }
    return true;
  }

  /** One sentence about what just happened to the configuration as a whole; '' = nothing to say. */
  get notice(): string {
    return this.#notice;
  }

  dismissNotice(): void {
    this.#notice = '';
  }

  #namesOf(...kinds: readonly EntryKind[]): readonly string[] {
    return this.#parsed.entries.filter(({ kind, name }) => kinds.includes(kind) && name !== '').map(({ name }) => name);
  }

  #record(label: string, after: Tuning, coalesceKey: string | null, beside?: BesideValue): void {
    const before = this.#tuning;
    const isSame =
      after.text === before.text && after.disabled === before.disabled && after.importedText === before.importedText;
    if (isSame && !beside) return;
    this.#history.record({ label, before, after, beside }, coalesceKey);
    this.#show(after, coalesceKey !== null);
  }

  readonly #list = (): void => void (this.#heldFilter = null);

  #show(tuning: Tuning, moving = false): void {
    this.#heldFilter = moving ? this.listedFilter : null;
    if (moving) this.#listing.schedule(this.#list);
    this.#tuning = tuning;
    this.#draft = parseMachineConfig(tuning.text);
    const { root } = this.#draft.document;
    if (this.#draft.syntaxErrors.length === 0 && root?.type === 'object') this.#parsed = this.#draft;
    this.#findings.follow(tuning.text, moving);
    this.#save();
  }

  #save(): void {
    this.#store.save({ ...this.#tuning, vision: this.#chosenVision, camera: this.#chosenCamera });
  }
}
