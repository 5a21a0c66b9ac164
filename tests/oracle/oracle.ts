import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { canUnpack, runs, unpackProgram } from './packed-program.ts';

/**
 * The oracle: a program with the machine's own code, its real `mlmodel` vision service and `transform` camera, that answers
 * questions. It is a test tool outside the repository, so every test that uses it must be skipped if it is missing:
 *
 *     describe.skipIf(!hasOracle)('… as the machine does it (skipped without ../shared/machine-oracle)', () => {
 *       let oracle: Oracle;
 *       beforeAll(async () => (oracle = await openOracle()));
 *       afterAll(() => oracle.close());
 *       it('…', async () => {
 *         const [answer] = await oracle.ask([{ op: 'decode', frames: [bytes], wantsPixels: true }]);
 *         expect(await answer!.frames[0]!.pixels()).toEqual(…);
 *       });
 *     });
 */

const folder = fileURLToPath(new URL('../../../shared/machine-oracle/', import.meta.url));
const archive = join(folder, 'oracle-linux-amd64.xz');

/** Whether the program is available and can run here. */
export const hasOracle = canUnpack(archive);

/** Whether it can also run models for 'detect' and 'classify', with Python's onnxruntime. The check takes a moment. */
export function hasOracleModels(): boolean {
  return hasOracle && runs('python3', '-c', 'import numpy, onnxruntime');
}

export interface OracleQuestion {
  readonly op: 'decode' | 'transform' | 'detect' | 'classify' | 'build';
  /** a machine's configuration, default {}; must also contain the source of a transform camera */
  readonly config?: unknown;
  /** name of the camera; '' for detect and classify: the frame without a camera */
  readonly camera?: string;
  /** name of the vision service */
  readonly vision?: string;
  /** paths or bytes of image files */
  readonly frames?: readonly (string | Uint8Array)[];
  /** the kind of the source camera: of a module (default), or a built-in webcam */
  readonly source?: 'module' | 'webcam';
  /** paths of models by the name of their vision service; needs `hasOracleModels()` */
  readonly models?: Readonly<Record<string, string>>;
  /** path of the label file that the model module reports */
  readonly modelLabels?: string;
  readonly top?: number;
  /** stores the data for `pixels`: each frame (decode, transform), or the input tensor (detect, classify) */
  readonly wantsPixels?: boolean;
}

export interface OracleAnswer {
  /** why no frame was processed, such as a refused configuration; null if frames were processed */
  readonly error: string | null;
  /** where it failed: 'attributes', 'construct', … */
  readonly stage: string | null;
  /** in the given order; empty for 'build'. If one hangs (stage 'hang'), those after it are also reported as hanging. */
  readonly frames: readonly OracleFrame[];
}

export interface OracleFrame {
  readonly error: string | null;
  readonly stage: string | null;
  /** 0 if the frame failed, and for a picture without pixels */
  readonly widthPx: number;
  readonly heightPx: number;
  /** Go type of the picture: '*image.YCbCr', '*image.Gray', '*image.CMYK', … */
  readonly kind: string | null;
  /** detections, whose boxes are xMin, yMin, xMax, yMax, or classifications */
  readonly results: readonly OracleResult[];
  /** whether the service reports its model as a classifier, and as a detector */
  readonly ability: readonly [classifier: boolean, detector: boolean] | null;
  /**
   * For a question with `wantsPixels`: four samples per pixel (R, G, B, A; for a decoded *image.YCbCr: Y, Cb, Cr, 255), or
   * the input tensor's bytes. @throws if the frame failed
   */
  pixels(): Promise<Uint8Array<ArrayBuffer>>;
}

export interface OracleResult {
  readonly label: string;
  readonly score: number;
  readonly box?: readonly [number, number, number, number];
  /** the box as fractions of the frame's size */
  readonly norm?: readonly [number, number, number, number];
}

export interface Oracle {
  /** Runs the program once for all questions. The answers are in the order of the questions. */
  ask(questions: readonly OracleQuestion[]): Promise<OracleAnswer[]>;
  /** Removes the temporary files of frames and pixels. */
  close(): Promise<void>;
}

