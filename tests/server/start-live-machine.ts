import { startMachine, type MachinePlace, type RunningMachine } from '../oracle/machine.ts';
import { openMachineLink } from '../../src/remote/links/machine-link.ts';
import { visionMachine, type MachineParts } from './machine-resources.ts';

/** Starts a real machine with a camera, a model and a vision service, and waits until the vision service is built. */
export function startLiveMachine(parts: MachineParts, place?: MachinePlace): Promise<RunningMachine> {
  const { signal } = new AbortController();
  const isReady = (origin: string) => openMachineLink(origin, null).visionAbilities('v', signal);
  return startMachine(visionMachine(parts), isReady, undefined, place);
}
