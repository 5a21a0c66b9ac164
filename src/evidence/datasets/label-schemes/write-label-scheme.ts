import { escapedAttribute } from '../formats/escaped-xml.ts';
import type { LabelPair, SchemeLabel } from './label-scheme.ts';

/** What a label scheme can be written as. */
export const schemeFormats = {
  sightglass: { text: 'Sightglass (JSON)', file: 'label-scheme.json', type: 'application/json' },
  cvat: { text: 'CVAT labels (JSON)', file: 'cvat-labels.json', type: 'application/json' },
  'label-studio': { text: 'Label Studio (XML)', file: 'label-studio.xml', type: 'application/xml' },
} as const;
export type SchemeFormat = keyof typeof schemeFormats;

/**
 * The text of a label scheme. CVAT has no descriptions, Label Studio no attributes; only Sightglass has example pictures, and
 * what models call the labels.
 */
export function writeLabelScheme(
  labels: readonly SchemeLabel[],
  format: SchemeFormat,
  pairs: readonly LabelPair[] = [],
): string {
  switch (format) {
    case 'sightglass':
      return json({ labels, ...(pairs.length > 0 && { pairs }) });
    case 'cvat':
      return json(
        labels.map(({ name, color, attributes }) => ({
          name,
          ...(color && { color }),
          type: 'rectangle',
          attributes: attributes.map((attribute) => ({
            name: attribute.name,
            mutable: false,
            input_type: 'select',
            default_value: attribute.values[0],
            values: attribute.values,
          })),
        })),
      );
    case 'label-studio':
      return `<View>
  <Image name="image" value="$image"/>
  <RectangleLabels name="label" toName="image">
${labels.map(labelStudioLabel).join('\n')}
  </RectangleLabels>
</View>
`;
  }
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

function labelStudioLabel({ name, color, description }: SchemeLabel): string {
  const more = `${color && ` background="${color}"`}${description && ` hint="${escapedAttribute(description)}"`}`;
  return `    <Label value="${escapedAttribute(name)}"${more}/>`;
}
