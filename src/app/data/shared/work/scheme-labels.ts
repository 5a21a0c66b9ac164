import { Code, ConnectError } from '@connectrpc/connect';
import type { LabelPair, SchemeLabel } from '../../../../evidence/datasets/face/labels.ts';
import type { Scheme } from '../../../../gen/sightglass/labels/v1/labels_pb.ts';
import type { DataContext } from '../../context/data-context.ts';
import { labelClientOf, type LabelClient } from './label-client.ts';

/** The labels of a scheme as the service has it, in their order. */
export const schemeLabels = ({ labels }: Scheme): readonly SchemeLabel[] =>
  labels.map(({ name, color, description, attributes, exampleBinaryDataId }) => ({
    name,
    color,
    description,
    attributes: attributes.map((attribute) => ({ name: attribute.name, values: attribute.values })),
    exampleBinaryDataId,
  }));

/** What models call labels of the dataset. */
export const schemePairs = ({ pairs }: Scheme): readonly LabelPair[] =>
  pairs.map(({ label, modelLabel }) => ({ label, modelLabel }));

/**
 * Keeps what models call labels of a dataset, beside the labels of its scheme. A scheme that holds nothing is deleted.
 * @throws ConnectError
 */
export async function keepSchemePairs(
  client: LabelClient,
  datasetId: string,
  pairs: readonly LabelPair[],
): Promise<void> {
  for (let isAgain = false; ; isAgain = true) {
    const { scheme, version } = await client.getScheme({ datasetId });
    if (pairs.length + (scheme?.labels.length ?? 0) === 0) {
      if (scheme) await client.deleteScheme({ datasetId });
      return;
    }
    try {
      const labels = scheme?.labels ?? [];
      await client.putScheme({ datasetId, scheme: { labels, pairs: [...pairs] }, version });
      return;
    } catch (error) {
      // Another saved its labels meanwhile: they stay, beside these pairs.
      if (isAgain || ConnectError.from(error).code !== Code.Aborted) throw error;
    }
  }
}

/** The labels of the first of these datasets that has a scheme; null if none has one. @throws ConnectError */
export async function findScheme(
  context: Pick<DataContext, 'transport'>,
  datasetIds: readonly string[],
  signal: AbortSignal,
): Promise<readonly SchemeLabel[] | null> {
  const client = labelClientOf(context);
  for (const datasetId of datasetIds) {
    const { scheme } = await client.getScheme({ datasetId }, { signal });
    // A scheme without labels only says what models call them.
    if (scheme && scheme.labels.length > 0) return schemeLabels(scheme);
  }
  return null;
}
