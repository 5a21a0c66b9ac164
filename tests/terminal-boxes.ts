import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { detect } from '../src/cli/detect/detect.ts';
import { writePngFile } from '../src/platform/node/frame-file.ts';
import { openSession } from '../src/platform/node/open-session.ts';
import type { MachineConfig } from '../src/machine/config/parse/machine-config.ts';
import type { Frame } from '../src/machine/vision/frame/frame.ts';
import type { InferenceSession } from '../src/machine/vision/inference/inference-session.ts';
import { createMachine } from '../src/machine/vision/machine.ts';
import type { ModelBytes } from './fed-detectors.ts';

/** The detections of a frame, one text a box; a text: why there are none. */
export type Boxes = readonly string[] | string;

export interface Asked {
  readonly service: string;
  readonly model: ModelBytes;
  /** null: index numbers */
  readonly labels: readonly string[] | null;
}

type Row = { readonly [key in 'label' | 'score' | 'xMin' | 'yMin' | 'xMax' | 'yMax']: string | number };
const rowOf = ({ label, score, xMin, yMin, xMax, yMax }: Row): string =>
  [label, score, xMin, yMin, xMax, yMax].join(' ');
const refusalOf = (error: unknown): string => `refused: ${(error as Error).message.split('\n')[0]}`;

/** Asks one frame's boxes of a configuration's text, by `sightglass detect`, and of a configuration that is parsed. */
export function terminalBoxes(frame: Frame) {
  let folder = '';
  const at = (name: string): string => join(folder, name);
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sightglass-boxes-'));
    await writePngFile(at('frame.png'), frame);
  });
  afterAll(() => rm(folder, { recursive: true }));
  const sessions = new Map<Uint8Array, Promise<InferenceSession>>();
  return {
    async inTerminal(text: string, { service, model, labels }: Asked): Promise<Boxes> {
      await writeFile(at('machine.json'), text);
      await writeFile(at(model.fileName), model.bytes);
      if (labels) await writeFile(at('labels.txt'), labels.join('\n'));
      let printed: { readonly detections?: readonly Row[]; readonly error?: Error } = {};
      const command = {
        name: 'detect',
        configPath: at('machine.json'),
        visionName: service,
        modelPaths: { unnamed: at(model.fileName), byName: {} },
        labelPaths: { unnamed: labels && at('labels.txt'), byName: {} },
        cameraName: null,
        source: null,
        strict: true,
        runtime: 'wasm',
        drawDir: null,
        framePaths: [at('frame.png')],
      } as const;
      try {
        await detect(command, { print: (line) => void (printed = line), say: () => {} });
      } catch (error) {
        return refusalOf(error);
      }
      return printed.detections?.map(rowOf) ?? refusalOf(printed.error);
    },
    async onStage(config: MachineConfig, { service, model, labels }: Asked): Promise<Boxes> {
      const session = sessions.get(model.bytes) ?? openSession(model.bytes);
      sessions.set(model.bytes, session);
      const options = { font: null as never, frameOf: () => Promise.resolve(frame) };
      try {
        const machine = createMachine(config, { [service]: { session: await session, labels } }, options);
        return (await machine.detections(service, frame)).map(rowOf);
      } catch (error) {
        return refusalOf(error);
      }
    },
  };
}
