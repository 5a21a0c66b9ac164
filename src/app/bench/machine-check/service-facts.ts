import type { ServiceFacts } from '../../../remote/live-machine/likely-reasons.ts';
import type { ConfigState } from '../config/config-state.svelte.ts';

/** The parts of the configuration that tell which service runs here. */
export type TunedService = Pick<ConfigState, 'visionName' | 'visionNames' | 'tunesColor'>;

/** The facts of the tuned service, beside the one of that name which the machine was asked. */
export function serviceFacts({ visionName, visionNames, tunesColor }: TunedService, asked: string): ServiceFacts {
  return { isOther: asked !== visionName && visionNames.includes(asked), isColorDetector: tunesColor };
}