/** Unpacks the program, once for all tests. `patienceMs`: time limit for one question with all its frames. */
export async function openOracle({ patienceMs = 8000 } = {}): Promise<Oracle> {
  const program = await unpackProgram(archive);
  const scratch = await mkdtemp(join(tmpdir(), 'sightglass-oracle-answers-'));
  let asked = 0;
  return {
    async ask(questions) {
      const place = join(scratch, `${asked++}`);
      await mkdir(place);
      const cases = await Promise.all(questions.map((question, i) => asCase(question, i, place)));
      const runtime = questions.some(({ models }) => models) ? ['-ort', `python3 ${join(folder, 'ortserver.py')}`] : [];
      const lines = await run(program, [...runtime, '-patience', `${patienceMs}ms`], cases);
      return answersOf(questions, lines, place);
    },
    close: () => rm(scratch, { recursive: true }),
  };
}

/** A line of the program's standard output. */
interface OutputLine {
  readonly id: string;
  readonly error?: string;
  readonly stage?: string;
  readonly width?: number;
  readonly height?: number;
  readonly kind?: string;
  readonly results?: readonly OracleResult[];
  readonly ability?: readonly [boolean, boolean];
}

async function asCase(question: OracleQuestion, index: number, place: string): Promise<string> {
  const { config = {}, frames = [], modelLabels, wantsPixels = false, ...rest } = question;
  const paths = frames.map(async (frame, i) => {
    if (typeof frame === 'string') return frame;
    const path = join(place, `${index}-${i}.frame`);
    await writeFile(path, frame);
    return path;
  });
  return JSON.stringify({
    ...rest,
    id: `${index}`,
    config,
    frames: await Promise.all(paths),
    ...(modelLabels !== undefined && { model_labels: modelLabels }),
    ...(wantsPixels && { out: join(place, `${index}.out`) }),
  });
}

function answersOf(questions: readonly OracleQuestion[], lines: readonly OutputLine[], place: string): OracleAnswer[] {
  // A question that failed as a whole has one line, `3`. Otherwise each of its frames has a line: `3#0`, `3#1` …
  const byId = new Map(lines.map((line) => [line.id, line]));
  return questions.map(({ frames = [] }, index) => {
    const whole = byId.get(`${index}`);
    if (whole) return { error: whole.error ?? null, stage: whole.stage ?? null, frames: [] };
    // After a frame that hangs, later frames are not processed.
    const hanging = lines.find(({ id, stage }) => stage === 'hang' && id.startsWith(`${index}#`));
    return {
      error: null,
      stage: null,
      frames: frames.map((_, i) => {
        const line = byId.get(`${index}#${i}`) ?? hanging;
        if (!line) throw new Error(`The oracle said nothing about frame ${i} of question ${index}.`);
        return frameOf(line, join(place, `${index}.out.${i}`));
      }),
    };
  });
}

function frameOf(line: OutputLine, pixelsPath: string): OracleFrame {
  return {
    error: line.error ?? null,
    stage: line.stage ?? null,
    widthPx: line.width ?? 0,
    heightPx: line.height ?? 0,
    kind: line.kind ?? null,
    results: line.results ?? [],
    ability: line.ability ?? null,
    pixels: async () => new Uint8Array(await readFile(pixelsPath)),
  };
}

async function run(program: string, args: readonly string[], cases: readonly string[]): Promise<OutputLine[]> {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  const output: Buffer[] = [];
  let complaints = '';
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => (complaints = `${complaints}${chunk}`.slice(-2000)));
  child.stdin.on('error', () => {}); // the program ended early: its exit code and output give the reason
  child.stdin.end(cases.map((line) => `${line}\n`).join(''));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  if (code !== 0) throw new Error(`The oracle ended with ${code ?? 'a signal'}: ${complaints}`);
  const text = Buffer.concat(output).toString('utf8').trim();
  // Skip other lines: panics are logged between the answers.
  const lines = text.split('\n').filter((line) => line.startsWith('{'));
  return lines.map((line) => JSON.parse(line) as OutputLine);
}
