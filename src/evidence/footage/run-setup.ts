import type { TransformStep } from '../../machine/config/face/machine-config.ts';
import type { ServiceFilterRule } from '../../machine/vision/face/filters.ts';

/** What the results of a run over footage depend on. */
export interface RunSetup {
  /** version of Sightglass */
  readonly version: string;
  readonly source: FootageSource;
  readonly serviceName: string;
  /** null: frames go to the service as they are */
  readonly cameraName: string | null;
  /** the steps of all transform cameras between the source and the service */
  readonly steps: readonly TransformStep[];
  /** in force when the run began; results are kept before it */
  readonly filter: ServiceFilterRule;
  /** by vision service: the model that it runs, and SHA-256 in hex of its bytes and of its labels */
  readonly models: Readonly<
    Record<
      string,
      {
        readonly fileName: string;
        readonly sha256: string;
        readonly labelsSha256: string;
        /** what ran it in a terminal, in words with its version: results of two differ in their last digits; absent: a page ran it */
        readonly runtime?: string;
        /** where a page ran it: results of a GPU differ in their last digits; absent: a terminal ran it */
        readonly backend?: 'wasm' | 'webgpu' | 'native' | 'live';
      }
    >
  >;
  /** SHA-256 in hex of the `runKey` of the configuration, which thresholds do not change, nor, in a page, the names of classes */
  readonly configKey: string;
  /** the configuration without its secrets */
  readonly configText: string;
  /** which frames are run */
  readonly choice: FrameChoice;
}

export interface FootageSource {
  readonly kind: 'video' | 'folder';
  readonly name: string;
  /** in hex: of the video's bytes, or of the names and bytes of all pictures of a folder */
  readonly sha256: string;
}

/** Which frames of a source are run. */
export interface FrameChoice {
  /** every n-th, beginning with the first */
  readonly every: number;
  readonly fromMs: number;
  /** null: to the end */
  readonly toMs: number | null;
  /** frame rate of a folder, whose pictures have no times; null: a video */
  readonly framesPerSecond: number | null;
}

/**
 * Whether results of an earlier run are those of this one, so that it may go on where that one ended.
 * @param before setup of the results that are there
 * @param now setup of the run that is asked for
 * @param renamed the vision service whose labels may be others, as results are renamed; null: none
 * @returns what differs, in words that follow "because"; null: nothing that changes a result
 */
export function whyAnotherRun(before: RunSetup, now: RunSetup, renamed: string | null = null): string | null {
  const { source, models, choice } = now;
  if (before.source.kind !== source.kind || before.source.sha256 !== source.sha256)
    return `they belong to another ${source.kind} (${nameOf(before.source)}; this is ${nameOf(source)})`;
  if (before.serviceName !== now.serviceName) return `they are of vision service "${before.serviceName}"`;
  if (before.cameraName !== now.cameraName)
    return `their camera is ${before.cameraName === null ? 'none' : `"${before.cameraName}"`}`;
  for (const service of new Set([...Object.keys(before.models), ...Object.keys(models)])) {
    const [was, is] = [before.models[service], models[service]];
    if (was?.sha256 !== is?.sha256) return `the model of "${service}" was ${was ? modelName(was) : 'none'}`;
    if (service !== renamed && was?.labelsSha256 !== is?.labelsSha256) return `the labels of "${service}" were others`;
    if (was?.runtime !== is?.runtime)
      return `the model of "${service}" ran on ${was?.runtime ?? 'what is not noted'}, and not on ${is?.runtime ?? 'that'}`;
    if (was?.backend !== is?.backend) return `the backend of "${service}" was ${was?.backend ?? 'not noted'}`;
  }
  if (before.configKey !== now.configKey) return 'the configuration differs in more than the thresholds of the service';
  for (const key of ['every', 'fromMs', 'toMs', 'framesPerSecond'] as const)
    if (before.choice[key] !== choice[key]) return `${choiceWords[key]} was ${before.choice[key] ?? 'not given'}`;
  if (before.version !== now.version) return `they were made by Sightglass ${before.version}`;
  return null;
}

const choiceWords = { every: 'every', fromMs: 'from, in ms,', toMs: 'to, in ms,', framesPerSecond: 'the frame rate' };

const nameOf = ({ name, sha256 }: FootageSource): string => `"${name}", SHA-256 ${sha256.slice(0, 12)}…`;
const modelName = ({ fileName, sha256 }: RunSetup['models'][string]): string =>
  `"${fileName}", SHA-256 ${sha256.slice(0, 12)}…`;
