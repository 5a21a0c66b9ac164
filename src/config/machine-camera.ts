import type { MachineConfig } from './machine-config.ts';

/** What the machine's camera at the beginning is: built in (`webcam`, `fake`), or of a module, a remote or files. */
export type MachineCamera = 'webcam' | 'module';

/** The configuration as if all cameras that are no transform cameras were of one kind; null = as it says itself. */
export function withMachineCamera(config: MachineConfig, kind: MachineCamera | null): MachineConfig {
  if (kind === null) return config;
  const cameras = config.cameras.map((camera) =>
    camera.kind === 'transform'
      ? camera
      : { kind: camera.kind, name: camera.name, ...(kind === 'webcam' && { builtIn: true as const }) },
  );
  return { ...config, cameras };
}
