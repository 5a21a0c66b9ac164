import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import type { LabelService, Scheme, SchemeSchema } from '../../gen/sightglass/labels/v1/labels_pb.ts';
import { principalOf } from '../access/principal.ts';
import { reachableIds, requireBinaryAccess } from '../access/require-access.ts';
import { requireBinaryDataset, requireDataset } from '../datasets/require-dataset.ts';
import type { DataServiceDependencies } from '../ports/dependencies.ts';
import type { LabelPair, LabelScheme, SchemeLabel } from '../ports/label-store.ts';
import { invalidArgument, requireText } from '../wire/invalid-argument.ts';

type SchemeRoutes = Pick<ServiceImpl<typeof LabelService>, 'getScheme' | 'putScheme' | 'deleteScheme'>;

const mostLabels = 1000;
const mostAttributes = 50;
const mostValues = 200;
const longestName = 200;
const longestDescription = 2000;

/** Routes for the label scheme of a dataset: what is labelled in it, and how. */
export function schemeRoutes({ store }: Pick<DataServiceDependencies, 'store'>): SchemeRoutes {
  const { labels } = store;
  const requireOwn = async (context: HandlerContext, datasetId: string) => {
    const dataset = await requireDataset(store, principalOf(context).organizationId, datasetId);
    requireBinaryDataset(dataset);
    return dataset;
  };

  return {
    async getScheme({ datasetId }, context) {
      const { organizationId, id } = await requireOwn(context, datasetId);
      const scheme = await labels.getScheme(organizationId, id);
      if (scheme === null) return {};
      const examples = await reachableIds(store, principalOf(context), examplesOf(scheme.labels));
      return { scheme: schemeMessage(scheme, examples), version: BigInt(scheme.version) };
    },
    async putScheme({ datasetId, scheme, version }, context) {
      const principal = principalOf(context);
      const { organizationId, id } = await requireOwn(context, datasetId);
      const next = Number(version) + 1;
      if (scheme === undefined) throw invalidArgument('scheme is absent; give the labels of the dataset.');
      const wanted = requireLabels(scheme);
      await requireBinaryAccess(store, principal, examplesOf(wanted));
      const pairs = requirePairs(scheme);
      const entry = { organizationId, datasetId: id, labels: wanted, version: next };
      await labels.putScheme({ ...entry, ...(pairs.length > 0 && { pairs }) });
      return { version: BigInt(next) };
    },
    async deleteScheme({ datasetId }, context) {
      await labels.deleteScheme(principalOf(context).organizationId, requireText(datasetId, 'dataset_id'));
      return {};
    },
  };
}

const examplesOf = (labels: readonly SchemeLabel[]): readonly string[] =>
  labels.map(({ exampleBinaryDataId }) => exampleBinaryDataId);

/** @param examples those that the caller has access to: the others are left out */
const schemeMessage = (
  { labels, pairs = [] }: LabelScheme,
  examples: ReadonlySet<string>,
): MessageInitShape<typeof SchemeSchema> => ({
  labels: labels.map(({ attributes, exampleBinaryDataId, ...label }) => ({
    ...label,
    exampleBinaryDataId: examples.has(exampleBinaryDataId) ? exampleBinaryDataId : '',
    attributes: attributes.map(({ name, values }) => ({ name, values: [...values] })),
  })),
  pairs: [...pairs],
});

/** @throws ConnectError InvalidArgument */
function requireLabels(scheme: Scheme): readonly SchemeLabel[] {
  const labels = listed(scheme.labels, 'scheme.labels', mostLabels);
  return labels.map(({ name, color, description, attributes, exampleBinaryDataId }, index) => {
    const field = `scheme.labels[${index}]`;
    if (color !== '' && !/^#[0-9a-f]{6}$/i.test(color))
      throw invalidArgument(`${field}.color is ${JSON.stringify(color.slice(0, 80))}; give one as "#1f77b4", or none.`);
    if (description.length > longestDescription)
      throw invalidArgument(
        `${field}.description has ${description.length} characters; give at most ${longestDescription}.`,
      );
    return {
      name,
      color: color.toLowerCase(),
      description,
      attributes: listed(attributes, `${field}.attributes`, mostAttributes).map((attribute, at) => ({
        name: attribute.name,
        values: requireValues(attribute.values, `${field}.attributes[${at}].values`),
      })),
      exampleBinaryDataId,
    };
  });
}

/** @throws ConnectError InvalidArgument */
function requirePairs({ pairs }: Pick<Scheme, 'pairs'>): readonly LabelPair[] {
  requireFew(pairs, 'scheme.pairs', mostLabels);
  return pairs.map(({ label, modelLabel }, index) => {
    requireName(label, `scheme.pairs[${index}].label`);
    requireName(modelLabel, `scheme.pairs[${index}].model_label`);
    return { label, modelLabel };
  });
}

function requireValues(values: readonly string[], field: string): readonly string[] {
  if (values.length === 0) throw invalidArgument(`${field} is empty; give at least one value.`);
  listed(
    values.map((name) => ({ name })),
    field,
    mostValues,
  );
  return [...values];
}

/** The entries, if they are few enough, and each has a name of its own. */
function listed<Named extends { readonly name: string }>(
  entries: readonly Named[],
  field: string,
  most: number,
): readonly Named[] {
  requireFew(entries, field, most);
  const names = new Set<string>();
  for (const [index, { name }] of entries.entries()) {
    requireName(name, `${field}[${index}]`);
    if (names.has(name)) throw invalidArgument(`${field} has ${JSON.stringify(name)} twice; give each name once.`);
    names.add(name);
  }
  return entries;
}

function requireFew(entries: readonly unknown[], field: string, most: number): void {
  if (entries.length > most) throw invalidArgument(`${field} has ${entries.length} entries; give at most ${most}.`);
}

function requireName(name: string, field: string): void {
  requireText(name, field);
  if (name.length > longestName)
    throw invalidArgument(`${field} has a name of ${name.length} characters; give at most ${longestName}.`);
}
