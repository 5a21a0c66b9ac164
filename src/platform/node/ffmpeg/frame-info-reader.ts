/** What ffmpeg's filter `showinfo` says of a frame. */
export interface FrameInfo {
  /** null: the file gives this frame no time */
  readonly timeMs: number | null;
  readonly widthPx: number;
  readonly heightPx: number;
  /** the format's name as the decoder gives it */
  readonly pixelFormat: string;
  /** ffmpeg's names of a matrix ("smpte170m") and a range ("tv", "pc"); "unknown": the file does not say */
  readonly matrix: string;
  readonly range: string;
}

const logLine = /^(?:\[(?<component>[^\]@]+?) @ [^\]]+\] )?\[(?<level>[a-z]+)\] (?<text>.*)$/;
const frameLine = /^n: *\d+ pts: *(?<pts>-?\d+|NOPTS) .*\bfmt:(?<format>\w+) .*\bs:(?<width>\d+)x(?<height>\d+) /;
const colourLine = /^color_range:(?<range>\w+) color_space:(?<matrix>\S+)/;
const timeBaseLine = /^config in time_base: (?<numerator>\d+)\/(?<denominator>\d+)/;
const durationLine = /^ *Duration: (?<hours>\d+):(?<minutes>\d+):(?<seconds>\d+(?:\.\d+)?)/;

/** The last errors of a log, for the message of whoever fails. */
export class LastErrors {
  readonly #texts: string[] = [];
  #count = 0;

  /** Reads a line of the log at the level "level+info". */
  read(line: string): void {
    const { level, text } = logLine.exec(line)?.groups ?? {};
    if (text === undefined || !['error', 'fatal', 'panic'].includes(level!)) return;
    this.#count++;
    if (this.#texts.length === 3) this.#texts.shift();
    this.#texts.push(text.trim());
  }

  get count(): number {
    return this.#count;
  }

  get text(): string {
    return this.#texts.join(' ') || 'it does not say why';
  }
}

/** Reads what the log of ffmpeg says of frames, in their order, as it comes. */
export class FrameInfoReader {
  readonly errors = new LastErrors();
  #durationMs: number | null = null;
  #timeBaseMs = 1;
  /** a frame's second line tells its colours */
  #begun: Omit<FrameInfo, 'matrix' | 'range'> | null = null;
  readonly #ready: FrameInfo[] = [];
  #waiting: ((info: FrameInfo | null) => void) | null = null;
  #isOver = false;

  get durationMs(): number | null {
    return this.#durationMs;
  }

  read(line: string): void {
    const { component, text } = logLine.exec(line)?.groups ?? {};
    if (text === undefined) return;
    if (component?.startsWith('Parsed_showinfo')) this.#readInfo(text);
    else this.errors.read(line);
    const duration = durationLine.exec(text)?.groups;
    if (duration && this.#durationMs === null)
      this.#durationMs =
        1000 * (3600 * Number(duration['hours']) + 60 * Number(duration['minutes']) + Number(duration['seconds']));
  }

  /** @returns what is said of the next frame; null: nothing more comes */
  next(): Promise<FrameInfo | null> {
    const info = this.#ready.shift();
    if (info || this.#isOver) return Promise.resolve(info ?? null);
    return new Promise((resolve) => (this.#waiting = resolve));
  }

  /** The log is over. */
  end(): void {
    this.#isOver = true;
    this.#waiting?.(null);
    this.#waiting = null;
  }

  #readInfo(text: string): void {
    const base = timeBaseLine.exec(text)?.groups;
    // For an output without a time base ffmpeg says 0/0.
    if (base && base['denominator'] !== '0')
      this.#timeBaseMs = (1000 * Number(base['numerator'])) / Number(base['denominator']);
    const frame = frameLine.exec(text)?.groups;
    if (frame) {
      const pts = frame['pts'] === 'NOPTS' ? null : Number(frame['pts']);
      this.#begun = {
        timeMs: pts === null ? null : pts * this.#timeBaseMs,
        widthPx: Number(frame['width']),
        heightPx: Number(frame['height']),
        pixelFormat: frame['format']!,
      };
    }
    const colour = colourLine.exec(text)?.groups;
    if (colour && this.#begun) {
      this.#tell({ ...this.#begun, matrix: colour['matrix']!, range: colour['range']! });
      this.#begun = null;
    }
  }

  #tell(info: FrameInfo): void {
    if (this.#waiting) this.#waiting(info);
    else this.#ready.push(info);
    this.#waiting = null;
  }
}
