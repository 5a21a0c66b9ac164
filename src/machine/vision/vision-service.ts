import type { VisionServiceConfig } from '../config/face/machine-config.ts';
import { colorRule } from './color-detector/color-rule.ts';
import type { ColorDetector } from './color-detector/detect-colors.ts';
import { pixelTest } from './color-detector/pixel-test.ts';
import { machineBoxOrder, type BoxOrder } from './decode/box-order.ts';
import { labelTable, type LabelTable } from './decode/labels.ts';
import type { DetectionTensorNames, TensorChoice } from './decode/tensor-choice.ts';
import { serviceFilter, type ServiceFilter } from './filter/service-filter.ts';
import type { InferenceSession } from './inference/inference-session.ts';
import { MachineError } from './machine-error.ts';
import { inputSpec, type InputSpec } from './preprocess/input-spec.ts';

/** A loaded model, as a vision service takes it. */
export interface VisionModel {
  readonly session: InferenceSession;
  /**
   * The content of the label file that the machine reads: the one at the vision service's `label_path`, otherwise
   * the one that the model service names; null: not given, or none is named. Labels inside the model file do not
   * count.
   */
  readonly labels: readonly string[] | null;
}

/** A vision service with its model: everything that is decided once and then holds for every frame. */
export interface VisionService {
  readonly config: VisionServiceConfig;
  readonly session: InferenceSession;
  readonly input: InputSpec;
  /** null: index numbers are the labels */
  readonly labels: readonly string[] | null;
  readonly labelTable: LabelTable;
  readonly boxOrder: BoxOrder;
  readonly filter: ServiceFilter;
  readonly color?: never;
}

/** A colour detector: a vision service that has no model. */
export interface ColorVision {
  readonly config: VisionServiceConfig;
  /** null: the service reads no label file, its one label stands in `color` */
  readonly labels: null;
  readonly filter: ServiceFilter;
  readonly color: ColorDetector;
}

/** What the probe found a service able to do. */
export interface ServiceAbilities {
  readonly detector: Ability<DetectionTensorNames>;
  readonly classifier: Ability<TensorChoice>;
}

/** Has the shape of the report that the page receives, plus the tensor names that later frames use. */
export interface Ability<Names> {
  readonly able: boolean;
  /** found by the probe; null: not able */
  readonly names: Names | null;
  readonly tensors: readonly TensorChoice[];
  readonly warnings: readonly string[];
  /** why the service is not able, and the error's code; of one that is able, "no-classes": its values are no classes */
  readonly reason: string;
  readonly code: string;
}

/**
 * Puts a service and its model together, checking in the machine's order: model name, labels, mean, standard deviation.
 * @param config the vision service, as it was parsed
 * @param model its session and its labels
 * @returns the service, which was not probed yet
 * @throws MachineError bad-attribute, label-path; InferenceError unsupported-dtype, shape-mismatch
 * @example
 * buildVisionService({ mlModelName: '' }, {}); // throws: mlmodel_name is empty
 */
export function buildVisionService(config: VisionServiceConfig, model: VisionModel): VisionService {
  refuse(config.mlModelName === '', config, 'mlmodel_name is empty; name the ML model that this service runs.');
  const labels = labelsInForce(config, model);
  refuse(config.meanValue.length < 3, config, channelsMessage('input_image_mean_value', config.meanValue));
  refuse(config.stdDev.length < 3, config, channelsMessage('input_image_std_dev', config.stdDev));
  refuse(config.stdDev.includes(0), config, 'input_image_std_dev contains a 0, which would divide by zero.');
  return {
    config,
    session: model.session,
    input: inputSpec(model.session.inputs, config),
    labels,
    labelTable: labelTable(labels),
    boxOrder: config.boxOrder ?? machineBoxOrder,
    filter: serviceFilter(config),
  };
}

/** A vision service whose abilities are known. */
export interface ProbedService {
  readonly service: VisionService;
  readonly abilities: ServiceAbilities;
}

/** A colour detector, with what it is able to do. */
export interface ColorService {
  readonly service: ColorVision;
  readonly abilities: ServiceAbilities;
}

/** A vision service that can be run: one with a model, or a colour detector. */
export type RunnableService = ProbedService | ColorService;

/**
 * Builds a colour detector. There is nothing to probe: it detects and does not classify.
 * @param config the vision service, as it was parsed
 * @param attributes its `color`
 * @returns the service, ready to run
 * @throws MachineError with the code of the refusal, such as grey-color
 * @example
 * const attributes = { detect_color: '#ff0000', hue_tolerance_pct: 0.1, label: '' };
 * const config = { name: 'red', defaultMinimumConfidence: 0, labelConfidences: {} };
 * const { abilities } = colorService(config, attributes);
 * [abilities.detector.able, abilities.classifier.able]; // => [true, false]
 * colorService(config, { ...attributes, detect_color: '#888888' }); // throws: which is grey
 */
