import type { MachineConfig, VisionServiceConfig } from '../../src/machine/config/face/machine-config.ts';
import type { ModelSource } from '../../src/platform/ports/model-source.ts';
import type { TensorDifference } from '../../src/models/first-difference/first-difference.ts';
import type { TensorPlanes } from '../../src/models/first-difference/tensor-planes.ts';
import type { FrameAgreement } from './frame-agreement.ts';

/** The data that the page and the backends worker exchange; all of it survives structured cloning. */

/** What runs a model: the CPU with one thread, or with several, or the GPU. A TensorFlow Lite model runs on LiteRT. */
export type SideKind = 'one-thread' | 'threads' | 'webgpu';

/** A model, what runs it, and how it is fed and read. */
export interface SideTask {
  readonly kind: SideKind;
  readonly source: ModelSource;
  readonly vision: VisionServiceConfig;
  /** null: index numbers */
  readonly labels: readonly string[] | null;
}

export interface NamedPicture {
  readonly name: string;
  /** the source's frame, before the camera's steps */
  readonly content: Blob;
}

export interface ComparisonTask {
  readonly config: MachineConfig;
  /** the camera whose steps pictures go through; null: none */
  readonly cameraName: string | null;
  readonly reference: SideTask;
  readonly other: SideTask;
  readonly pictures: readonly NamedPicture[];
}

export interface ComparedPicture extends FrameAgreement {
  readonly name: string;
}

/** What both sides gave for all pictures. */
export interface SidesCompared {
  readonly pictures: readonly ComparedPicture[];
  /** why a side's model gives neither boxes nor classes, so that outputs alone are compared; '' = it does */
  readonly unreadable: { readonly reference: string; readonly other: string };
  /** median time of a run of each side's model, ms */
  readonly medianMs: { readonly reference: number; readonly other: number };
}

/** One tensor on both sides, for a person to look at. */
export interface ShownPair {
  readonly name: string;
  readonly shape: readonly number[];
  readonly difference: TensorDifference;
  /** largest difference that its kind of node may round, and why */
  readonly roundsTo: number;
  readonly because: string;
  /** null: shapes differ, or there are no numbers */
  readonly planes: TensorPlanes | null;
}

/** The first part of a network that gives something else on the other side, or why there is none. */
export interface FoundDifference {
  /** a sentence or two */
  readonly says: string;
  readonly runs: number;
  /** null: no single tensor shows it */
  readonly pair: ShownPair | null;
  /** a zip to report it by; null: nothing was cut out */
  readonly caseZip: Blob | null;
}
