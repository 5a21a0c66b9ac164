import {
  addStep,
  addTransformCamera,
  freeName,
  type ListedStep,
  listSteps,
  moveStep,
  type PipelineEdit,
  removeStep,
  setCameraName,
  setStepAttributes,
  switchStep,
} from '../../../../machine/config/face/edits.ts';
import { isObject, type JsonObject, type JsonPath } from '../../../../machine/config/face/json.ts';
import type { Finding } from '../../../../machine/config/face/lint.ts';
import { matchingKey } from '../../../../machine/config/face/machine-config.ts';
import { stepRecords, type StepType } from '../../../../machine/config/face/cameras.ts';
import type { TransformsBench } from './transforms-bench.ts';
import type { StageInfo } from '../../../../../workers/vision/protocol.ts';
import type { FrameSize } from '../../../../machine/vision/face/frames.ts';

/** The steps of the camera that the tuned service looks through, beside what each made of the frame. */
export class TransformsState {
  readonly #bench: TransformsBench;
  /** position in `steps` of the one whose form is open */
  #openStep = $state<number | null>(null);
  /** said aloud after a step moved by keyboard */
  announcement: string = $state('');

  constructor(bench: TransformsBench) {
    this.#bench = bench;
  }

  get openStep(): number | null {
    return this.#openStep !== null && this.#openStep < this.steps.length ? this.#openStep : null;
  }

  toggleOpen(at: number): void {
    this.#openStep = this.#openStep === at ? null : at;
  }

  /** The transform camera whose steps are shown; null where the service looks through none. */
  readonly cameraName: string | null = $derived.by(() => {
    const { cameraName, transformCameraNames } = this.#bench.config;
    return cameraName !== null && transformCameraNames.includes(cameraName) ? cameraName : null;
  });

  readonly steps: readonly ListedStep[] = $derived.by(() => {
    const { config } = this.#bench;
    if (this.cameraName === null) return [];
    const { text } = config.parsed.document;
    return listSteps({ text, disabled: config.disabled }, this.cameraName);
  });

  /** Stages of the frame, from the source to what the model sees; pass-through steps show nothing of their own. */
  readonly stages: readonly StageInfo[] = $derived.by(() =>
    this.#bench.session.way.stages.filter(({ step, type }) => step < 0 || type !== ''),
  );

  /** What a step made of the frame; null while it is off or the frame never got there. */
  stageAfter(at: number): StageInfo | null {
    const index = this.#chainIndex(at);
    return index === null ? null : (this.#bench.session.way.stages.find(({ step }) => step === index) ?? null);
  }

  /** Size of the frame that comes to a step. */
  sizeBefore(at: number): FrameSize | null {
    const before = this.stageBefore(at);
    return this.#bench.session.way.stages.find(({ step }) => step === before) ?? null;
  }

  /** The stage that a step gets its frame from, as the stage counts them: -1 = source. */
  stageBefore(at: number): number {
    const index = this.#chainIndex(at);
    if (index !== null) return index - 1;
    const earlier = this.steps.slice(0, at).findLastIndex(({ enabled }) => enabled);
    if (earlier >= 0) return this.#chainIndex(earlier) ?? -1;
    return this.#bench.steps.findIndex(({ camera }) => camera === this.cameraName) - 1;
  }

  /** Steps are counted over all cameras between source and service. */
  #chainIndex(at: number): number | null {
    const position = this.steps[at]?.pipelineIndex ?? null;
    if (position === null) return null;
    const index = this.#bench.steps.findIndex((step) => step.camera === this.cameraName && step.position === position);
    return index < 0 ? null : index;
  }

  /** Why a step does not work: what the machine refuses, then what went wrong with this frame. */
  problemsOf(at: number): readonly string[] {
    const path = this.#pathOf(at);
    if (path === null) return [];
    const { config, session } = this.#bench;
    const refused = config.parsed.problems.filter((problem) => startsWith(problem.path, path));
    const place = `camera "${this.cameraName}", step ${Number(path.at(-1)) + 1} `;
    const failed = (session.listed?.problems ?? []).filter(({ where }) => where.startsWith(place));
    const messages = [...refused, ...failed].map(({ message }) => message);
    return messages.filter((message, index) => messages.indexOf(message) === index);
  }

  findingsOf(at: number): readonly Finding[] {
    const path = this.#pathOf(at);
    return path === null ? [] : this.#bench.config.findings.filter((finding) => startsWith(finding.path, path));
  }

