import { untrack } from 'svelte';
import type { FitClient } from '../../../workers/fit/client.ts';
import type { VisionClient } from '../../../workers/vision/client/vision-client.ts';
import type { BenchPlan, FrameResult } from '../../../workers/vision/protocol.ts';
import type { SeenPictures } from '../../machine/config/face/recorder.ts';
import type { LintFacts } from '../../machine/config/face/lint.ts';
import { modelPathOf } from '../../machine/config/face/machine-config.ts';
import type { PresentSetup } from '../../machine/config/face/edits.ts';
import type { ModelSource } from '../../platform/ports/model-source.ts';
import type { DroppedFiles } from '../../platform/ports/named-file.ts';
import type { ChainStep } from '../../machine/vision/face/cameras.ts';
import { SecondState } from './comparison/second-state.svelte.ts';
import { CaptureLoader } from './capture/capture-loader.svelte.ts';
import { MadeWithByPlan, type MadeWith } from './capture/made-with.ts';
import type { CaptureHost } from '../captures/capture-host.ts';
import { LabelColours } from '../kit/colours/label-colours.svelte.ts';
import { ConfigState } from './config/config-state.svelte.ts';
import { ConfigStore } from './config/config-store.ts';
import { LabelFiles } from './config/label-files.svelte.ts';
import { FitState } from './fit/fit-state.svelte.ts';
import { FootageLoader } from './footage/footage-loader.svelte.ts';
import type { FootagePorts } from './footage/footage-ports.ts';
import { FileIntake } from './intake/file-intake.svelte.ts';
import { GraphLoader, type OpenGraph } from './graph/graph-loader.svelte.ts';
import { LabelsState } from './models/labels-state.svelte.ts';
import { ModelsState } from './models/models-state.svelte.ts';
import type { ModelShelf } from './models/model-shelf.svelte.ts';
import { ProfileState, type ProfileModel } from './profile/profile-state.svelte.ts';
import { hasClasses } from './results/has-classes.ts';
import { ResultsState } from './results/results-state.svelte.ts';
import { FrameDebounce } from '../../base/schedule/frame-debounce.ts';
import { once } from '../../base/schedule/once.ts';
import { resultsKey } from './session/plan-in-force.svelte.ts';
import { SessionState } from './session/session-state.svelte.ts';
import { StartUp } from './session/start-up.svelte.ts';
import { MachineCameraState } from './sources/machine-camera-state.svelte.ts';
import type { LiveMachinePort } from './live-machine/live-machine-port.ts';
import type { BackendsPort } from './backends/backends-port.ts';
import { BorrowState } from './borrow/borrow-state.svelte.ts';
import { LiveMachineState } from './live-machine/live-machine-state.svelte.ts';
import type { AccountPort } from './account/account-port.ts';
import { WriteBackLoader } from './write-back/write-back-loader.svelte.ts';
import type { ConfigFilePort } from '../../platform/ports/config-file.ts';
import { SourcesState, type SourcePorts } from './sources/sources-state.svelte.ts';
import { benchShortcuts } from './shortcuts/bench-shortcuts.ts';
import { ShortcutRegistry } from '../kit/keys/shortcut-registry.svelte.ts';
import { StageViewport } from '../kit/picture/stage-viewport.svelte.ts';
import { ThresholdList } from './thresholds/threshold-list.svelte.ts';
import { ThresholdsState } from './thresholds/thresholds-state.svelte.ts';
import { AreaRoute } from '../areas/area-route.svelte.ts';
import type { MemoryPort } from '../kit/memory/remembered.ts';
import { ViewState } from './view/view-state.svelte.ts';
import { VisitState, type VisitPorts } from './visit/visit-state.svelte.ts';
import { WantedPlan } from './wanted-plan.svelte.ts';

