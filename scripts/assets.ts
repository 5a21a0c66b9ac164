import { createHash } from 'node:crypto';
import { copyFile, glob, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { buildKernel } from './build-kernel.ts';
import { buildLicences } from './licences/build-licences.ts';
import type { PackedPicture } from './models/read-photograph.ts';

// What is made before the app is: the built-in models and sample photographs of public/builtin, from assets, and the pixel kernel.
// Unchanged inputs cost one hash of about 8 MB; the heavy imports stay out of that path.

const root = resolve(import.meta.dirname, '..');
const outDir = join(root, 'public/builtin');
const rawModel = join(root, 'assets/blazeface/face_detection_back_256x256_barracuda.onnx');
const rawObjectDetector = join(root, 'assets/nanodet/nanodet-g-416.onnx');
const objectLabels = join(root, 'assets/nanodet/nanodet-g-416.labels.txt');
const photographs = [1, 2, 3, 4, 5, 6].map((n) => join(root, `assets/photographs/sample${n}.jpg`));
const things = ['room', 'desk', 'coffee', 'dogs', 'cat', 'astronaut'].map((n) => join(root, `assets/things/${n}.jpg`));
/** Each goes out beside what it is for. */
const licences = {
  models: join(root, 'assets/blazeface/LICENSE'),
  frames: join(root, 'assets/photographs/LICENSE'),
  things: join(root, 'assets/things/LICENSE'),
};
const objectDetectorLicence = join(root, 'assets/nanodet/LICENSE');

interface BuiltinFrame {
  readonly name: string;
  readonly file: string;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly byteLength: number;
}

interface BuiltinIndex {
  /** SHA-256 over all inputs and the scripts that read them */
  readonly builtFrom: string;
  readonly models: readonly {
    readonly id: string;
    /** paths are relative to the index */
    readonly file: string;
    readonly labelsFile: string;
    readonly labels: readonly string[];
    readonly byteLength: number;
    readonly sha256: string;
  }[];
  /** photographs of faces */
  readonly frames: readonly BuiltinFrame[];
  /** photographs of what the object detector finds */
  readonly things: readonly BuiltinFrame[];
  readonly attribution: readonly Record<string, string>[];
}

const builtFrom = await hashInputs();
if (!(await isFresh(builtFrom))) await buildAssets(builtFrom);
await buildKernel();
await buildLicences(root, outDir);

async function hashInputs(): Promise<string> {
  const sources = [
    'scripts/{assets,build-models}.ts',
    'scripts/models/*.ts',
    'src/models/{onnx,fit}/**/!(*.test).ts',
    'src/platform/decode/jpeg.ts',
    'src/machine/vision/jpeg/!(*.test).ts',
    'src/machine/vision/inference/stated-feeding.ts',
    'src/machine/vision/preprocess/normalizations.ts',
  ];
  const files: string[] = [];
  for await (const file of glob([...sources, 'src/gen/*.ts', 'ATTRIBUTION.md'], { cwd: root })) files.push(file);
  const hash = createHash('sha256');
  const inputs = [
    rawModel,
    rawObjectDetector,
    objectLabels,
    objectDetectorLicence,
    ...photographs,
    ...things,
    ...Object.values(licences),
    ...files.sort().map((name) => join(root, name)),
  ];
  for (const file of inputs) {
    hash.update(`${basename(file)}\0`).update(await readFile(file));
  }
  return hash.digest('hex');
}

async function isFresh(expected: string): Promise<boolean> {
  try {
    const index = JSON.parse(await readFile(join(outDir, 'index.json'), 'utf8')) as BuiltinIndex;
    const sizes = [...index.models, ...index.frames, ...index.things].map(
      async ({ file, byteLength }) => (await stat(join(outDir, file))).size === byteLength,
    );
    return index.builtFrom === expected && (await Promise.all(sizes)).every(Boolean);
  } catch {
    return false; // nothing built yet, or half of it
  }
}

async function buildAssets(inputs: string): Promise<void> {
  const { buildModels, buildObjectDetector } = await import('./build-models.ts');
  const { readPhotograph } = await import('./models/read-photograph.ts');
  console.log('Building the built-in models and checking them against the raw one …');

  const pictures = await Promise.all(photographs.map(readPhotograph));
  const copied = async (files: readonly string[], sizes: readonly PackedPicture[], folder: string) => {
    await mkdir(join(outDir, folder), { recursive: true });
    return Promise.all(
      files.map(async (photograph, i) => {
        const name = basename(photograph);
        const file = `${folder}/${name}`;
        await copyFile(photograph, join(outDir, file));
        const { widthPx, heightPx } = sizes[i]!;
        return { name, file, widthPx, heightPx, byteLength: (await stat(photograph)).size };
      }),
    );
  };
  const index = {
    frames: await copied(photographs, pictures, 'frames'),
    things: await copied(things, await Promise.all(things.map(readPhotograph)), 'things'),
  };
  const labels = (await readFile(objectLabels, 'utf8')).trim().split('\n');
  const built = [
    ...(await buildModels(await readFile(rawModel), pictures, join(outDir, 'models'))),
    await buildObjectDetector(await readFile(rawObjectDetector), labels, join(outDir, 'models')),
  ];
  const models = await Promise.all(
    built.map(async ({ id, labels }) => {
      const file = `models/${id}.onnx`;
      const bytes = await readFile(join(outDir, file));
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      return { id, file, labelsFile: `models/${id}.labels.txt`, labels, byteLength: bytes.length, sha256 };
    }),
  );
  for (const [folder, licence] of Object.entries(licences)) await copyFile(licence, join(outDir, folder, 'LICENSE'));
  await copyFile(objectDetectorLicence, join(outDir, 'models/LICENSE-object-detector'));
  // Written last: its presence says that everything else is complete.
  const whole: BuiltinIndex = { builtFrom: inputs, models, ...index, attribution: await readAttribution() };
  await writeFile(join(outDir, 'index.json'), `${JSON.stringify(whole, null, 2)}\n`);
}

/** The table of ATTRIBUTION.md, a row an object keyed by the table's own headings: the app shows what the file says. */
async function readAttribution(): Promise<Record<string, string>[]> {
  const text = await readFile(join(root, 'ATTRIBUTION.md'), 'utf8');
  const rows = text.split('\n').filter((line) => line.startsWith('|'));
  const [headings = [], , ...entries] = rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  return entries.map((cells) => Object.fromEntries(headings.map((heading, i) => [heading, cells[i] ?? ''])));
}