  #pathOf(at: number): JsonPath | null {
    const position = this.steps[at]?.pipelineIndex ?? null;
    const entry = this.#bench.config.parsed.entries.find(({ name }) => name === this.cameraName);
    if (!entry || position === null) return null;
    return [...entry.attributesPath, matchingKey(entry.attributes, 'pipeline') ?? 'pipeline', position];
  }

  // Editing

  /** Lets the tuned service look through a new transform camera, in front of the one it has. */
  addCamera(): void {
    const { config } = this.#bench;
    const { visionName, cameraNames } = config;
    const source = config.cameraName ?? cameraNames[0] ?? 'camera';
    const name = freeName(config.text, 'tuned-camera');
    const isAdded = config.edit('Add a transform camera', (text) => {
      const added = addTransformCamera(text, { name, source });
      return visionName === null ? added : setCameraName(added, visionName, name);
    });
    if (isAdded) config.chooseCamera(name);
  }

  /** Writes the camera that is looked through into the service. */
  useCameraForService(): void {
    const { config } = this.#bench;
    const { visionName, cameraName } = config;
    if (visionName === null || cameraName === null) return;
    config.edit(`Camera of ${visionName}`, (text) => setCameraName(text, visionName, cameraName));
  }

  add(type: StepType): void {
    const at = this.steps.length;
    const isAdded = this.#edit(`Add ${type}`, (edit, camera) =>
      addStep(edit, camera, at, { type, attributes: this.#first(type) }),
    );
    if (isAdded) this.#openStep = at;
  }

  remove(at: number): void {
    const { type } = this.steps[at] ?? { type: '' };
    const isRemoved = this.#edit(`Remove ${type || 'a step'}`, (edit, camera) => removeStep(edit, camera, at));
    if (isRemoved) this.#openStep = null;
  }

  /** Moves a step; true when there was room, and the configuration could be edited. */
  move(from: number, to: number): boolean {
    const step = this.steps[from];
    if (!step || to < 0 || to >= this.steps.length || to === from) return false;
    const isMoved = this.#edit(`Move ${step.type || 'a step'}`, (edit, camera) => moveStep(edit, camera, from, to));
    if (!isMoved) return false;
    if (this.#openStep === from) this.#openStep = to;
    else if (this.#openStep !== null) this.#openStep = null;
    this.announcement = `${step.type || 'step'} is now step ${to + 1} of ${this.steps.length}`;
    return true;
  }

  switch(at: number, enabled: boolean): void {
    const { type } = this.steps[at] ?? { type: '' };
    const label = `Turn ${type || 'a step'} ${enabled ? 'on' : 'off'}`;
    this.#edit(label, (edit, camera) => switchStep(edit, camera, at, enabled));
  }

  /** The attributes of a step as the machine reads them. */
  attributesOf<V>(at: number, { read }: { readonly read: (raw: unknown) => { readonly value: V } }): V {
    return read(this.rawAttributesOf(at)).value;
  }

  /** The attributes of a step as they are written. */
  rawAttributesOf(at: number): JsonObject {
    const step = this.steps[at]?.step;
    const raw = isObject(step) ? step[matchingKey(step, 'attributes') ?? 'attributes'] : undefined;
    return isObject(raw) ? raw : {};
  }

  /** Changes some attributes of a step; what else stands there stays. `coalesce` makes one undo step of a drag. */
  change(at: number, values: JsonObject, coalesce = ''): void {
    const { type } = this.steps[at] ?? { type: '' };
    const raw = this.rawAttributesOf(at);
    const renamed = Object.entries(values).map(([key, value]) => [matchingKey(raw, key) ?? key, value]);
    const attributes = { ...raw, ...Object.fromEntries(renamed) };
    this.#edit(`Change ${type}`, (edit, camera) => setStepAttributes(edit, camera, at, attributes), coalesce);
  }

  settle(): void {
    this.#bench.config.settle();
  }

  #edit(label: string, change: (edit: PipelineEdit, camera: string) => PipelineEdit, coalesce = ''): boolean {
    const camera = this.cameraName;
    if (camera === null) return false;
    return this.#bench.config.editSteps(label, (edit) => change(edit, camera), coalesce ? { coalesce } : {});
  }

  #first(type: StepType): JsonObject {
    const { widthPx, heightPx } = this.#bench.session.way.stages.at(-1) ?? { widthPx: 640, heightPx: 480 };
    return stepRecords[type].first({ widthPx, heightPx, service: this.#bench.config.visionName ?? '' });
  }
}

function startsWith(path: JsonPath, start: JsonPath): boolean {
  return start.every((part, at) => path[at] === part);
}