export interface BenchPorts extends SourcePorts {
  /** All files of a drop or a paste, those in folders included. */
  readonly droppedFiles: (transfer: DataTransfer) => Promise<DroppedFiles>;
  readonly vision: VisionClient;
  /** storage of this tab, which a reload of another tab does not change */
  readonly memory: MemoryPort;
  /** storage that all tabs share */
  readonly sharedMemory: MemoryPort;
  /** Called when a frame is first captured, or the captures are first shown. */
  readonly openCaptures: () => Promise<CaptureHost>;
  /** Called with the first model that is not the app's own. */
  readonly openFitter: () => Promise<FitClient>;
  readonly openGraph: OpenGraph;
  readonly profileModel: ProfileModel;
  readonly openBackends: () => Promise<BackendsPort>;
  readonly visits: VisitPorts;
  readonly liveMachine: LiveMachinePort;
  readonly configFile: ConfigFilePort;
  readonly account: AccountPort;
  readonly openFootage: () => Promise<FootagePorts>;
}

const NO_SERVICE = '';

/** Makes `$derived` a value with a getter, so that it can be passed to another state. */
function shownBy(find: () => FrameResult | null): { readonly current: FrameResult | null } {
  const current = $derived(find());
  return {
    get current() {
      return current;
    },
  };
}

/** Everything on the bench: the configuration decides, the worker runs, the panels draw. */
export class Bench {
  readonly config: ConfigState;
  readonly view: ViewState;
  readonly colours: LabelColours;
  readonly viewport = new StageViewport();
  readonly startUp = new StartUp();
  readonly session: SessionState;
  readonly sources: SourcesState;
  readonly visit: VisitState;
  readonly intake: FileIntake;
  readonly models: ModelsState;
  readonly labels: LabelsState;
  /** the settings kept for each model; null: not loaded yet */
  shelf = $state.raw<ModelShelf | null>(null);
  /** the result on the stage, if the present model made it */
  readonly shown: { readonly current: FrameResult | null };
  /** results of the frame on the stage: the boxes that are drawn and the rows that are listed are the same */
  readonly results: ResultsState;
  /** the second configuration on the stage */
  readonly second: SecondState;
  readonly thresholds: ThresholdsState;
  readonly thresholdList: ThresholdList;
  readonly areas: AreaRoute;
  readonly captures: CaptureLoader;
  readonly fit: FitState;
  readonly footage: FootageLoader;
  readonly graph: GraphLoader;
  readonly profile: ProfileState;
  readonly openBackends: BenchPorts['openBackends'];
  readonly borrowing: BorrowState;
  readonly writeBack: WriteBackLoader;
  readonly machineCamera: MachineCameraState;
  readonly memory: MemoryPort;
  readonly sharedMemory: MemoryPort;
  readonly vision: VisionClient;
  readonly #wanted = new WantedPlan(this);
  readonly #madeWithByPlan = new MadeWithByPlan();
  readonly shortcuts = new ShortcutRegistry(() => this.areas.area);

