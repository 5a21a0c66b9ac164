import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encode } from 'fast-png';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseCommand, type Command } from '../parse-command.ts';
import { parity } from '../../src/cli/parity/parity.ts';
import { openMachineLink } from '../../src/remote/links/machine-link.ts';
import { addRecorder } from '../../src/machine/config/edit/edit-recorder.ts';
import { exportWhole } from '../../src/machine/config/share/export-config.ts';
import { hasMachine, startMachine, type MachineResources } from '../oracle/machine.ts';
import { captureFilesIn, captureParameter, readCaptureFile } from './capture-files.ts';
import { temporaryFolder } from './server-process.ts';
import { imageCamera } from './machine-resources.ts';

/** Grey, with a red, a blue and a green square. */
function picture(): Uint8Array {
  const [width, height] = [160, 120];
  const data = new Uint8Array(3 * width * height).fill(120);
  const squares = [
    [10, 10, [210, 30, 30]],
    [60, 20, [30, 60, 200]],
    [110, 60, [30, 190, 60]],
  ] as const;
  for (const [left, top, color] of squares)
    for (let at = 0; at < 40 * 40; at++) data.set(color, 3 * ((top + Math.floor(at / 40)) * width + left + (at % 40)));
  return encode({ width, height, data, channels: 3 });
}

const detector = (name: string, detect_color: string) => ({
  name,
  api: 'rdk:service:vision',
  model: 'color_detector',
  attributes: { detect_color, hue_tolerance_pct: 0.1, segment_size_px: 100, camera_name: 'cam' },
});

describe.skipIf(!hasMachine)(
  'colour detectors of one camera of a real machine (skipped without ../shared/machine and viam-sdk)',
  () => {
    it('say the same there, each by itself', { timeout: 120_000 }, async () => {
      const folder = await temporaryFolder();
      const framePath = join(folder, 'frame.png');
      await writeFile(framePath, picture());
      const resources = {
        components: [imageCamera('cam', framePath)],
        services: [detector('red', '#d21e1e'), detector('blue', '#1e3cc8'), detector('green', '#1ebe3c')],
      };
      const { signal } = new AbortController();
      const names = resources.services.map(({ name }) => name);
      const machine = await startMachine(resources, (origin) =>
        Promise.all(names.map((name) => openMachineLink(origin, null).visionAbilities(name, signal))),
      );
      onTestFinished(() => machine.close());
      const same = join(folder, 'machine.json');
      await writeFile(same, JSON.stringify(resources));
      const compared = async (vision: string, config = same) => {
        let report: unknown;
        const said: string[] = [];
        const asked = ['--machine', machine.origin, '--vision', vision, '--config', config];
        const command = parseCommand(['parity', ...asked, '--frames=2']);
        const code = await parity(command as Extract<Command, { name: 'parity' }>, {
          print: (value) => (report = value),
          say: (text) => void said.push(text),
        });
        return { code, report, said: said.join('\n') };
      };
      for (const name of names) {
        const { code, report, said } = await compared(name);
        expect([name, code, report], said).toEqual([
          name,
          0,
          expect.objectContaining({ rows: 2, modelFileName: 'none', backend: 'colour detector' }),
        ]);
        expect(said).toContain('2 rows');
      }
      const other = join(folder, 'other.json');
      await writeFile(other, JSON.stringify(resources).replace('"segment_size_px":100', '"segment_size_px":9000'));
      const { code, report, said } = await compared('red', other);
      expect([code, report], said).toEqual([
        1,
        expect.objectContaining({ reasons: [expect.objectContaining({ reason: 'other-color', frames: 2 })] }),
      ]);
    });

    it('are recorded for replay, with the boxes that they find', { timeout: 120_000 }, async () => {
      const folder = await temporaryFolder();
      const framePath = join(folder, 'frame.png');
      await writeFile(framePath, picture());
      const plain = { components: [imageCamera('cam', framePath)], services: [detector('red', '#d21e1e')] };
      const recorder = { name: 'watch', threshold: 0, rateHz: 2, camera: 'cam' };
      const text = exportWhole(addRecorder(JSON.stringify(plain), 'red', recorder)).text;
      const { signal } = new AbortController();
      const machine = await startMachine(JSON.parse(text) as MachineResources, (origin) =>
        openMachineLink(origin, null).visionAbilities('watch', signal),
      );
      onTestFinished(() => machine.close());
      const live = openMachineLink(machine.origin, null);
      const asked = { visionName: 'watch', cameraName: '', abilities: await live.visionAbilities('watch', signal) };
      const { detections } = await live.captureAll(asked, signal);
      expect(detections).toMatchObject([{ label: 'red', score: 1 }]);

      const captures = join(machine.home, '.viam/capture/rdk_service_vision/watch/CaptureAllFromCamera');
      await expect.poll(() => captureFilesIn(captures), { timeout: 30_000 }).not.toEqual([]);
      const [file] = await captureFilesIn(captures);
      const { metadata, data } = await readCaptureFile(join(captures, file!));
      expect(captureParameter(metadata.methodParameters, 'recorder_of')).toBe('red');
      const [{ xMin, yMin, xMax, yMax }] = detections as readonly [NonNullable<typeof detections>[number]];
      const [box, ...others] = data[0]!.metadata!.annotations!.bboxes;
      expect(others).toEqual([]);
      expect(box).toMatchObject({ label: 'red', confidence: 1 });
      const shares = [
        box!.xMinNormalized * 160,
        box!.yMinNormalized * 120,
        box!.xMaxNormalized * 160,
        box!.yMaxNormalized * 120,
      ];
      expect(shares.map(Math.round)).toEqual([xMin, yMin, xMax, yMax]);
    });
  },
);
