import { describe, expect, it } from 'vitest';
import { parseMachineConfig } from './parse-machine-config.ts';

const valid = { detect_color: '#336699', hue_tolerance_pct: 0.3 };

function parse(attributes: unknown, components: readonly object[] = []) {
  const service = { name: 'blue', api: 'rdk:service:vision', model: 'color_detector', attributes };
  return parseMachineConfig(JSON.stringify({ components, services: [service] }));
}

describe('a color_detector', () => {
  it('is a vision service with its attributes as they are decoded', () => {
    const [service] = parse({ ...valid, segment_size_px: 40.9, LABEL: 'ball' }).config.visionServices;
    const missing = { saturation_cutoff_pct: 0, value_cutoff_pct: 0, camera_name: '' };
    expect(service).toMatchObject({ name: 'blue', cameraName: '', mlModelName: '', defaultMinimumConfidence: 0 });
    expect(service!.color).toEqual({ ...valid, ...missing, segment_size_px: 40, label: 'ball' });
  });

  it('makes the machine refuse the whole configuration for a value of another type', () => {
    const { problems } = parse({ ...valid, segment_size_px: '100' });
    const path = ['services', 0, 'attributes', 'segment_size_px'];
    expect(problems).toMatchObject([{ code: 'bad-attributes', refusesAll: true, path }]);
  });

  it('is not built without its camera', () => {
    const { config, problems } = parse({ ...valid, camera_name: 'cam' });
    expect(config.visionServices).toEqual([]);
    expect(problems).toMatchObject([{ resource: 'blue', code: 'no-such-camera' }]);
    const camera = { name: 'cam', api: 'rdk:component:camera', model: 'webcam' };
    expect(parse({ ...valid, camera_name: 'cam' }, [camera]).config.visionServices).toMatchObject([
      { cameraName: 'cam' },
    ]);
  });
});