  constructor(ports: BenchPorts) {
    this.memory = ports.memory;
    this.sharedMemory = ports.sharedMemory;
    this.vision = ports.vision;
    this.areas = new AreaRoute(ports.memory);
    this.machineCamera = new MachineCameraState(ports.memory);
    this.config = new ConfigState({
      store: new ConfigStore(ports.memory),
      labelFiles: new LabelFiles(ports.memory),
      facts: () => this.facts,
    });
    this.view = new ViewState(ports.memory);
    this.colours = new LabelColours(ports.sharedMemory);
    this.session = new SessionState(ports.vision, ports.memory, {
      onNewResult: (before, now) => this.results.follow(before, now),
      onNewPlan: () => this.profile.times.clear(),
    });
    this.models = new ModelsState(ports.vision, ports.memory, {
      pathOf: (service) => this.modelPathOf(service),
      ready: () => (this.shelf ? null : this.#openShelf()),
      onLeaving: (service) => this.shelf?.leaving(service),
      onLoaded: (service) => this.shelf?.opened(service),
      onEntered: (service) => this.shelf?.entered(service),
      bringIntoForce: () => this.session.applyPlan(this.plan),
    });
    this.labels = new LabelsState(this.config, this.models);
    const machine = new LiveMachineState(ports.liveMachine, ports.memory, (url) => this.borrowing.giveBack(url));
    this.sources = new SourcesState(ports, this.session, machine);
    this.intake = new FileIntake({
      droppedFiles: ports.droppedFiles,
      addPictures: (stills, videos) => {
        const named = videos.map((file) => ({ file, name: file.name }));
        this.view.sourceTab = 'files';
        return this.sources.add(stills, named);
      },
      whyNoPicture: async (file) => (await import('./intake/why-no-picture.ts')).whyNoPicture(file),
      loadModel: async (file, beside) =>
        (await this.#loadModel({ kind: 'file', file, beside })) ? null : (this.models.fault?.message ?? ''),
      openConfiguration: async (file) =>
        (await import('./config/open-config-file.ts')).openConfigFile(this.config, file),
      takeLabels: async (file, cameWithModel) => {
        const { takeLabelFile } = await import('./models/take-label-list.ts');
        return takeLabelFile(this, file, { cameWithModel });
      },
      openBench: async (file) => {
        const { whyNoBench } = await import('../../evidence/capture/bench-file/read-bench-file.ts');
        const why = await whyNoBench(file);
        // The dialog itself explains what is wrong with a damaged bench file.
        if (why === null) this.captures.benchDialog = { file, captureIds: null };
        return why;
      },
    });
    this.visit = new VisitState(ports.visits, ports.memory, this.sources, this.viewport);
    const onStage = (this.shown = shownBy(() => this.#ofThisModel(this.session.current)));
    const listed = shownBy(() => this.#ofThisModel(this.session.listed));
    this.results = new ResultsState(
      onStage,
      this.view,
      () => this.config.filter,
      () => this.steps.map(({ step }) => step),
      (ms) => this.profile.times.filtered(ms),
    );
    // The figures beside each threshold are updated four times a second for a stream, and ten times a second during
    // a drag.
    const beside = this.results.listing(listed, () => this.config.listedFilter);
    this.thresholds = new ThresholdsState(
      this.config,
      () => this.session.history.results,
      () => this.labels.of(this.serviceName),
      () => this.present,
      () => this.#hasClasses,
    );
    this.thresholdList = new ThresholdList(
      this.thresholds,
      { here: () => beside.labelsHere, isKept: (label) => beside.isLabelKept(label) },
      (label) => this.labels.nameOf(this.serviceName, label),
    );
    this.second = new SecondState(this, ports.memory);
    this.captures = new CaptureLoader(this, ports.vision, ports.openCaptures);
    this.fit = new FitState(this, ports.openFitter);
    this.footage = new FootageLoader(ports.memory, ports.openFootage);
    this.graph = new GraphLoader(ports.openGraph);
    const seenBy = { source: () => this.session.history.source, model: () => this.models.of(this.serviceName) };
    this.profile = new ProfileState(seenBy, ports.vision, ports.profileModel);
    this.openBackends = ports.openBackends;
    this.borrowing = new BorrowState(
      { machine, models: this.models, config: this.config, serviceName: () => this.serviceName },
      ports.memory,
    );
    ports.vision.onResult((result) => this.borrowing.count(result));
    this.writeBack = new WriteBackLoader(async () => {
      const [{ openWriteBack }, { proofOf }] = await Promise.all([
        import('./write-back/open-write-back.ts'),
        import('./machine-check/proof-state.svelte.ts'),
      ]);
      return openWriteBack({ config: this.config, machine, proof: proofOf(this), present: () => this.present }, ports);
    });
    this.shortcuts.register(...benchShortcuts(this));
  }

  /** The name of the tuned service; '' without one, so that a model can still be shown. */
  get serviceName(): string {
    return this.config.visionName ?? NO_SERVICE;
  }

  /** Whether the frame on the stage was run by the present model of the tuned service, not by the one before it. */
  readonly isOfThisModel: boolean = $derived.by(() =>
    this.session.isMadeBy(this.serviceName, this.models.of(this.serviceName)?.modelId),
  );

  readonly #hasClasses: boolean = $derived.by(() => {
    const { report, history } = this.session;
    const model = this.models.of(this.serviceName);
    const recognition = model && this.fit.recognitionOf(model);
    if (
      recognition?.kind === 'family' &&
      report?.[recognition.result === 'detections' ? 'detector' : 'classifier'].able === false
    )
      return false;
    return hasClasses(report, history.results.at(-1), this.labels.of(this.serviceName)?.length ?? null);
  });

  /** A model that is dropped beside a colour detector is for another service, which is then tuned. */
  async #loadModel(source: ModelSource): Promise<boolean> {
    const service = this.config.modelVisionName;
    const isLoaded = await this.models.load(source, service);
    if (isLoaded && service !== '' && this.config.tunesColor) this.config.chooseVision(service);
    return isLoaded;
  }

  /** The result, without the detections and classifications of another model. */
  #ofThisModel(result: FrameResult | null): FrameResult | null {
    return result && !this.isOfThisModel ? { ...result, detections: null, classifications: null } : result;
  }

  /** The model and configuration that frames run with under the wanted plan. */
  readonly #runsWith: MadeWith = $derived.by(() => {
    const { config } = this;
    const model = this.models.of(this.serviceName);
    return {
      filter: config.filter,
      setup: {
        serviceName: config.visionName,
        cameraName: config.cameraName,
        steps: this.steps.map(({ step }) => step),
        configText: config.parsed.document.text,
        model: model && { sha256: model.sha256, fileName: model.fileName },
        backend: model?.backend ?? null,
      },
    };
  });

  /** The model, the configuration and the filter of a result. */
  madeWith(result: FrameResult): MadeWith {
    return this.#madeWithByPlan.of(this.session.resultsKeyOf(result)) ?? this.#runsWith;
  }

  /** The path from which the machine reads the model of a vision service; '' if the configuration does not say. */
  modelPathOf(service: string): string {
    return modelPathOf(this.config.parsed.entries, service);
  }

  readonly #openShelf = once(async () => {
    const [{ ModelShelf }, { interpretationsOf }] = await Promise.all([
      import('./models/model-shelf.svelte.ts'),
      import('./models/interpretations-state.svelte.ts'),
    ]);
    const { config, models, labels } = this;
    this.shelf = new ModelShelf({ config, models, labels, interpretations: interpretationsOf(this) }, this.memory);
  });

  /** The setup in force now, with which the evidence of thresholds is compared. */
  get present(): PresentSetup {
    // Not `runConfig`, whose thresholds lag behind: certificates name those in force.
    const { config, visionName } = this.config;
    const steps = this.steps.map(({ step }) => step);
    const sha256 = this.models.of(this.serviceName)?.sha256 ?? null;
    return { config, visionName, steps, labels: this.labels.of(this.serviceName), sha256 };
  }

  /** The pictures that the tuned service sees, and of which camera of the machine, from which the cost of recording is reckoned. */
  get pictures(): SeenPictures | null {
    const seen = this.session.current?.stages.at(-1);
    const { kind, machine } = this.sources;
    const isAsTaken = kind === 'machine' && !this.runsStepsOnMachine;
    const camera = isAsTaken ? machine.cameraName : null;
    const bytes = isAsTaken ? machine.frames.pictureBytes : null;
    return seen ? { camera, widthPx: seen.widthPx, heightPx: seen.heightPx, bytes } : null;
  }

  /** What the loaded models tell the linter about the configuration's services. */
  readonly facts: LintFacts = $derived.by(() => {
    const facts = this.config.visionNames.map((name) => {
      const model = this.models.of(name);
      const modelMeant = this.shelf?.described.meantBy(name);
      return [
        name,
        {
          ...(modelMeant && { modelMeant }),
          ...(model && { inputs: model.inputs, outputs: model.outputs }),
          labels: this.labels.of(name),
          ...(model && { offeredLabels: model.labels }),
          // The model of a live machine has the name of its service there, and no file.
          ...(model?.format && { modelFileName: model.fileName, modelSha256: model.sha256 }),
          ...(model && { modelBoxOrder: model.boxOrder }),
          ...(name === this.config.visionName && { labelsSeen: this.thresholds.seen.labels, pictures: this.pictures }),
        },
      ];
    });
    return Object.fromEntries(facts) as LintFacts;
  });

  /** What the worker runs; it does not change with thresholds. */
  get plan(): BenchPlan {
    return this.#wanted.plan;
  }

  /** The steps of all transform cameras between the source and the tuned service; none if the chain is broken. */
  get steps(): readonly ChainStep[] {
    return this.#wanted.steps;
  }

  /** Whether steps run here on frames of a live machine whose own service sees the frames without them. */
  get runsStepsOnMachine(): boolean {
    return this.#wanted.runsStepsOnMachine;
  }

  readonly #resultsKey: string = $derived(resultsKey(this.plan));

  /** Whether the first boxes are shown, or it is known that there will be none. */
  get #firstBoxesAreHere(): boolean {
    const model = this.models.of(this.serviceName);
    if (this.config.tunesColor && this.session.current) return true;
    const hasRun = model ? this.session.ranWith(this.serviceName, model.modelId) : !this.models.loading;
    return (hasRun && this.session.stage !== 'awaited') || this.session.failure !== null;
  }

  /**
   * Keeps the worker's plan up to date, and loads the first picture and model. Returns the function that ends it.
   */
  start(): () => void {
    const nextFrame = new FrameDebounce();
    let opened = this.config.importedText;
    let { tunesColor: tunedColor } = this.config;
    const stop = $effect.root(() => {
      $effect(() => {
        const isOther = this.config.importedText !== opened;
        opened = this.config.importedText;
        this.models.reassign(this.config.modelVisionName, this.config.modelVisionNames, isOther);
      });
      $effect(() => {
        const { shelf } = this;
        void this.config.lintedText; // changes at the end of a drag only
        // After the model that undo brings.
        queueMicrotask(() => shelf?.follow());
      });
      $effect(() => this.#madeWithByPlan.note(this.#resultsKey, this.#runsWith));
      $effect(() => {
        const plan = this.plan;
        nextFrame.schedule(() => void this.session.applyPlan(plan));
      });
      $effect(() => {
        const { tunesColor } = this.config;
        if (tunedColor && !tunesColor && !this.borrowing.before)
          untrack(() => void this.models.loadFirst(this.serviceName));
        tunedColor = tunesColor;
      });
      $effect(() => {
        if (this.second.chosen) untrack(() => void this.second.open());
      });
      $effect(() => {
        const model = this.models.of(this.serviceName);
        untrack(() => this.borrowing.follow(model));
      });
      $effect(() => {
        const isAtRest = !this.sources.isStreaming;
        untrack(() => (this.session.isAtRest = isAtRest));
      });
      $effect(() => {
        const keep = (): void => this.session.history.keep();
        addEventListener('pagehide', keep);
        return () => removeEventListener('pagehide', keep);
      });
      $effect(() => {
        if (this.#firstBoxesAreHere) this.startUp.end();
      });
      this.visit.begin();
    });
    void this.session.askCapabilities();
    void this.startUp.over
      .then(() => Promise.all([import('./models/lint-with-models.ts'), this.#openShelf()]))
      .then(([{ lintWithModels }]) => this.config.lintBy(lintWithModels(this)));
    // If the model ran on a machine before a reload, only a person may send frames there again.
    // A colour detector needs no model: it comes with the first service that does.
    if (!this.borrowing.before && !this.config.tunesColor) void this.models.loadFirst(this.serviceName);
    return stop;
  }
}
