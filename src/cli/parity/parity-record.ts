import { machineUrls } from '../../remote/live-machine/machine-urls.ts';
import { keyPlace } from '../shared/key-place.ts';
import { command, type ArgumentsOf } from '../record/command.ts';
import { flag, option, required, together, usual } from '../record/field.ts';
import { integerFrom, textOrNone, type Kind } from '../record/kinds.ts';
import { UsageError } from '../record/usage-error.ts';
import { labelPaths, modelPaths, runtime } from '../shared/service-fields.ts';

/** The addresses to try, each without a slash at its end or made by `peerUrl`. */
const addresses: Kind<readonly string[]> = {
  read(value, name) {
    const found = machineUrls(value, 'http://localhost/');
    if ('message' in found) throw new UsageError(`--${name}: ${found.message} ${found.cure}`);
    return found.urls;
  },
};

export const parityRecord = command('parity', {
  usage: [
    '--machine ADDRESS --vision NAME [--config machine.json] [--model model.onnx] [--labels FILE] [--camera NAME] [--frames N] [--report page.html] [--strict-rounding] [--key-id ID --key-file FILE]',
  ],
  notes: [
    "parity asks a running machine what its vision service says of its camera's frames, runs the same bytes here, and prints whether labels, boxes, order and scores are the same; exit code 1 when one has other labels, boxes or order, or when a transform camera's steps give another picture there. It names the one thing that makes both sides say the same, and last what it could not compare.",
    'An edge by one pixel, and the order of scores within 1e-6, are rounding between two runtimes: counted apart, and no failure unless --strict-rounding is given.',
    "Without --model inference is asked of the machine's own model service; without --config the service has no thresholds.",
  ],
  noWords: 'its frames come from the machine',
  reads: together({
    machineUrls: required(
      '--machine ADDRESS',
      'of the machine: in your network, its name under viam.cloud, or webrtc://NAME/?via=URL',
      addresses,
    ),
    visionName: required('--vision NAME', 'name of the vision service'),
    configPath: option('--config FILE', 'configuration of the machine'),
    modelPaths,
    labelPaths,
    runtime,
    /** '' = the service's own */
    cameraName: usual('--camera NAME', "camera that is asked (the service's own)", textOrNone, '', ''),
    frames: usual('--frames N', 'how many frames are compared', integerFrom(1), 100),
    reportPath: option('--report FILE', 'page of the report'),
    /** fail on what two runtimes round apart too */
    strictRounding: flag('--strict-rounding', 'rounding between two runtimes is a failure, too'),
    key: keyPlace,
  }),
});
export type ParityArguments = ArgumentsOf<typeof parityRecord>;
