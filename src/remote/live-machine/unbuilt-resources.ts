import { resourceApis, type MachineHealth } from './live-machine.ts';

const kinds: Readonly<Record<string, string>> = {
  [resourceApis.camera]: 'camera',
  [resourceApis.vision]: 'vision service',
  [resourceApis.mlmodel]: 'model service',
};

/**
 * Cameras and services of the machine's configuration that it lacks all the same, with its own reason: a sentence each, none
 * where all are there. The machine leaves them out of its list of resources without a word.
 */
export function unbuiltResources({ resources }: MachineHealth): readonly string[] {
  return resources.flatMap(({ api, name, isReady, error }) => {
    const kind = kinds[api];
    if (kind === undefined || isReady) return [];
    return [error === '' ? `Its ${kind} “${name}” is not built yet.` : `Its ${kind} “${name}” is not built: ${error}`];
  });
}
