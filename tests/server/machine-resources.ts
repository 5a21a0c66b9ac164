import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { resizeNearest } from '../../src/machine/vision/transforms/resize.ts';
import { readFrameFile, writePngFile } from '../../src/platform/node/frame-file.ts';
import { onnxModel, type MachineResources } from '../oracle/machine.ts';

/** The path of a file that the app brings along. */
export const builtin = (path: string): string =>
  fileURLToPath(new URL(`../../public/builtin/${path}`, import.meta.url));

/** What a machine with one vision service is made of. */
export interface MachineParts {
  /** the image file that its camera returns */
  readonly framePath: string;
  readonly modelPath: string;
  readonly labelsPath: string;
  /** attributes of its vision service "v", which runs the model service "m" on camera "cam" */
  readonly attributes: object;
}

/** The built-in face detector, on a picture with faces. */
export const faceDetector = {
  framePath: builtin('frames/sample1.jpg'),
  modelPath: builtin('models/face-detector.onnx'),
  labelsPath: builtin('models/face-detector.labels.txt'),
};

/** A picture of the app at a quarter of its size: one of full size keeps a machine busy for a second each time. */
export async function smallPicture(name: string, folder: string): Promise<string> {
  const frame = await readFrameFile(builtin(`frames/${name}`));
  const path = join(folder, `${name}.png`);
  const [widthPx, heightPx] = [frame.widthPx / 4, Math.floor(frame.heightPx / 4)];
  await writePngFile(path, resizeNearest(frame, { widthPx, heightPx }));
  return path;
}

/** A camera that returns an image file. */
export const imageCamera = (name: string, path: string) => ({
  name,
  api: 'rdk:component:camera',
  model: 'image_file',
  attributes: { color_image_file_path: path },
});

/** The configuration of a machine with camera "cam", model service "m" and vision service "v". */
export const visionMachine = ({ framePath, modelPath, labelsPath, attributes }: MachineParts) =>
  ({
    components: [imageCamera('cam', framePath)],
    services: [
      {
        name: 'm',
        api: 'rdk:service:mlmodel',
        model: onnxModel,
        attributes: { model_path: modelPath, label_path: labelsPath },
      },
      {
        name: 'v',
        api: 'rdk:service:vision',
        model: 'mlmodel',
        attributes: { mlmodel_name: 'm', camera_name: 'cam', ...attributes },
      },
    ],
  }) as const satisfies MachineResources;
