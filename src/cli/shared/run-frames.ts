import { readFrameFile } from '../../platform/node/frame-file.ts';
import type { Frame } from '../../machine/vision/face/frames.ts';
import { reportOf } from '../record/cli-error.ts';

/** Where a command's words go. */
export interface Terminal {
  /** one line of JSON on stdout */
  print(value: object): void;
  /** a line on stderr */
  say(text: string): void;
}

/**
 * Does one thing to each frame file in turn and prints one object for each. A bad frame becomes an error object, and the others are still done.
 * Returns the exit code.
 */
export async function runFrames(
  paths: readonly string[],
  terminal: Terminal,
  handle: (frame: Frame, path: string, index: number) => Promise<object>,
): Promise<0 | 1> {
  let failed = 0;
  for (const [index, path] of paths.entries()) {
    try {
      terminal.print({ frame: path, ...(await handle(await readFrameFile(path), path, index)) });
    } catch (error) {
      failed++;
      terminal.print({ frame: path, error: reportOf(error) });
    }
    terminal.say(`${index + 1}/${paths.length} ${path}`);
  }
  if (failed > 0) terminal.say(`${failed} of ${paths.length} frames failed.`);
  return failed > 0 ? 1 : 0;
}
