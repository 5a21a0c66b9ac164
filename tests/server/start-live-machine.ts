import { startMachine, type RunningMachine } from '../oracle/machine.ts';
import { openMachineLink } from '../../src/links/machine-link.ts';
import { visionMachine, type MachineParts } from './machine-resources.ts';

/** Starts a real machine with a camera, a model and a vision service, and waits until the vision service is built. */
export function startLiveMachine(parts: MachineParts): Promise<RunningMachine> {
  const { signal } = new AbortController();
  return startMachine(visionMachine(parts), (origin) => openMachineLink(origin, null).visionAbilities('v', signal));
}
