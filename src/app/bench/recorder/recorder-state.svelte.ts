import {
  captureCost,
  type CaptureCost,
  costWords,
  dataManagers,
  deciderWords,
  hasNoScores,
  hourWords,
  rateWords,
  type Recorder,
  recorderOf,
  type RecorderSettings,
  type SeenPictures,
  usualRecorder,
} from '../../../machine/config/face/recorder.ts';
import { findEntry } from '../../../machine/config/face/machine-config.ts';
import { addRecorder, changeRecorder, freeName, removeRecorder } from '../../../machine/config/face/edits.ts';
import type { Finding } from '../../../machine/config/face/lint.ts';
import { sievingCameras } from '../../../machine/config/face/cameras.ts';
import type { ConfigState } from '../config/config-state.svelte.ts';

/** The names that the machine takes. */
const takenNames = /^[a-zA-Z0-9][-\w]*$/;

interface RefusedName {
  /** in force then: with each change comes another one, also where a new start makes a recorder of the same name */
  readonly parsed: ConfigState['parsed'];
  /** name of the recorder that was to be renamed */
  readonly recorder: string;
  readonly why: string;
}

/** Adds, changes and removes the recorder of the tuned service, as edits of the configuration. */
export class RecorderState {
  readonly #config: ConfigState;
  readonly #pictures: () => SeenPictures | null;
  #refusedName = $state.raw<RefusedName | null>(null);

  constructor(config: ConfigState, pictures: () => SeenPictures | null) {
    this.#config = config;
    this.#pictures = pictures;
  }

  /** The recorder of the tuned service, or the tuned service itself if it is one; null: there is none. */
  readonly recorder: Recorder | null = $derived.by(() => {
    const { parsed, visionName } = this.#config;
    return visionName === null ? null : recorderOf(parsed.document, visionName);
  });

  /** Why the last name that was typed is not taken; '': it is, or something was changed since. */
  readonly nameFault: string = $derived.by(() => {
    const refused = this.#refusedName;
    const isPresent = refused?.parsed === this.#config.parsed && refused.recorder === this.recorder?.name;
    return isPresent ? refused.why : '';
  });

  /** What would be added; null: no camera could be recorded. */
  readonly #proposed: RecorderSettings | null = $derived.by(() => {
    const { parsed, visionName, service, cameraName, cameraNames } = this.#config;
    const camera = service?.cameraName || cameraName || cameraNames[0];
    if (visionName === null || !camera) return null;
    const { text } = parsed.document;
    return usualRecorder(text, visionName, freeName(text, `${visionName}-recorder`), camera);
  });

  /** Whether the tuned service has scores that a threshold could tell apart. */
  get hasScores(): boolean {
    const { recorder } = this;
    return recorder ? !hasNoScores(recorder.capture.service) : !this.#config.tunesColor;
  }

  get canStart(): boolean {
    return this.#proposed !== null;
  }

  readonly #cost: CaptureCost | null = $derived.by(() => {
    const settings = this.recorder ?? this.#proposed;
    const { entries } = this.#config.parsed;
    return settings && captureCost(entries, settings.camera, settings.rateHz, this.#pictures());
  });

  /** Who decides at run time how much is kept; '': the rate alone. */
  readonly #decider: string = $derived.by(() => {
    const { document, entries } = this.#config.parsed;
    const { camera = '' } = this.recorder ?? this.#proposed ?? {};
    return deciderWords(document, findEntry(entries, camera, ...sievingCameras));
  });

  /** What recording would cost, in a few words. */
  readonly figure: string = $derived.by(() => {
    if (!this.#cost) return 'there is no camera';
    return this.#decider ? 'decided at run time' : hourWords(this.#cost);
  });

  /** What recording does, or would do, and what it costs. */
  readonly words: string = $derived.by(() => {
    const { recorder } = this;
    const settings = recorder ?? this.#proposed;
    if (!settings || !this.#cost) return 'No camera of this configuration can be recorded.';
    const { camera, rateHz, threshold } = settings;
    const cost = this.#decider || costWords(this.#cost);
    if (rateHz <= 0) return 'Nothing is recorded at this rate.';
    if (camera === '') return 'Nothing is recorded as long as no camera is chosen.';
    const which = recorder?.keepsListedOnly ? 'only results of the labels in its label_confidences' : 'all results';
    const kept = !this.hasScores ? 'all boxes' : threshold > 0 ? `${which} from ${threshold} on` : which;
    const of = recorder?.of ?? this.#config.visionName;
    return recorder
      ? `With this configuration the machine keeps pictures of ${camera}, and ${kept}, ${rateWords(rateHz)}. What ${of} reports stays as it is. ${cost}`
      : `Adds a copy of ${of} that keeps pictures and ${kept}, ${rateWords(rateHz)}. ${cost}`;
  });

  /** What lint warns of about the recorder and the data manager. */
  readonly warnings: readonly Finding[] = $derived.by(() => {
    const { recorder } = this;
    if (!recorder) return [];
    const about = [recorder.capture.service, ...dataManagers(this.#config.parsed.document)];
    return this.#config.findings.filter(({ code, severity, path }) => {
      if (severity === 'info' || !/^(recorder-|capture-|camera-draws$|filter-capture$)/.test(code)) return false;
      // That no data manager is there is said at the first capture, of whatever service it is.
      const isOfAll = code === 'capture-off' && typeof path.at(-1) === 'number';
      return isOfAll || about.some((entry) => entry.path.every((part, at) => path[at] === part));
    });
  });

  /** The cameras to choose from, with the one that is recorded even where it is missing. */
  readonly cameras: readonly string[] = $derived.by(() => {
    const camera = this.recorder?.camera ?? '';
    const { cameraNames } = this.#config;
    return cameraNames.includes(camera) ? cameraNames : [camera, ...cameraNames];
  });

  start(): void {
    const { visionName } = this.#config;
    const settings = this.#proposed;
    if (visionName === null || settings === null) return;
    this.#config.edit(`Record ${visionName} for replay`, (text) => addRecorder(text, visionName, settings));
  }

  stop(): void {
    const { recorder } = this;
    if (recorder) this.#config.edit(`Remove ${recorder.name}`, (text) => removeRecorder(text, recorder.name));
  }

  dismissNameFault(): void {
    this.#refusedName = null;
  }

  change(label: string, change: Partial<RecorderSettings>): void {
    const { recorder } = this;
    if (!recorder) return;
    this.#config.edit(`${label} of ${recorder.name}`, (text) => changeRecorder(text, recorder.name, change));
  }

  /** Gives the recorder a name that is free and that the machine takes; false: not, and `nameFault` says why. */
  rename(name: string): boolean {
    const { recorder } = this;
    this.dismissNameFault();
    if (!recorder || name === recorder.name) return true;
    const why = this.#faultOf(name);
    if (why !== '') {
      this.#refusedName = { parsed: this.#config.parsed, recorder: recorder.name, why };
      return false;
    }
    const isTuned = this.#config.visionName === recorder.name;
    this.change('Name', { name });
    if (isTuned) this.#config.chooseVision(name);
    return true;
  }

  #faultOf(name: string): string {
    if (!takenNames.test(name))
      return `The machine does not accept the name "${name}": use letters, digits, - and _, and begin with a letter or a digit.`;
    const isFree = freeName(this.#config.parsed.document.text, name) === name;
    return isFree ? '' : `Another resource is named "${name}" already.`;
  }

  fix(finding: Finding): void {
    this.#config.fix(finding);
  }
}
