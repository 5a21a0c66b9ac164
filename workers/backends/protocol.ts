import type { MachineConfig, VisionServiceConfig } from '../../src/machine/config/machine-config.ts';
import type { ModelSource } from '../../src/platform/ports/model-source.ts';
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
