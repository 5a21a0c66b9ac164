import type { MachineConfig } from './machine-config.ts';

/** The kind of the machine's first camera: built in (`webcam`, `fake`), or of a module, a remote or files. */
export type MachineCamera = 'webcam' | 'module';

/**
 * Gives the configuration as if all cameras but transform and filtered cameras were of one kind.
 * @param config as it was parsed
 * @param kind `webcam`: built into the runtime; `module`: of a module, a remote or files; null: as the configuration says
 * @returns a new configuration; with null the one that was given
 * @example
 * const config = { cameras: [{ kind: 'source', name: 'cam' }], visionServices: [] };
 * withMachineCamera(config, 'webcam').cameras; // => [{ kind: 'source', name: 'cam', builtIn: true }]
 */
export function withMachineCamera(config: MachineConfig, kind: MachineCamera | null): MachineConfig {
  if (kind === null) return config;
  const cameras = config.cameras.map((camera) =>
    camera.kind !== 'source'
      ? camera
      : { kind: camera.kind, name: camera.name, ...(kind === 'webcam' && { builtIn: true as const }) },
  );
  return { ...config, cameras };
}
