import { describe, expect, it } from 'vitest';
import { cliFolder, run } from '../../../tests/cli-folder.ts';

const { at, machineOf } = cliFolder();

describe('a configuration that the machine does not take', () => {
  const argv = (...more: string[]) => [
    'detect',
    '--config',
    at('one.json'),
    '--vision',
    'v',
    '--model',
    at('fixed.onnx'),
    ...more,
    at('a.png'),
  ];
  const webcam = { name: 'web', api: 'rdk:component:camera', model: 'webcam', attributes: {} };

  it.each([[[]], [['--strict']]])('is refused as a whole for one badly typed attribute (%j)', async (flags) => {
    await machineOf({}, {}, { components: [{ ...webcam, attributes: { width_px: '640' } }] });
    await expect(run(argv(...flags))).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringMatching(/whole configuration.*"web".*width_px.*--no-strict/),
    });
  });

  it('runs the rest of it with --no-strict', async () => {
    await machineOf({}, {}, { components: [{ ...webcam, attributes: { width_px: '640' } }] });
    const { code, said } = await run(argv('--no-strict'));
    expect(code).toBe(0);
    expect(said[0]).toMatch(/^The machine refuses this whole configuration/);
  });

  it('has no service whose camera is missing; a part of one may', async () => {
    await machineOf({ camera_name: 'zz' }, {}, { components: [webcam] });
    await expect(run(argv('--no-strict'))).rejects.toMatchObject({
      code: 'no-such-camera',
      message: expect.stringContaining('could not find camera "zz"'),
    });
    await machineOf({ camera_name: 'zz' }, {});
    const { code, said } = await run(argv());
    expect(code).toBe(0);
    expect(said[0]).toMatch(/"zz" is not a camera of this text.*because the text shows no components/);
  });
});
