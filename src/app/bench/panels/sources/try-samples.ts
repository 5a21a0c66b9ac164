import type { SampleKind } from '../../../../platform/ports/frame-source.ts';
import type { SourcesBench } from './sources-bench.ts';

/**
 * Shows the sample photographs of a kind. The built-in model that finds what is on them takes the place of another
 * built-in one, or of none; a person's own model stays, and a colour detector gets none.
 */
export async function trySamples(
  { config, models, serviceName, sources }: Pick<SourcesBench, 'config' | 'models' | 'serviceName' | 'sources'>,
  kind: SampleKind,
): Promise<void> {
  const present = models.of(serviceName);
  const id = kind === 'faces' ? 'face-detector' : 'object-detector';
  const isOther = present ? models.isBuiltin(present) && present.fileName !== `${id}.onnx` : !config.tunesColor;
  await Promise.all([
    sources.showSamples(kind),
    isOther ? models.load({ kind: 'builtin', id }, serviceName) : undefined,
  ]);
}
