import { describe, expect, it } from 'vitest';
import { visionServiceConfig } from '../../../tests/machine-configs.ts';
import type { MachineConfig } from './parse/machine-config.ts';
import { runKey } from './run-key.ts';

const service = (name: string) =>
  visionServiceConfig({
    name,
    cameraName: 'steps',
    remapInputNames: { images: 'image' },
    remapOutputNames: { boxes: 'location' },
    boxOrder: [1, 0, 3, 2],
    defaultMinimumConfidence: 0.5,
    labelConfidences: { cat: 0.4 },
    labelPath: 'labels.txt',
  });

const color = {
  detect_color: '#336699',
  hue_tolerance_pct: 0.1,
  saturation_cutoff_pct: 0.2,
  value_cutoff_pct: 0.3,
  segment_size_px: 5000,
  label: 'box',
  camera_name: 'steps',
};

/** Every attribute that there is, and of each kind of service one: filtered only, drawn as boxes, drawn as classes, a colour detector. */
const config: MachineConfig = {
  cameras: [
    { kind: 'source', name: 'webcam' },
    {
      kind: 'transform',
      name: 'steps',
      source: 'webcam',
      pipeline: [
        { type: 'crop', attributes: { xMin: 1, yMin: 2, xMax: 30, yMax: 40, overlayCropBox: false } },
        { type: 'resize', attributes: { widthPx: 20, heightPx: 10 } },
        { type: 'rotate', attributes: { angleDegs: 90 } },
        { type: 'detections', attributes: { serviceName: 'boxes', confidenceThreshold: 0.3, validLabels: ['cat'] } },
        {
          type: 'classifications',
          attributes: { serviceName: 'classes', confidenceThreshold: 0.2, maxClassifications: 2, validLabels: ['dog'] },
        },
      ],
      intrinsics: { widthPx: 640, heightPx: 480, fx: 600, fy: 601, ppx: 320, ppy: 240 },
      distortion: { rk1: 0.1, rk2: 0.2, rk3: 0.3, tp1: 0.01, tp2: 0.02 },
    },
  ],
  visionServices: [service('filtered'), service('boxes'), service('classes'), { ...service('colour'), color }],
};

type Path = readonly (string | number)[];

function leaves(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, [...path, key]));
}

/** A copy with one leaf changed. */
function changed(root: MachineConfig, path: Path): MachineConfig {
  const copy = structuredClone(root);
  const holder = path.slice(0, -1).reduce((value: unknown, key) => (value as Record<string, unknown>)[key], copy);
  const leaf = (holder as Record<string, unknown>)[path.at(-1)!];
  const other = typeof leaf === 'number' ? leaf + 1 : typeof leaf === 'boolean' ? !leaf : `${String(leaf)}x`;
  (holder as Record<string, unknown>)[path.at(-1)!] = other;
  return copy;
}

const nameOf = (path: Path): string => path.join('.');
const filters = /^visionServices\.[03]\.(defaultMinimumConfidence|labelConfidences\.)/;
const paths = leaves(config).map((path) => [nameOf(path), path] as const);

describe('runKey', () => {
  it.each(paths.filter(([name]) => !filters.test(name)))('changes with %s', (_, path) => {
    expect(runKey(changed(config, path))).not.toBe(runKey(config));
  });

  it.each(paths.filter(([name]) => filters.test(name)))('stays the same with %s', (_, path) => {
    expect(runKey(changed(config, path))).toBe(runKey(config));
  });

  it('stays the same when a label gets a threshold or loses it', () => {
    const [first, ...others] = config.visionServices;
    for (const labelConfidences of [{}, { cat: 0.4, dog: 0.5 }])
      expect(runKey({ ...config, visionServices: [{ ...first!, labelConfidences }, ...others] })).toBe(runKey(config));
  });

  it('changes with what else decides the results', () => {
    const keys = [
      runKey(config),
      runKey(config, 'boxes'),
      runKey(config, null),
      runKey(config, 'boxes', { boxes: 'a' }),
    ];
    expect(new Set(keys).size).toBe(keys.length);
    expect(runKey(config, 'boxes')).toBe(runKey(structuredClone(config), 'boxes'));
  });
});
