import type { InputInterpretation, OutputInterpretation } from '../interpretations/interpretation.ts';
import type { ServiceFilterRule } from '../../../machine/vision/face/filters.ts';

/** One thing that may be wrong with how a model is fed, read, named or filtered. */
export type Change =
  | 'tensors'
  | 'box-order'
  | 'box-form'
  | 'box-space'
  | 'activation'
  | 'background'
  | 'colours'
  | 'range'
  | 'letterbox'
  | 'turn'
  | 'labels'
  | 'threshold'
  | 'suppression';

/** Clockwise, before the frame is fed: what makes it upright. */
export type Turn = 0 | 90 | 180 | 270;

/** What a model is fed of a frame. */
export interface Feeding {
  readonly input: InputInterpretation;
  readonly turnDegs: Turn;
}

/** A service as it would be if something were changed; `changes` = [] is the service as it is. */
export interface Hypothesis {
  readonly feeding: Feeding;
  readonly output: OutputInterpretation;
  /** null = index numbers */
  readonly labels: readonly string[] | null;
  readonly filter: ServiceFilterRule;
  /** boxes that lie over better ones are taken away */
  readonly suppresses: boolean;
  readonly changes: readonly Change[];
}
