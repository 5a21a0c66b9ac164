import { encode } from 'fast-png';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseMachineConfig } from '../../src/machine/config/parse/parse-machine-config.ts';
import { createMachine } from '../../src/machine/vision/machine.ts';
import { overlayFace } from '../../src/machine/vision/overlay/overlay-face.ts';
import { fixedSession, float32, imageInput } from '../fixed-session.ts';
import { fixedClassifier, fixedDetector } from '../models.ts';
import { randomFrame, randomSource } from '../random-frame.ts';
import { hasOracleModels, openOracle, type Oracle, type OracleQuestion } from './oracle.ts';

const seed = Number(process.env['ORACLE_SEED'] ?? 9);
const pictures = 150;
const fontPath = new URL('../../public/fonts/Go-Regular.ttf', import.meta.url);

describe.skipIf(!hasOracleModels())(
  'overlays as the machine draws them (skipped without ../shared/machine-oracle)',
  () => {
    let oracle: Oracle;
    let folder: string;
    beforeAll(async () => {
      oracle = await openOracle();
      folder = await mkdtemp(join(tmpdir(), 'sightglass-overlay-'));
    });
    afterAll(async () => {
      await oracle.close();
      await rm(folder, { recursive: true });
    });

    it(`are equal in every pixel, seed ${seed}`, async () => {
      const random = randomSource(seed);
      const font = overlayFace(new Uint8Array(await readFile(fontPath)).buffer);
      const drawings = Array.from({ length: pictures }, (_, i) => drawing(random, i));
      const questions = await Promise.all(
        drawings.map(async ({ model, labels, config, frame }, i): Promise<OracleQuestion> => {
          const [modelPath, labelPath] = [join(folder, `${i}.onnx`), join(folder, `${i}.txt`)];
          await writeFile(modelPath, model);
          await writeFile(labelPath, labels.join('\n'));
          return {
            op: 'transform',
            camera: 'drawn',
            config,
            models: { vision: modelPath },
            modelLabels: labelPath,
            frames: [encode({ width: frame.widthPx, height: frame.heightPx, data: frame.samples, channels: 4 })],
            wantsPixels: true,
          };
        }),
      );
      const answers = await oracle.ask(questions);
      const tally = { equal: 0, differs: 0, 'both refuse': 0 };
      const differing: string[] = [];
      for (const [i, { session, labels, config, frame, what }] of drawings.entries()) {
        const machine = createMachine(
          parseMachineConfig(JSON.stringify(config)).config,
          { vision: { session, labels } },
          { font, frameOf: () => Promise.resolve(frame) },
        );
        const ours = await machine.frameFromCamera('drawn').catch((error: unknown) => error as Error);
        const theirs = answers[i]!.frames[0] ?? answers[i]!;
        if (ours instanceof Error || theirs.error !== null) {
          if (ours instanceof Error && theirs.error !== null) tally['both refuse']++;
          else differing.push(`${i} ${what}: ${ours instanceof Error ? ours.message : ''} / ${theirs.error}`);
        } else {
          const wrong = differences(ours.samples, await answers[i]!.frames[0]!.pixels());
          if (wrong === 0) tally.equal++;
          else differing.push(`${i} ${what}: ${wrong} samples`);
        }
      }
      tally.differs = differing.length;
      console.info(`overlays, seed ${seed}:`, tally);
      expect(differing).toEqual([]);
      expect(tally.equal).toBeGreaterThan(100);
    });
  },
);

/** Counts differences. The oracle's samples have premultiplied alpha, like all colours of Go's image package. */
function differences(straight: ArrayLike<number>, premultiplied: Uint8Array): number {
  let count = straight.length === premultiplied.length ? 0 : Infinity;
  for (let i = 0; i < straight.length; i++) {
    const alpha = straight[i | 3]!;
    const expected = i % 4 === 3 ? alpha : Math.floor((straight[i]! * 257 * alpha) / 255) >> 8;
    if (expected !== premultiplied[i]) count++;
  }
  return count;
}

const words = [
  'cat',
  'traffic light',
  'Ærøskøbing',
  '日本',
  'e\u0301',
  '👀',
  ' ',
  '  two',
  'x\u00a0y',
  'a\u0085b',
  'WWWWWWWWWWWW',
  '%s',
  'ﬁ',
  'VIAM_UNKNOWN',
  'AVATAR To.',
  '\t|',
];

function drawing(random: () => number, index: number) {
  const upTo = (n: number) => Math.floor(random() * (n + 1));
  const [widthPx, heightPx] = index % 5 === 0 ? [1 + upTo(30), 1 + upTo(30)] : [1 + upTo(400), 1 + upTo(200)];
  const frame = randomFrame(random, 'rgba8', widthPx, heightPx, index % 4 === 0 ? 'mixed' : 'opaque');
  const labels = Array.from({ length: 5 }, () => {
    const label = Array.from({ length: 1 + upTo(3) }, () => words[upTo(words.length - 1)]).join(upTo(1) ? ' ' : '');
    return label.trim() === '' ? 'blank' : label;
  });
  const scores = labels.map(() => Math.fround(random()));
  const categories = labels.map((_, i) => i);
  const boxes = labels.map(() => {
    const [x, y] = [upTo(widthPx), upTo(heightPx)];
    const [right, bottom] = [x + upTo(widthPx - x), y + upTo(heightPx - y)];
    return upTo(5) === 0 ? [0, 0, 1, 1] : [y / heightPx, x / widthPx, bottom / heightPx, right / widthPx];
  });
  const input = imageInput([1, 4, 4, 3], 'float32');
  const tiny = { heightPx: 4, widthPx: 4 };
  const kind = (['detections', 'classifications', 'crop'] as const)[index % 3]!;
  const classifies = kind === 'classifications';
  const step = {
    detections: { detector_name: 'vision', confidence_threshold: 0 },
    classifications: { classifier_name: 'vision', confidence_threshold: 0, max_classifications: 1 + upTo(4) },
    crop: {
      x_min_px: upTo(5),
      y_min_px: upTo(5),
      x_max_px: 6 + upTo(widthPx),
      y_max_px: 6 + upTo(heightPx),
      overlay_crop_box: true,
    },
  }[kind];
  return {
    what: `${kind} on ${widthPx}×${heightPx}, ${JSON.stringify(labels)}`,
    frame,
    labels,
    model: classifies
      ? fixedClassifier({ input: tiny, scores })
      : fixedDetector({ input: tiny, boxes, categories, scores }),
    session: fixedSession(
      input,
      classifies
        ? { probability: float32([1, 5], scores) }
        : {
            location: float32([1, 5, 4], boxes.flat()),
            category: float32([1, 5], categories),
            score: float32([1, 5], scores),
          },
    ),
    config: {
      components: [
        { name: 'eye', api: 'rdk:component:camera', model: 'test:camera:eye' },
        {
          name: 'drawn',
          api: 'rdk:component:camera',
          model: 'rdk:builtin:transform',
          attributes: { source: 'eye', pipeline: [{ type: kind, attributes: step }] },
        },
      ],
      services: [
        { name: 'model', api: 'rdk:service:mlmodel', model: 'test:mlmodel:onnx' },
        {
          name: 'vision',
          api: 'rdk:service:vision',
          model: 'rdk:builtin:mlmodel',
          attributes: { mlmodel_name: 'model' },
        },
      ],
    },
  };
}
