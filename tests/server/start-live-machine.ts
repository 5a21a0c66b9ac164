import { onnxModel, startMachine, type RunningMachine } from '../oracle/machine.ts';
import { openMachineLink } from '../../src/links/machine-link.ts';

export interface LiveMachineParts {
  /** the image file that its camera returns */
  readonly framePath: string;
  readonly modelPath: string;
  readonly labelsPath: string;
  /** attributes of its vision service "v", which runs the model service "m" on camera "cam" */
  readonly attributes: object;
}

/** Starts a real machine with a camera, a model and a vision service, and waits until the vision service is built. */
export function startLiveMachine(parts: LiveMachineParts): Promise<RunningMachine> {
  const { framePath, modelPath, labelsPath, attributes } = parts;
  const vision = { mlmodel_name: 'm', camera_name: 'cam', ...attributes };
  const resources = {
    components: [
      {
        name: 'cam',
        api: 'rdk:component:camera',
        model: 'image_file',
        attributes: { color_image_file_path: framePath },
      },
    ],
    services: [
      {
        name: 'm',
        api: 'rdk:service:mlmodel',
        model: onnxModel,
        attributes: { model_path: modelPath, label_path: labelsPath },
      },
      { name: 'v', api: 'rdk:service:vision', model: 'mlmodel', attributes: vision },
    ],
  };
  const { signal } = new AbortController();
  return startMachine(resources, (origin) => openMachineLink(origin, null).visionAbilities('v', signal));
}
