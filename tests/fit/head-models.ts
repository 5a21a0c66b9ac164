import { GraphBuilder, type GraphVersions } from '../../src/onnx/edit-model.ts';
import type { TensorDtype } from '../../src/vision/tensor.ts';

export interface HeadModel {
  /** default 64×64 */
  readonly widthPx?: number;
  readonly heightPx?: number;
  readonly dtype?: TensorDtype;
  /** of the input; default 1 */
  readonly batch?: number | string;
  readonly versions?: GraphVersions;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly producer?: string;
}

/** A model of a picture `images` whose head is written by `head`: small, and of the structure of the real one. */
export function headModel(
  {
    widthPx = 64,
    heightPx = 64,
    dtype = 'float32',
    batch = 1,
    versions,
    metadata = {},
    producer = 'pytorch',
  }: HeadModel,
  head: (build: GraphBuilder, image: string) => void,
): Uint8Array<ArrayBuffer> {
  const build = versions ? new GraphBuilder(undefined, versions) : new GraphBuilder();
  head(build, build.input('images', dtype, [batch, 3, heightPx, widthPx]));
  return build.build({ graphName: 'g', producer, opset: versions?.opset ?? 18, metadata });
}

export const logit = (probability: number): number => Math.log(probability / (1 - probability));
