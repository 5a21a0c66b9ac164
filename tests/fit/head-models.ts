import { GraphBuilder, type GraphVersions } from '../../src/models/onnx/edit-model.ts';
import type { TensorDtype } from '../../src/machine/vision/tensor/tensor.ts';

export interface HeadModel {
  /** default 64×64 */
  readonly widthPx?: number;
  readonly heightPx?: number;
  readonly dtype?: TensorDtype;
  readonly layout?: 'nchw' | 'nhwc';
  /** batch size of the input; default 1 */
  readonly batch?: number | string;
  readonly versions?: GraphVersions;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly producer?: string;
}

/** Builds a small model with the input `images` (channels first) and a head, written by `head`, with the structure of the real one. */
export function headModel(
  {
    widthPx = 64,
    heightPx = 64,
    dtype = 'float32',
    layout = 'nchw',
    batch = 1,
    versions,
    metadata = {},
    producer = 'pytorch',
  }: HeadModel,
  head: (build: GraphBuilder, image: string) => void,
): Uint8Array<ArrayBuffer> {
  const build = versions ? new GraphBuilder(undefined, versions) : new GraphBuilder();
  const sizes = layout === 'nchw' ? [batch, 3, heightPx, widthPx] : [batch, heightPx, widthPx, 3];
  const image = build.input('images', dtype, sizes);
  head(build, layout === 'nchw' ? image : build.add('Transpose', [image], { perm: { ints: [0, 3, 1, 2] } }));
  return build.build({ graphName: 'g', producer, opset: versions?.opset ?? 18, metadata });
}

export const logit = (probability: number): number => Math.log(probability / (1 - probability));
