import type { LabelPair, SchemeLabel } from '../../../../evidence/datasets/label-schemes/label-scheme.ts';
import type { Scheme } from '../../../../gen/sightglass/labels/v1/labels_pb.ts';
import type { DataContext } from '../../context/data-context.ts';
import { labelClientOf } from './label-client.ts';

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
