import type { LabelsState } from '../models/labels-state.svelte.ts';

/**
 * The labels of a service that runs the model of another one, `like`: where both name the same label file, its content
 * may be known from that model alone. `like` is null for a service that runs its own model.
 */
export function labelsBeside(
  labels: Pick<LabelsState, 'byService' | 'sourceOf'>,
  service: string,
  like: string | null,
): readonly string[] | null {
  const source = labels.sourceOf(service);
  const other = like === null ? null : labels.sourceOf(like);
  const isSame = source.kind === 'missing' && other?.kind === 'file' && other.named.path === source.named.path;
  return isSame ? other.file.labels : (labels.byService[service] ?? null);
}
