import { createReadStream } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import type { FootageFrame } from '../../../evidence/footage/footage-frame.ts';
import {
  endLine,
  frameLine,
  RunReader,
  setupLine,
  type RunEnd,
  type RunLine,
} from '../../../evidence/footage/run-lines.ts';
import { whyAnotherRun, type RunSetup } from '../../../evidence/footage/run-setup.ts';
import { CliError } from '../../record/cli-error.ts';

/** What of a run is in its file. */
export interface RecordedSpan {
  /** number of the last frame; -1: there is none yet */
  readonly lastIndex: number;
  readonly firstMs: number;
  readonly lastMs: number;
  readonly frames: number;
  readonly failed: number;
}

/** The results of a run in a file, a line a frame. What was written once is there after any interruption, and nothing else. */
export class RunRecord {
  readonly path: string;
  readonly #file: FileHandle;
  #span: RecordedSpan;
  /** null: frames are missing */
  #end: RunEnd | null;

  private constructor(path: string, file: FileHandle, span: RecordedSpan, end: RunEnd | null) {
    this.path = path;
    this.#file = file;
    this.#span = span;
    this.#end = end;
  }

  /**
   * Opens the record of a run that goes on, or begins a new one. A last line that was cut off is no frame: it is removed.
   * @throws CliError another-run where the file has results of other frames, models or settings; RunFileError
   */
  static async open(path: string, setup: RunSetup): Promise<RunRecord> {
    const file = await open(path, 'a+');
    try {
      let span: RecordedSpan = { lastIndex: -1, firstMs: 0, lastMs: 0, frames: 0, failed: 0 };
      let [isBegun, endBytes] = [false, 0];
      let end: RunEnd | null = null;
      for await (const { line, endByte } of linesOf(path)) {
        endBytes = endByte;
        if (line.kind === 'setup') {
          isBegun = true;
          refuseAnother(path, line.setup, setup);
        } else if (line.kind === 'frame') span = spanWith(span, line.frame);
        else end = line.end;
      }
      if ((await file.stat()).size > endBytes) await file.truncate(endBytes);
      if (!isBegun) await file.appendFile(setupLine(setup));
      return new RunRecord(path, file, span, end);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  get span(): RecordedSpan {
    return this.#span;
  }

  /** Whether every frame of the run is there. */
  get isWhole(): boolean {
    return this.#end !== null;
  }

  /** How many errors the decoder met when all frames were run. */
  get decoderErrors(): number {
    return this.#end?.decoderErrors ?? 0;
  }

  async add(frame: FootageFrame): Promise<void> {
    await this.#file.appendFile(frameLine(frame));
    this.#span = spanWith(this.#span, frame);
  }

  /** Notes that the last frame was the last of the footage. */
  async finish(decoderErrors: number): Promise<void> {
    const { frames, failed } = this.#span;
    const end = { frames, failed, ...(decoderErrors > 0 && { decoderErrors }) };
    await this.#file.appendFile(endLine(end));
    this.#end = end;
  }

  /** The frames from the first on, read one by one. */
  async *frames(): AsyncGenerator<FootageFrame> {
    for await (const { line } of linesOf(this.path)) if (line.kind === 'frame') yield line.frame;
  }

  /** Resolves when all of it is on the disk. */
  async close(): Promise<void> {
    await this.#file.sync();
    await this.#file.close();
  }
}

function spanWith({ frames, failed, firstMs }: RecordedSpan, { index, timeMs, failure }: FootageFrame): RecordedSpan {
  return {
    lastIndex: index,
    firstMs: frames === 0 ? timeMs : firstMs,
    lastMs: timeMs,
    frames: frames + 1,
    failed: failed + (failure ? 1 : 0),
  };
}

function refuseAnother(path: string, before: RunSetup, setup: RunSetup): void {
  const why = whyAnotherRun(before, setup);
  if (why === null) return;
  throw new CliError(
    'another-run',
    `"${path}" has results that this run cannot go on from, because ${why}. Give another --out, or delete that file.`,
  );
}

/** Whole lines only: one that lacks its line feed was cut off while it was written. */
async function* linesOf(path: string): AsyncGenerator<{ readonly line: RunLine; readonly endByte: number }> {
  const reader = new RunReader();
  let rest: Uint8Array[] = [];
  let endByte = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let at = chunk.indexOf(0x0a); at >= 0; at = chunk.indexOf(0x0a, from)) {
      const bytes = Buffer.concat([...rest, chunk.subarray(from, at)]);
      rest = [];
      from = at + 1;
      endByte += bytes.length + 1;
      yield { line: reader.read(bytes.toString()), endByte };
    }
    if (from < chunk.length) rest.push(chunk.subarray(from));
  }
}
