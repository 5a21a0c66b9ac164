import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

// Installs a tarball of `npm pack` in an empty folder and uses its command as a stranger would, on the Node that runs this:
// `node scripts/try-package.ts sightglass-0.1.0.tgz`. It needs nothing but Node.

const tarball = resolve(process.argv[2] ?? 'sightglass.tgz');
const folder = mkdtempSync(join(tmpdir(), 'sightglass-package-'));
const builtIn = join('node_modules', 'sightglass', 'dist', 'builtin');
const model = join(builtIn, 'models', 'face-detector.onnx');
const labels = join(builtIn, 'models', 'face-detector.labels.txt');
const picture = join(builtIn, 'frames', 'sample1.jpg');

const camera = { name: 'cam', api: 'rdk:component:camera', model: 'webcam', attributes: {} };
const half = {
  name: 'half',
  api: 'rdk:component:camera',
  model: 'transform',
  attributes: { source: 'cam', pipeline: [{ type: 'resize', attributes: { width_px: 320, height_px: 240 } }] },
};
const service = (attributes: object): object => ({
  name: 'faces',
  api: 'rdk:service:vision',
  model: 'mlmodel',
  attributes: { mlmodel_name: 'm', camera_name: 'cam', ...attributes },
});
const modelService = { name: 'm', api: 'rdk:service:mlmodel', model: 'viam:mlmodel:onnx', attributes: {} };
const normalized = { mean_value: [127.5, 127.5, 127.5], std_dev: [127.5, 127.5, 127.5] };
const config = (attributes: object): string =>
  JSON.stringify({ components: [camera, half], services: [modelService, service(attributes)] });

interface Trial {
  readonly args: readonly string[];
  readonly exitCode: number;
  /** what it prints, to stdout or stderr */
  readonly says: RegExp;
}

const seen = ['--config', 'machine.json', '--vision', 'faces', '--model', model, '--labels', labels];
const trials: readonly Trial[] = [
  { args: ['--help'], exitCode: 0, says: /^Usage: sightglass/m },
  { args: ['lint', 'machine.json'], exitCode: 0, says: /0 of them errors/ },
  { args: ['lint', 'wrong.json'], exitCode: 1, says: /default_minimum_confidence/ },
  { args: ['detect', ...seen, picture], exitCode: 0, says: /"label":"face"/ },
  {
    args: ['transform', '--config', 'machine.json', '--camera', 'half', '--out', 'out', picture],
    exitCode: 0,
    says: /"width":320/,
  },
  { args: ['fit', model, '--out', 'fitted.onnx'], exitCode: 1, says: /already-fits/ },
  { args: ['parity', '--machine', 'http://127.0.0.1:9', '--vision', 'faces'], exitCode: 1, says: /127\.0\.0\.1:9/ },
  { args: ['keys', 'create', 'robot', '--data', 'data'], exitCode: 0, says: /robot/ },
  { args: ['check', '--data', 'data'], exitCode: 0, says: /./ },
  { args: ['backup', 'copy', '--data', 'data'], exitCode: 0, says: /./ },
  { args: ['nonsense'], exitCode: 2, says: /nonsense/ },
];

const shell = process.platform === 'win32';
let failed = false;

function tell(isGood: boolean, words: string, said = ''): void {
  console.log(`${isGood ? 'ok    ' : 'FAILED'} ${words}`);
  if (isGood) return;
  failed = true;
  console.error(said);
}

function run(command: string, args: readonly string[]): { readonly exitCode: number | null; readonly said: string } {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, encoding: 'utf8', shell });
  return { exitCode: status, said: `${stdout}${stderr}` };
}

/** Whether `sightglass serve` gives the page and its documentation, and ends with 0 when it is told to. */
async function tryServing(): Promise<void> {
  const bin = join(folder, 'node_modules', 'sightglass', 'bin', 'sightglass.js');
  const server = spawn(process.execPath, [bin, 'serve', '--data', 'data', '--port', '0'], { cwd: folder });
  let said = '';
  const ended = new Promise<number | null>((over) => server.once('exit', over));
  const origin = new Promise<string | undefined>((found) => {
    for (const stream of [server.stdout, server.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text;
        const at = /^Sightglass serves .* at (http:.*:\d+\/)$/m.exec(said)?.[1];
        if (at) found(at);
      });
    void ended.then(() => found(undefined));
  });
  const at = await origin;
  const textOf = async (path: string): Promise<string> => (at ? (await fetch(`${at}${path}`)).text() : '');
  const page = await textOf('');
  const docs = await textOf('docs/recipes/robot-ci.html');
  server.kill('SIGTERM');
  const exitCode = await ended;
  tell(
    page.includes('<title>Sightglass') && docs.includes('npx sightglass lint') && exitCode === 0,
    `serve (${at ?? 'did not listen'}, ended with ${exitCode})`,
    said,
  );
}

try {
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  writeFileSync(join(folder, 'machine.json'), config(normalized));
  writeFileSync(join(folder, 'wrong.json'), config({ default_minimum_confidence: 'half' }));
  const installed = run('npm', ['install', '--no-audit', '--no-fund', tarball]);
  tell(installed.exitCode === 0, `npm install on Node ${process.version}`, installed.said);
  await tryServing();
  for (const { args, exitCode, says } of trials) {
    const answer = run('npx', ['--no-install', 'sightglass', ...args]);
    tell(answer.exitCode === exitCode && says.test(answer.said), `sightglass ${args.join(' ')}`, answer.said);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);