export function colorService(
  config: VisionServiceConfig,
  attributes: NonNullable<VisionServiceConfig['color']>,
): ColorService {
  const rule = colorRule(attributes);
  if ('code' in rule)
    throw new MachineError(
      rule.code,
      `The machine does not build vision service "${config.name}": ${rule.message}.`,
      config.name,
    );
  const ability = { names: null, tensors: [], warnings: [] };
  return {
    service: { config, labels: null, filter: serviceFilter(config), color: { rule, test: pixelTest(rule) } },
    abilities: {
      detector: { ...ability, able: true, reason: '', code: '' },
      classifier: { ...ability, able: false, reason: 'It is a colour detector.', code: 'color-detector' },
    },
  };
}

/**
 * Tells services that run a model from colour detectors.
 * @param vision any service that can be run
 * @returns whether it runs a model
 * @example
 * hasModel({ service: { color: { rule: {}, test: {} } } }); // => false
 */
export function hasModel(vision: RunnableService): vision is ProbedService {
  return !vision.service.color;
}

/** A service, and the abilities by which it is judged. */
type Judged = { readonly service: Pick<VisionService, 'config'>; readonly abilities: ServiceAbilities };

/**
 * Refuses a vision service that cannot detect.
 * @param probed the service and what the probe found
 * @throws MachineError not-a-detector, no-ability
 * @example
 * const service = { config: { name: 'pets', mlModelName: 'model' } };
 * const abilities = { detector: { able: false, reason: 'it has one output.' }, classifier: { able: true } };
 * requireDetector({ service, abilities }); // throws: Vision service "pets" cannot detect: it has one output.
 */
export function requireDetector({ service, abilities }: Judged): void {
  requireSomeAbility({ service, abilities });
  const { name } = service.config;
  if (!abilities.detector.able)
    throw new MachineError(
      'not-a-detector',
      `Vision service "${name}" cannot detect: ${abilities.detector.reason}`,
      name,
    );
}

/**
 * Refuses a vision service that cannot classify.
 * @param probed the service and what the probe found
 * @throws MachineError not-a-classifier, no-ability
 * @example
 * const service = { config: { name: 'pets', mlModelName: 'model' } };
 * const abilities = { detector: { able: true }, classifier: { able: true } };
 * requireClassifier({ service, abilities }); // => undefined
 */
export function requireClassifier({ service, abilities }: Judged): void {
  requireSomeAbility({ service, abilities });
  const { name } = service.config;
  if (!abilities.classifier.able)
    throw new MachineError(
      'not-a-classifier',
      `Vision service "${name}" cannot classify: ${abilities.classifier.reason}`,
      name,
    );
}

/**
 * Refuses a service that can neither detect nor classify.
 * @param probed the service with what its model is able to do
 * @throws MachineError no-ability, with both reasons
 * @example
 * const service = { config: { name: 'pets' } };
 * requireSomeAbility({ service, abilities: { detector: { able: true }, classifier: { able: false } } }); // => undefined
 */
export function requireSomeAbility({ service, abilities }: Judged): void {
  const { detector, classifier } = abilities;
  if (detector.able || classifier.able) return;
  const { name, mlModelName } = service.config;
  throw new MachineError(
    'no-ability',
    `Vision service "${name}" can neither detect nor classify with ML model "${mlModelName}" ` +
      '(the machine: "does not fulfill any method of the vision service"). ' +
      (detector.reason === classifier.reason
        ? detector.reason
        : `As a classifier: ${classifier.reason} As a detector: ${detector.reason}`),
    name,
  );
}

/**
 * A label file without labels counts as none: index numbers are used. A file that the vision service itself names
 * must exist.
 */
function labelsInForce({ name, labelPath }: VisionServiceConfig, { labels }: VisionModel): readonly string[] | null {
  if (labelPath !== '' && labels === null)
    throw new MachineError(
      'label-path',
      `Vision service "${name}" reads its labels from label_path "${labelPath}", which was not given here. ` +
        'Give that file as the label file; the machine does not fall back to anything else either.',
      name,
    );
  return labels && labels.length > 0 ? labels : null;
}

function refuse(refused: boolean, { name }: VisionServiceConfig, message: string): void {
  if (refused) throw new MachineError('bad-attribute', `Vision service "${name}": ${message}`, name);
}

function channelsMessage(attribute: string, values: readonly number[]): string {
  return `${attribute} has ${values.length} values; it needs at least 3, one a colour channel.`;
}
