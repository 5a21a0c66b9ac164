import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encode } from 'fast-png';
import { sampleConfigText } from '../../src/machine/config/share/sample-config.ts';
import { hasOracle, openOracle, type Oracle } from './oracle.ts';

describe.skipIf(!hasOracle)('the oracle (skipped without ../shared/machine-oracle)', () => {
  let oracle: Oracle;
  beforeAll(async () => {
    oracle = await openOracle();
  });
  afterAll(() => oracle.close());

  const pixels = Uint8Array.of(1, 2, 3, 255, 4, 5, 6, 255);
  const png = encode({ width: 2, height: 1, data: pixels, channels: 4 });

  it('answers in the order of the questions, a frame at a time', async () => {
    const [both, refused] = await oracle.ask([
      { op: 'decode', frames: [png, Uint8Array.of(1, 2, 3)], wantsPixels: true },
      { op: 'build', camera: 'tilted', config: { components: [transformCamera({ pipeline: 'none' })] } },
    ]);
    expect(both).toMatchObject({
      error: null,
      frames: [
        { error: null, widthPx: 2, heightPx: 1 },
        { error: expect.stringContaining('unknown format'), widthPx: 0 },
      ],
    });
    expect(await both!.frames[0]!.pixels()).toEqual(pixels);
    expect(refused).toMatchObject({ error: expect.stringContaining('pipeline'), stage: 'attributes', frames: [] });
  });

  it('runs a transform camera over the source camera in its configuration', async () => {
    const source = { name: 'eye', api: 'rdk:component:camera', model: 'rdk:builtin:fake' };
    const pipeline = [{ type: 'crop', attributes: { x_min_px: 1, y_min_px: 0, x_max_px: 2, y_max_px: 1 } }];
    const [answer] = await oracle.ask([
      {
        op: 'transform',
        camera: 'tilted',
        config: { components: [source, transformCamera({ pipeline })] },
        frames: [png],
        wantsPixels: true,
      },
    ]);
    expect(await answer!.frames[0]!.pixels()).toEqual(Uint8Array.of(4, 5, 6, 255));
  });

  it('takes the sample that the bench starts with, whose one step passes frames on, and refuses it without', async () => {
    const camerasOf = (text: string) => ({ components: (JSON.parse(text) as { components: unknown }).components });
    const config = camerasOf(sampleConfigText);
    const camera = 'tuned-camera';
    const [built, ran, refused] = await oracle.ask([
      { op: 'build', camera, config },
      { op: 'transform', camera, config, frames: [png], wantsPixels: true },
      { op: 'build', camera, config: camerasOf(sampleConfigText.replace('{ "type": "" }', '')) },
    ]);
    expect(built).toMatchObject({ error: null });
    expect(await ran!.frames[0]!.pixels()).toEqual(pixels);
    expect(refused).toMatchObject({ error: expect.stringContaining('pipeline') });
  });
});

function transformCamera(attributes: object) {
  return {
    name: 'tilted',
    api: 'rdk:component:camera',
    model: 'rdk:builtin:transform',
    attributes: { source: 'eye', ...attributes },
  };
}
