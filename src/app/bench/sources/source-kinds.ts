import { counted } from '../../kit/words/figures.ts';

/** What the records below read of the sources. */
export interface Sources {
  readonly showsSamples: boolean;
  readonly stills: { readonly frames: readonly unknown[]; readonly shown: { readonly name: string } | null };
  readonly camera: { readonly open: { readonly label: string } | null };
  readonly video: {
    readonly playing: boolean;
    readonly positionMs: number;
    readonly video: { readonly name: string; readonly durationMs: number } | null;
  };
  readonly machine: {
    readonly frameName: string;
    readonly isFollowing: boolean;
    readonly frames: { readonly waitsSinceMs: number | null };
  };
}

/** What differs between the kinds of sources, except how they are started: see `SourcesState`. */
interface SourceFacts {
  /** Whether it has no end and cannot be kept: after a reload a person has to start it again. */
  readonly isLive: boolean;
  /** name of the source on the stage */
  readonly title: (sources: Sources) => string;
  /** state of the source, beside the title of the panel */
  readonly figure: (sources: Sources) => string;
  /** whether it can still give a frame: a camera that was stopped or never started cannot */
  readonly givesFrames: (sources: Sources) => boolean;
  /** whether frames follow each other automatically now */
  readonly isStreaming: (sources: Sources) => boolean;
}

/** The kinds of sources, one record each. A new kind is added here; how it is started, in `SourcesState`. */
export const sourceKinds = {
  stills: {
    isLive: false,
    title: ({ stills }) => stills.shown?.name ?? 'No frames',
    figure: ({ showsSamples, stills }) => (showsSamples ? 'samples' : counted(stills.frames.length, 'frame')),
    givesFrames: () => true,
    isStreaming: () => false,
  },
  camera: {
    isLive: true,
    title: ({ camera }) => camera.open?.label || 'Webcam',
    figure: ({ camera }) => (camera.open ? 'webcam live' : 'webcam stopped'),
    givesFrames: ({ camera }) => camera.open !== null,
    isStreaming: ({ camera }) => camera.open !== null,
  },
  video: {
    isLive: false,
    title: ({ video }) => video.video?.name ?? 'Video',
    figure: () => 'video',
    givesFrames: () => true,
    isStreaming: ({ video }) => video.playing,
  },
  machine: {
    isLive: true,
    title: ({ machine }) => machine.frameName,
    figure({ machine }) {
      if (!machine.isFollowing) return 'machine stopped';
      return machine.frames.waitsSinceMs === null ? 'machine live' : 'waits for the machine';
    },
    givesFrames: ({ machine }) => machine.isFollowing,
    isStreaming: ({ machine }) => machine.isFollowing,
  },
} as const satisfies Record<string, SourceFacts>;

export type SourceKind = keyof typeof sourceKinds;

/** The kinds that are live. */
export type LiveKind = {
  [Kind in SourceKind]: (typeof sourceKinds)[Kind]['isLive'] extends true ? Kind : never;
}[SourceKind];

export const isLiveKind = (kind: unknown): kind is LiveKind =>
  typeof kind === 'string' && Object.hasOwn(sourceKinds, kind) && sourceKinds[kind as SourceKind].isLive;
