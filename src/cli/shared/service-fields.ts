import type { Split } from '../../evidence/datasets/face/items.ts';
import type { MachineCamera } from '../../machine/config/face/cameras.ts';
import type { TerminalRuntime } from '../../platform/ports/inference-runtime.ts';
import { parseNamedPaths, type NamedPaths } from './named-paths.ts';
import { flag, made, option, repeated, required, together, type Field, type ValuesOf } from '../record/field.ts';
import { oneOf, textOrNone } from '../record/kinds.ts';
import { UsageError } from '../record/usage-error.ts';

/** A file that may be given for each of several vision services. */
const namedPaths = (form: `--${string} ${string}`, about: string): Field<NamedPaths> =>
  made(repeated(form, about), (texts) => parseNamedPaths(form.slice(2).split(' ')[0]!, texts));

export const modelPaths = namedPaths(
  '--model [VISION=]FILE',
  'model of the vision service, .onnx or .tflite; VISION=FILE for the services that the steps of a transform camera name',
);
export const labelPaths = namedPaths(
  '--labels [VISION=]FILE',
  "the label file that the configuration's label_path names; without one labels are index numbers, as on the machine",
);

export const configPath = required('--config FILE', 'configuration of the machine');

export const cameraSource: Field<MachineCamera | null> = option(
  '--source KIND',
  'webcam or module: what the camera at the beginning is, where the configuration does not say it. Transform cameras read the frames of a built-in webcam (models webcam and fake) without an odd last column and row',
  oneOf(['webcam', 'module']),
);

/** What runs .onnx models; null: it was not said. */
const runtimeOr = (otherwise: string): Field<TerminalRuntime | null> =>
  option(
    '--runtime NAME',
    `what runs .onnx models: native (the package onnxruntime-node, installed beside sightglass) or wasm. Otherwise ${otherwise}`,
    oneOf(['native', 'wasm']),
  );

/** null: native where its package is installed, else WASM */
export const runtime = runtimeOr('native where it is installed, else wasm');
/** null: WASM */
export const runtimeOrWasm = runtimeOr('wasm, which the page runs models on');
/** null: that of the certificate, as far as it is there */
export const runtimeOfCertificate = runtimeOr('that which the certificate was made on, where it is installed');

/** Fail where the machine refuses the whole configuration, instead of running the rest. */
export const strict = together(
  {
    isStrict: flag(
      '--strict',
      'fail on a configuration that the machine refuses as a whole, for one badly typed attribute anywhere (the default)',
    ),
    isLenient: flag('--no-strict', 'run the rest of such a configuration'),
  },
  ({ isStrict, isLenient }, { command }) => {
    if (isStrict && isLenient) throw new UsageError(`${command} was given both --strict and --no-strict; give one.`);
    return !isLenient;
  },
);

/** A vision service with its model, and the camera that it looks through. */
export const serviceFields = {
  configPath,
  visionName: required('--vision NAME', 'name of the vision service'),
  modelPaths,
  labelPaths,
  /** null = the frame as it is; '' = the service's own camera_name */
  cameraName: option(
    '--camera NAME',
    'camera that the service looks through; "": the one that it names itself. Otherwise frames are seen as they are',
    textOrNone,
  ),
  /** null = what the configuration says of its cameras */
  source: cameraSource,
  strict,
  runtime,
};
/** The same in the lines of a command. */
export const serviceUsage = '--config machine.json --vision NAME --model model.onnx [--labels FILE] [--camera NAME]';
export type ServiceArguments = ValuesOf<typeof serviceFields>;
export const serviceOptions = together(serviceFields).options.map(({ name }) => name);

export const split: Field<Split | null> = option(
  '--split PART',
  'train, val or test of the frames',
  oneOf(['train', 'val', 'test']),
);

/** Frames without a recorded sequence, or camera and time, are taken to be independent, as the user says so. */
export const areIndependent = flag(
  '--independent-frames',
  'each frame of which no sequence, or camera and time, is recorded shows another scene or time',
);

/** What stands of several commands: how frames are counted. */
export const dependenceNote =
  'Frames of one sequence, or of one camera and minute, count as one in every interval, and so do pictures of which nothing is recorded and that look alike. Where many do, or nobody looked, it is not known which are independent: intervals say so, and nothing is certified.';
