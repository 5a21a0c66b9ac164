import type { ServiceBeside } from '../../../../workers/vision/protocol.ts';
import type { MachineConfig } from '../../../machine/config/face/machine-config.ts';
import { cameraChain } from '../../../machine/vision/face/cameras.ts';

/** What of the bench decides whether two services see the same frames. */
export interface TunedService {
  readonly config: MachineConfig;
  readonly visionName: string | null;
  /** the camera that feeds it; null: the bare source */
  readonly cameraName: string | null;
  /** frames come from a live machine, which has run the camera's steps */
  readonly comesAfterSteps: boolean;
}

/** A service that sees the same frames, and through which of its cameras. */
export type SeenBeside = Pick<ServiceBeside, 'visionName' | 'cameraName'>;

/** Why a service cannot be compared on the frames of the stage. */
export interface Apart {
  readonly why: 'no-service' | 'other-camera' | 'after-steps';
  /** the camera of the service, and the one on the stage */
  readonly theirs: string;
  readonly ours: string;
}

/**
 * Whether a vision service sees what the tuned one sees: frames of the same camera, each through the steps of its own
 * transform camera. A service without a camera takes any frame.
 */
export function serviceBeside(tuned: TunedService, visionName: string): SeenBeside | Apart {
  const { config, comesAfterSteps } = tuned;
  const named = (name: string | null): string =>
    config.visionServices.find((service) => service.name === name)?.cameraName ?? '';
  const isThere = config.visionServices.some(({ name }) => name === visionName);
  const theirs = named(visionName);
  const ours = tuned.cameraName ?? named(tuned.visionName);
  if (!isThere) return { why: 'no-service', theirs, ours };
  if (comesAfterSteps) {
    return theirs === ours ? { visionName, cameraName: null } : { why: 'after-steps', theirs, ours };
  }
  const [theirSource, ourSource] = [sourceOf(config, theirs), sourceOf(config, ours)];
  if (theirSource && ourSource && theirSource !== ourSource) {
    return { why: 'other-camera', theirs: theirSource, ours: ourSource };
  }
  return { visionName, cameraName: config.cameras.some(({ name }) => name === theirs) ? theirs : null };
}

/** The camera at the beginning of the chain; the name itself where the configuration cannot follow it. */
function sourceOf({ cameras }: MachineConfig, name: string): string {
  try {
    return cameraChain(cameras, name).sourceName;
  } catch {
    return name;
  }
}
