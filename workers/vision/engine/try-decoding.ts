import { decodedRows } from '../../../src/models/fit/interpretations/decoded-rows.ts';
import { judgeBoxes } from '../../../src/models/fit/interpretations/judge-boxes.ts';
import { withoutMargin } from '../../../src/models/fit/interpretations/letterbox-kernel.ts';
import type { Frame } from '../../../src/machine/vision/face/frames.ts';
import type { PipelinePorts } from '../../../src/machine/vision/face/runs.ts';
import type { Inference } from '../../../src/machine/vision/face/results.ts';
import type { VisionService } from '../../../src/machine/vision/face/filters.ts';
import type { ThreadedRuntime } from '../../inference/client.ts';
import type { DecodingTrial, TriedDecoding } from '../protocol.ts';
import { boxesOf, inferFed } from './find-interpretations.ts';

/**
 * Reads a model's outputs for a frame in one way after the other: the model runs once for all decodings with the
 * same feeding.
 */
export class DecodingTrials {
  readonly #runtime: Pick<ThreadedRuntime, 'open'>;
  #last: {
    readonly frame: Frame;
    readonly service: VisionService;
    readonly fed: string;
    readonly run: Inference;
  } | null = null;

  constructor(runtime: Pick<ThreadedRuntime, 'open'>) {
    this.#runtime = runtime;
  }

  /** @throws InferenceError; the signal's reason when it aborts, of which a run that has begun takes no notice */
  async read(
    { decoding, reads, input, labels, widthPx, heightPx }: DecodingTrial,
    frame: Frame,
    service: VisionService,
    ports: PipelinePorts,
    signal: AbortSignal,
  ): Promise<Omit<TriedDecoding, 'picture'>> {
    signal.throwIfAborted();
    const sized = { ...service, input: { ...service.input, widthPx, heightPx } };
    const fed = JSON.stringify([input, widthPx, heightPx]);
    const isLast = this.#last?.frame === frame && this.#last.service === service && this.#last.fed === fed;
    const run = isLast ? this.#last!.run : await inferFed(frame, sized, input, ports);
    this.#last = { frame, service, fed, run };
    signal.throwIfAborted();
    const session = await this.#runtime.open(decoding, 'wasm');
    try {
      const feeds = Object.fromEntries(reads.map((name, at) => [`output ${at}`, run.outputs.get(name)!]));
      const outputs = await session.run(feeds);
      const rows = decodedRows(new Map(Object.entries(outputs)), run)!;
      const onFrame = input.fit === 'letterbox' ? withoutMargin(rows, frame, { widthPx, heightPx }) : rows;
      const labelOf = (category: number) => labels?.[category] ?? String(category);
      return { boxes: boxesOf(onFrame, { labels }), verdict: judgeBoxes(onFrame, labelOf) };
    } finally {
      await session.release();
    }
  }
}
