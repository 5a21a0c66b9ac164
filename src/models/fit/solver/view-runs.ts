import { flattening } from '../interpretations/flatten.ts';
import { letterboxing } from '../interpretations/letterbox-kernel.ts';
import { mirroring } from '../interpretations/mirror.ts';
import { moving } from '../interpretations/move.ts';
import type { Run } from '../interpretations/rank-interpretations.ts';
import type { InputInterpretation } from '../interpretations/interpretation.ts';
import type { Views } from './evidence.ts';
import type { Feeding } from './hypothesis.ts';
import type { Frame } from '../../../machine/vision/face/frames.ts';
import { infer, type InferencePorts } from '../../../machine/vision/face/runs.ts';
import type { Inference } from '../../../machine/vision/face/results.ts';
import type { StretchKernel } from '../../../machine/vision/face/feeding.ts';
import { rotate } from '../../../machine/vision/face/cameras.ts';
import type { VisionService } from '../../../machine/vision/face/filters.ts';

const views = { mirrored: mirroring, moved: moving, flat: flattening } as const satisfies Partial<
  Record<keyof Views, (kernel: StretchKernel) => StretchKernel>
>;

/** Runs one frame, fed in different ways and seen in different views. */
export class ViewRuns {
  readonly frame: Frame;
  readonly #service: VisionService;
  readonly #ports: InferencePorts;

  constructor(frame: Frame, service: VisionService, ports: InferencePorts) {
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
   * Runs the frame itself, or another view of it, whatever comes of it.
   * @throws InferenceError
   */
  seen(view: 'run' | keyof typeof views, feeding: Feeding): Promise<Inference> {
    return view === 'run' ? this.run(feeding) : this.#infer(feeding, views[view]);
  }

  /**
   * Runs another view of the frame; null: the outputs are equal, so the model ignores its input and the view shows
   * nothing.
   */
  async view(view: keyof typeof views, feeding: Feeding, run: Run): Promise<Run | null> {
    const other = await this.seen(view, feeding);
    return view !== 'flat' && isSame(run, other) ? null : other;
  }

  #infer({ input, turnDegs }: Feeding, show: (kernel: StretchKernel) => StretchKernel): Promise<Inference> {
    const { stretchKernel } = this.#ports;
    const fitted = input.fit === 'letterbox' ? letterboxing(stretchKernel) : stretchKernel;
    const frame = turnDegs === 0 ? this.frame : rotate(this.frame, { angleDegs: turnDegs });
    return infer(frame, withInput(this.#service, input), { ...this.#ports, stretchKernel: show(fitted) });
  }
}

/**
 * Says how a service feeds its model now.
 * @param service the vision service
 * @returns the same as an interpretation
 * @example
 * inputOf({ input: { bgr: true, mean: [0, 0, 0], stdDev: [1, 1, 1] } }); // => { bgr: true, meanValue: [0, 0, 0], stdDev: [1, 1, 1], fit: 'stretch' }
 */
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
