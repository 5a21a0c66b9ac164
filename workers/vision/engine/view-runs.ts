import { flattening } from '../../../src/fit/interpretations/flatten.ts';
import { letterboxing } from '../../../src/fit/interpretations/letterbox-kernel.ts';
import { mirroring } from '../../../src/fit/interpretations/mirror.ts';
import { moving } from '../../../src/fit/interpretations/move.ts';
import type { Run } from '../../../src/fit/interpretations/rank-interpretations.ts';
import type { InputInterpretation } from '../../../src/fit/interpretations/interpretation.ts';
import type { Views } from '../../../src/fit/solver/evidence.ts';
import type { Feeding } from '../../../src/fit/solver/hypothesis.ts';
import type { Frame } from '../../../src/vision/frame.ts';
import { infer, type PipelinePorts } from '../../../src/vision/pipeline.ts';
import type { Inference } from '../../../src/vision/run-result.ts';
import type { StretchKernel } from '../../../src/vision/preprocess/stretch-kernel.ts';
import { rotate } from '../../../src/vision/transforms/rotate.ts';
import type { VisionService } from '../../../src/vision/vision-service.ts';

const views = { mirrored: mirroring, moved: moving, flat: flattening } as const satisfies Partial<
  Record<keyof Views, (kernel: StretchKernel) => StretchKernel>
>;

/** Runs one frame, fed in different ways and seen in different views. */
export class ViewRuns {
  readonly frame: Frame;
  readonly #service: VisionService;
  readonly #ports: PipelinePorts;

  constructor(frame: Frame, service: VisionService, ports: PipelinePorts) {
    this.frame = frame;
    this.#service = service;
    this.#ports = ports;
  }

  /**
   * Runs the frame itself.
   * @throws InferenceError
   */
  run(feeding: Feeding): Promise<Inference> {
    return this.#infer(feeding, (kernel) => kernel);
  }

  /**
   * Runs another view of the frame; null: the outputs are equal, so the model ignores its input and the view shows
   * nothing.
   */
  async view(view: keyof typeof views, feeding: Feeding, run: Run): Promise<Run | null> {
    const other = await this.#infer(feeding, views[view]);
    return view !== 'flat' && isSame(run, other) ? null : other;
  }

  #infer({ input, turnDegs }: Feeding, show: (kernel: StretchKernel) => StretchKernel): Promise<Inference> {
    const { stretchKernel } = this.#ports;
    const fitted = input.fit === 'letterbox' ? letterboxing(stretchKernel) : stretchKernel;
    const frame = turnDegs === 0 ? this.frame : rotate(this.frame, { angleDegs: turnDegs });
    return infer(frame, withInput(this.#service, input), { ...this.#ports, stretchKernel: show(fitted) });
  }
}

/** The present feeding of a service's model. */
export function inputOf({ input }: VisionService): InputInterpretation {
  return { bgr: input.bgr, meanValue: input.mean, stdDev: input.stdDev, fit: 'stretch' };
}

/** A service that feeds its model as an input's interpretation says. */
function withInput(service: VisionService, { bgr, meanValue, stdDev }: InputInterpretation): VisionService {
  const three = ([a, b, c]: readonly number[]) => [a!, b!, c!] as const;
  return { ...service, input: { ...service.input, bgr, mean: three(meanValue), stdDev: three(stdDev) } };
}

function isSame(run: Run, other: Run): boolean {
  return [...run.outputs].every(([name, { data }]) => {
    const values = other.outputs.get(name)?.data;
    return values?.length === data.length && data.every((value, at) => value === values[at]);
  });
}
