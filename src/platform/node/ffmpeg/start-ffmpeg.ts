import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

/** FFmpeg is missing, or it cannot do what it is asked with this file. */
export class FfmpegError extends Error {
  override readonly name = 'FfmpegError';
  readonly code: 'no-ffmpeg' | 'bad-video' | 'not-encoded';
  constructor(code: FfmpegError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

export interface RunningFfmpeg {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Resolves to the exit code once all its output was read; null: a signal ended it. */
  readonly ended: Promise<number | null>;
  /** Ends it now. Resolves when it has. */
  kill(): Promise<void>;
}

/**
 * Starts the `ffmpeg` of the PATH. It is in a process group of its own: Ctrl+C reaches whoever started it, which decides.
 * @param args what stands behind its name
 * @param onLine receives each line of its stderr
 * @throws FfmpegError no-ffmpeg, which says how to get it
 */
export async function startFfmpeg(args: readonly string[], onLine: (line: string) => void): Promise<RunningFfmpeg> {
  const child: ChildProcessByStdio<Writable, Readable, Readable> = spawn(
    'ffmpeg',
    ['-hide_banner', '-nostats', '-loglevel', 'repeat+level+info', ...args],
    { stdio: 'pipe', detached: process.platform !== 'win32' },
  );
  const started = new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (cause: NodeJS.ErrnoException) => reject(notStarted(cause)));
  });
  let rest = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split(/\r?\n|\r/);
    rest = lines.pop()!;
    for (const line of lines) onLine(line);
  });
  child.stdin.on('error', () => {}); // ffmpeg ended early: its exit code and its last words say why
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', (code) => {
      if (rest !== '') onLine(rest);
      resolve(code);
    });
  });
  await started;
  return {
    stdin: child.stdin,
    stdout: child.stdout,
    ended,
    async kill() {
      child.kill('SIGKILL');
      child.stdout.resume();
      await ended;
    },
  };
}

function notStarted(cause: NodeJS.ErrnoException): FfmpegError {
  const why = cause.code === 'ENOENT' ? 'no program of that name is in the PATH' : cause.message;
  return new FfmpegError(
    'no-ffmpeg',
    `Video needs ffmpeg, and it cannot be started: ${why}. Install it (Debian and Ubuntu: apt install ffmpeg; macOS: ` +
      'brew install ffmpeg; Windows: winget install ffmpeg), or give the frames as pictures of a folder by --frames DIR.',
    { cause },
  );
}

/** What ffmpeg prints on stdout. @throws FfmpegError no-ffmpeg */
export async function outputOf(args: readonly string[]): Promise<string> {
  const ffmpeg = await startFfmpeg(args, () => {});
  ffmpeg.stdin.end();
  let text = '';
  for await (const chunk of ffmpeg.stdout.setEncoding('utf8') as AsyncIterable<string>) text += chunk;
  return text;
}

/**
 * The option by which frames are neither doubled nor left out, whatever their distance in time: newer versions of ffmpeg
 * (from 5.1) have another name for it than those before.
 * @throws FfmpegError no-ffmpeg
 */
export async function passThroughOption(): Promise<readonly [string, string]> {
  const [, major, minor] = /^ffmpeg version n?(\d+)\.(\d+)/.exec(await outputOf(['-version'])) ?? [];
  const isOld = major !== undefined && (Number(major) < 5 || (major === '5' && minor === '0'));
  return [isOld ? '-vsync' : '-fps_mode', 'passthrough'];
}
