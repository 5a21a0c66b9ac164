import { numberFromJson, numberToJson } from '../capture/bench-file/raw-results-json.ts';
import type { RawClassifications, RawDetections } from '../../machine/vision/face/results.ts';
import { detectionsAt } from '../../machine/vision/face/filters.ts';
import type { FootageFrame, FootageStage } from './footage-frame.ts';
import type { RunSetup } from './run-setup.ts';

// A run as JSON Lines: the setup, a line a frame in order, and a last line once all frames are there.

/** How many frames a whole run has. */
export interface RunEnd {
  readonly frames: number;
  readonly failed: number;
  /** how many errors a video's decoder met; absent: none */
  readonly decoderErrors?: number;
}

export type RunLine =
  | { readonly kind: 'setup'; readonly setup: RunSetup }
  | { readonly kind: 'frame'; readonly frame: FootageFrame }
  | { readonly kind: 'end'; readonly end: RunEnd };

/** A line that is not a line of a run. */
class RunFileError extends Error {
  override readonly name = 'RunFileError';
  readonly code = 'bad-run-file';
}

const format = 1;

/** @returns the first line of a run, which ends in a line feed as all of them do */
export const setupLine = (setup: RunSetup): string => line({ run: format, ...setup });

/** @returns the last line of a run that is whole */
export const endLine = (end: RunEnd): string => line({ end });

/** @returns a frame's line: all results before the filter, boxes in whole pixels of the frame that the service saw */
export function frameLine(frame: FootageFrame): string {
  const { index, timeMs, name, stages, failure, detections, classifications } = frame;
  return line({
    frame: index,
    timeMs,
    name,
    stages,
    ...(failure && { failure }),
    ...(detections && {
      detections: detectionsAt(detections).map((row) => ({ ...row, score: numberToJson(row.score) })),
      boxSpace: detections.boxSpace,
      droppedNaN: detections.droppedNaN,
    }),
    ...(classifications && {
      classifications: classifications.labels.map((label, at) => ({
        label,
        score: numberToJson(classifications.score[at]!),
      })),
    }),
  });
}

const line = (value: object): string => `${JSON.stringify(value)}\n`;

/** Reads the lines of a run back, each number as it was. All frames share one label table as long as no new label occurs. */
export class RunReader {
  #labels: readonly string[] = [];
  #indexOf = new Map<string, number>();
  #lineNumber = 0;

  /**
   * @param text of the next line, without its line feed
   * @returns what it holds
   * @throws RunFileError that names the line
   */
  read(text: string): RunLine {
    this.#lineNumber++;
    try {
      const value = JSON.parse(text) as Record<string, unknown> | null;
      if (typeof value !== 'object' || value === null) throw new TypeError('it is not an object');
      if ('run' in value) return { kind: 'setup', setup: setupOf(value) };
      if ('end' in value) return { kind: 'end', end: value['end'] as RunEnd };
      return { kind: 'frame', frame: this.#frameOf(value) };
    } catch (cause) {
      if (cause instanceof RunFileError) throw cause;
      throw new RunFileError(`Line ${this.#lineNumber} is not a line of a run: ${(cause as Error).message}.`, {
        cause,
      });
    }
  }

  #frameOf(value: Record<string, unknown>): FootageFrame {
    const { frame: index, timeMs, name, stages, failure, detections, classifications } = value;
    if (typeof index !== 'number' || typeof timeMs !== 'number' || typeof name !== 'string' || !Array.isArray(stages))
      throw new TypeError('frame, timeMs, name or stages is missing');
    const seen = (stages as FootageStage[]).at(-1);
    return {
      index,
      timeMs,
      name,
      stages: stages as FootageStage[],
      failure: (failure as FootageFrame['failure']) ?? null,
      detections: Array.isArray(detections) ? this.#detectionsOf(detections as Row[], seen, value) : null,
      classifications: Array.isArray(classifications) ? this.#classificationsOf(classifications as Row[]) : null,
    };
  }

  #detectionsOf(
    rows: readonly Row[],
    seen: FootageStage | undefined,
    { boxSpace, droppedNaN }: Record<string, unknown>,
  ): RawDetections {
    const labelIndex = Uint32Array.from(rows, ({ label }) => this.#numberOf(label));
    return {
      count: rows.length,
      labels: this.#labels,
      labelIndex,
      score: Float64Array.from(rows, ({ score }) => numberFromJson(score)),
      box: Int32Array.from(rows.flatMap(({ xMin, yMin, xMax, yMax }) => [xMin, yMin, xMax, yMax].map(numberFromJson))),
      frameWidthPx: seen?.widthPx ?? 0,
      frameHeightPx: seen?.heightPx ?? 0,
      boxSpace: boxSpace === 'absolute' ? 'absolute' : 'proportional',
      droppedNaN: typeof droppedNaN === 'number' ? droppedNaN : 0,
    };
  }

  #classLabels: readonly string[] = [];

  #classificationsOf(rows: readonly Row[]): RawClassifications {
    const isSame =
      rows.length === this.#classLabels.length && rows.every(({ label }, at) => label === this.#classLabels[at]);
    if (!isSame) this.#classLabels = rows.map(({ label }) => textOf(label));
    return { labels: this.#classLabels, score: Float64Array.from(rows, ({ score }) => numberFromJson(score)) };
  }

  /** A new label makes a new table: tables that frames have already never change. */
  #numberOf(label: unknown): number {
    const known = this.#indexOf.get(textOf(label));
    if (known !== undefined) return known;
    this.#labels = [...this.#labels, textOf(label)];
    this.#indexOf.set(textOf(label), this.#labels.length - 1);
    return this.#labels.length - 1;
  }
}

type Row = Readonly<Record<'label' | 'score' | 'xMin' | 'yMin' | 'xMax' | 'yMax', unknown>>;

function setupOf({ run, ...setup }: Record<string, unknown>): RunSetup {
  if (run !== format)
    throw new RunFileError(
      `It was written by another version of Sightglass (format ${JSON.stringify(run)}, this one reads ${format}).`,
    );
  if (typeof setup['source'] !== 'object' || typeof setup['choice'] !== 'object' || typeof setup['models'] !== 'object')
    throw new TypeError('source, models or choice is missing');
  return setup as unknown as RunSetup;
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new TypeError(`${JSON.stringify(value)} is not a label`);
}
