import { describe, expect, it } from 'vitest';
import {
  classes,
  classifier,
  detector,
  detects,
  half,
  imageNet,
  names,
  ofBytes,
  proven,
  says,
  unit,
  type Side,
} from '../../../../tests/two-sides.ts';

const remap = { location: 'location', category: 'category', score: 'score' };

/** One thing that the bench has otherwise than the machine, and what is said of it, and nothing else. */
const injected: readonly (readonly [name: string, there: Side, here: Side, said: RegExp])[] = [
  [
    'colours, of a detector',
    detects({ ...half, input_image_bgr: true }),
    detects(),
    /^With input_image_bgr true both say the same; here it is false\.$/,
  ],
  [
    'colours, the other way',
    detects(),
    detects({ ...half, input_image_bgr: true }),
    /^With input_image_bgr false both/,
  ],
  ['colours, of bytes', ofBytes({ ...half, input_image_bgr: true }), ofBytes(half), /^With input_image_bgr true both/],
  ['colours, of a classifier', says({ input_image_bgr: true }), says(), /^With input_image_bgr true both/],
  [
    'mean, missing here',
    detects({ ...half, input_image_mean_value: [0, 0, 0] }),
    detects(),
    /^With input_image_mean_value \[0, 0, 0\] both say the same; here it is \[0\.5, 0\.5, 0\.5\]\.$/,
  ],
  [
    'mean, missing there',
    detects(),
    detects({ ...half, input_image_mean_value: [0, 0, 0] }),
    /^With input_image_mean_value \[0\.5, 0\.5, 0\.5\] both/,
  ],
  [
    'mean of ImageNet',
    detects({ ...half, ...imageNet }),
    detects({ ...half, ...imageNet, input_image_mean_value: [0, 0, 0] }),
    /^With input_image_mean_value \[0\.485, 0\.456, 0\.406\] both/,
  ],
  [
    'mean, of a classifier',
    says(unit),
    says({ ...unit, input_image_mean_value: [0.5, 0.5, 0.5] }),
    /^With input_image_mean_value \[0, 0, 0\] both/,
  ],
  [
    'deviation, missing here',
    detects({ ...half, input_image_std_dev: [1, 1, 1] }),
    detects(),
    /^With input_image_std_dev \[1, 1, 1\] both say the same; here it is \[0\.5, 0\.5, 0\.5\]\.$/,
  ],
  [
    'deviation, missing there',
    detects(),
    detects({ ...half, input_image_std_dev: [1, 1, 1] }),
    /^With input_image_std_dev \[0\.5, 0\.5, 0\.5\] both/,
  ],
  [
    'deviation, of a classifier',
    says(imageNet),
    says({ ...imageNet, input_image_std_dev: [1, 1, 1] }),
    /^With input_image_std_dev \[0\.229, 0\.224, 0\.225\] both/,
  ],
  [
    'mean and deviation',
    detects({ ...half, ...imageNet }),
    detects(),
    /^With input_image_mean_value \[0\.485, 0\.456, 0\.406\] and input_image_std_dev \[0\.229/,
  ],
  [
    'colours, mean and deviation',
    says({ ...unit, input_image_bgr: true }),
    says(),
    /^With input_image_bgr true and input_image_mean_value \[0, 0, 0\] and input_image_std_dev \[1, 1, 1\]/,
  ],
  [
    'an unusual mean',
    detects({ ...half, input_image_mean_value: [0.31, 0.77, 0.2] }),
    detects(),
    /^With input_image_mean_value \[0\.31, 0\.77, 0\.2\] both say the same; here it is \[0\.5/,
  ],
  [
    'a mean near a usual one',
    detects({ input_image_mean_value: [0.49, 0.49, 0.49] }),
    detects({ input_image_mean_value: [0, 0, 0] }),
    /^With input_image_mean_value \[0\.49, 0\.49, 0\.49\] both say the same/,
  ],
  [
    'an unusual deviation, of a classifier',
    says({ input_image_std_dev: [0.31, 0.4, 0.62] }),
    says(),
    /^With input_image_std_dev \[0\.31, 0\.4, 0\.62\] both say the same; here it is \[0\.5/,
  ],
  [
    'colours and a threshold',
    detects({ default_minimum_confidence: 0.7, input_image_bgr: true }),
    detects(),
    /^More than one thing differs: there it is input_image_bgr true, and here false\. What is left then: The threshold there is another one: with default_minimum_confidence 0\.7/,
  ],
  [
    'box order',
    detects(),
    detects({ ...half, xmin_ymin_xmax_ymax_order: [0, 1, 2, 3] }),
    /^With xmin_ymin_xmax_ymax_order \[1, 0, 3, 2\] both say the same; here it is \[0, 1, 2, 3\]/,
  ],
  [
    'box order, given there only',
    detects({ ...half, xmin_ymin_xmax_ymax_order: [0, 1, 2, 3] }),
    detects(),
    /^With xmin_ymin_xmax_ymax_order \[0, 1, 2, 3\] both say the same; here it is not given/,
  ],
  [
    'box order, unusual',
    detects({ ...half, xmin_ymin_xmax_ymax_order: [0, 2, 1, 3] }),
    detects(),
    /^With xmin_ymin_xmax_ymax_order \[0, 2, 1, 3\] both/,
  ],
  ['label file missing there', detects(half, null), detects(), /^The machine says index numbers/],
  ['label file missing here', detects(), detects(half, null), /^The machine has names where index numbers stand here/],
  ['label file missing there, of a classifier', says({}, null), says(), /^The machine says index numbers/],
  [
    'label file missing here, of a classifier',
    says(),
    says({}, null),
    /^The machine has names where index numbers stand here/,
  ],
  [
    'label file missing here, which drops what is listed',
    detects({ label_confidences: { person: 0.4, dog: 0.4, cup: 0.4 } }),
    detects({ label_confidences: { person: 0.4, dog: 0.4, cup: 0.4 } }, null),
    /^The machine has names where index numbers stand here/,
  ],
  [
    'labels shifted',
    detects(half, ['???', ...names]),
    detects(),
    /shifted by a line: the one there has a line more at its beginning/,
  ],
  [
    'labels shifted the other way',
    detects(),
    detects(half, ['background', ...names]),
    /shifted by a line: the one here has a line more/,
  ],
  [
    'labels shifted, of a classifier',
    says({}, ['background', ...classes.slice(0, 4)]),
    says(),
    /shifted by a line: the one there has a line more/,
  ],
  ['other labels', detects(half, ['person', 'cat', 'cup']), detects(), /class 1 is “dog” here and “cat” there\.$/],
  [
    'two labels changed places',
    detects(half, ['dog', 'person', 'cup']),
    detects(),
    /class 0 is “person” here and “dog” there, class 1 is “dog” here and “person” there\.$/,
  ],
  [
    'threshold, higher here',
    detects(),
    detects({ default_minimum_confidence: 0.8 }),
    /with default_minimum_confidence 0\.5 both say the same \(any above 0\.\d+ and up to 0\.\d+ would\); here it is 0\.8/,
  ],
  [
    'threshold, lower here',
    detects({ default_minimum_confidence: 0.7 }),
    detects({ default_minimum_confidence: 0.2 }),
    /with default_minimum_confidence 0\.7 both .* here it is 0\.2/,
  ],
  [
    'threshold, none there',
    detects({}),
    detects(),
    /with default_minimum_confidence 0 both say the same \(it keeps all, down to/,
  ],
  [
    'threshold, of a classifier',
    says({ default_minimum_confidence: 0.2 }),
    says({ default_minimum_confidence: 0.3 }),
    /with default_minimum_confidence 0\.2 both .* here it is 0\.3/,
  ],
  [
    'threshold of a label',
    detects({ label_confidences: { person: 0.7, dog: 0.5, cup: 0.5 } }),
    detects({ label_confidences: { person: 0.3, dog: 0.5, cup: 0.5 } }),
    /^label_confidences there are others: “person” is 0\.3 here and above 0\.\d+ and up to 0\.\d+ there\.$/,
  ],
  [
    'a label that is not listed there',
    detects({ label_confidences: { person: 0.3, cup: 0.3 } }),
    detects({ label_confidences: { person: 0.3, dog: 0.3, cup: 0.3 } }),
    /^label_confidences there are others: “dog” is 0\.3 here and dropped there up to 0\.\d+\.$/,
  ],
  [
    'label_confidences, here only',
    detects(),
    detects({ ...half, label_confidences: { person: 0.8 } }),
    /^The machine has no label_confidences: without them/,
  ],
  [
    'label_confidences, there only',
    detects({ ...half, label_confidences: { person: 0.2, cup: 0.8 } }),
    detects(),
    /^label_confidences there are others: “person” is 0\.5 here and/,
  ],
  [
    'remap, classes and scores changed places',
    detects(),
    detects({ ...half, remap_output_names: { location: 'location', category: 'score', score: 'category' } }),
    /^With remap_output_names \{\} both/,
  ],
  [
    'another model of the same shape',
    { ...detects(), session: detector(1.7) },
    detects(),
    /^The model file there is another one/,
  ],
  [
    'another classifier of the same shape',
    { ...says(), session: classifier(1.5) },
    says(),
    /^The model file there is another one/,
  ],
];

describe('the one thing that the bench has otherwise than the machine', () => {
  it.each(injected)('%s', async (_, there, here, said) => {
    const { reasons, apart } = await proven(there, here);
    expect(apart).toBeGreaterThan(0);
    expect(reasons).toEqual([expect.objectContaining({ words: expect.stringMatching(said), frames: apart })]);
  });

  it.each([
    ['a detector', detects()],
    ['a classifier', says()],
    ['a remap of the names that are there', detects({ ...half, remap_output_names: remap })],
  ])('is none where both are equal: %s', async (_, side) => {
    const { reasons, apart } = await proven(side, { ...side });
    expect([reasons, apart]).toEqual([[], 0]);
  });
});
