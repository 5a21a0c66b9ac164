import { createClient, type CallOptions, type Transport } from '@connectrpc/connect';
import type { Timestamp } from '@bufbuild/protobuf/wkt';
import { CameraService } from '../../gen/component/camera/v1/camera_pb.ts';
import type { Image } from '../../gen/component/camera/v1/camera_pb.ts';
import type { ResourceName } from '../../gen/common/v1/common_pb.ts';
import { GetMachineStatusResponse_State, ResourceStatus_State, RobotService } from '../../gen/robot/v1/robot_pb.ts';
import { MLModelService, type TensorInfo } from '../../gen/service/mlmodel/v1/mlmodel_pb.ts';
import {
  VisionService,
  type Classification as WireClassification,
  type Detection as WireDetection,
} from '../../gen/service/vision/v1/vision_pb.ts';
import type { Authorize } from '../outbox/access-tokens.ts';
import type { Classification, Detection } from '../../machine/vision/face/results.ts';
import { fromFlatTensor, toFlatTensor } from './flat-tensors.ts';
import { LinkError } from './link-error.ts';
import { linkErrorOf } from './link-failure.ts';
import type { LiveImage, LiveMachine, LiveTensorInfo } from './live-machine.ts';

/** How a machine is reached. */
export interface MachineEndpoint {
  /** for messages: as the person typed it */
  readonly address: string;
  readonly transport: Transport;
  /** null: it asks for no key */
  readonly authorize: Authorize | null;
  /** Takes what must not be told out of a message. */
  readonly redact: (message: string) => string;
  /** default: HTTP, which keeps no connection open */
  readonly connection?: Pick<LiveMachine, 'route' | 'close' | 'channel'>;
}

const byHttp: Pick<LiveMachine, 'route' | 'close'> = {
  route: async () => ({ kind: 'http', roundTripMs: null, receivedBytes: null }),
  close: () => undefined,
};

/** A call without an answer is given up after this: a camera of one frame in ten seconds still answers. */
const patienceMs = 30_000;

function brokeOff(address: string, cause: LinkError): LinkError {
  return new LinkError('no-answer', `${address} answers as a machine no more.`, 'It is asked again automatically.', {
    cause,
  });
}

/** The operations of a machine's public API, as the app needs them. */
export function linkMachine({
  address,
  transport,
  authorize,
  redact,
  connection = byHttp,
}: MachineEndpoint): LiveMachine {
  const robot = createClient(RobotService, transport);
  const camera = createClient(CameraService, transport);
  const vision = createClient(VisionService, transport);
  const mlmodel = createClient(MLModelService, transport);

  let hasAnswered = false;

  async function call<T>(signal: AbortSignal, make: (options: CallOptions) => Promise<T>): Promise<T> {
    const options = { signal, timeoutMs: patienceMs };
    try {
      const answer = authorize
        ? await authorize(signal, (authorization) => make({ ...options, headers: { authorization } }))
        : await make(options);
      hasAnswered = true;
      return answer;
    } catch (error) {
      const failure = linkErrorOf(error, address, redact);
      // A machine that ends gives what is still asked an empty answer.
      throw hasAnswered && failure.code === 'not-a-machine' ? brokeOff(address, failure) : failure;
    }
  }

  return {
    ...connection,

    async version(signal) {
      const { platform, version, apiVersion } = await call(signal, (options) => robot.getVersion({}, options));
      return { platform, version, apiVersion };
    },

    async resources(signal) {
      const { resources } = await call(signal, (options) => robot.resourceNames({}, options));
      return resources.map(({ name, ...kind }) => ({ api: apiOf(kind), name }));
    },

    async health(signal) {
      const { state, config, resources } = await call(signal, (options) => robot.getMachineStatus({}, options));
      return {
        isRunning: state !== GetMachineStatusResponse_State.INITIALIZING,
        revision: config?.revision ?? '',
        resources: resources.flatMap(({ name, state: resourceState, lastUpdated, revision, error }) =>
          name
            ? [
                {
                  api: apiOf(name),
                  name: name.name,
                  isReady: resourceState === ResourceStatus_State.READY,
                  updatedAtMs: timeOf(lastUpdated),
                  revision,
                  error: redact(error),
                },
              ]
            : [],
        ),
      };
    },

    async partId(signal) {
      try {
        const { machinePartId } = await call(signal, (options) => robot.getCloudMetadata({}, options));
        return machinePartId || null;
      } catch (error) {
        // A machine without an account answers with a failure like any other, an older one with an unknown operation.
        if (error instanceof LinkError && (error.code === 'failed' || error.code === 'too-old')) return null;
        throw error;
      }
    },

    async images(cameraName, signal) {
      const answer = await call(signal, (options) => camera.getImages({ name: cameraName }, options));
      const capturedAtMs = timeOf(answer.responseMetadata?.capturedAt);
      return answer.images.map((image) => liveImage(image, capturedAtMs));
    },

    async visionAbilities(visionName, signal) {
      const answer = await call(signal, (options) => vision.getProperties({ name: visionName }, options));
      const { classificationsSupported, detectionsSupported, defaultCamera } = answer;
      return { classifies: classificationsSupported, detects: detectionsSupported, defaultCamera: defaultCamera ?? '' };
    },

    async captureAll({ visionName, cameraName, abilities }, signal) {
      const request = {
        name: visionName,
        cameraName,
        returnImage: true,
        returnClassifications: abilities.classifies,
        returnDetections: abilities.detects,
      };
      const { image, detections, classifications } = await call(signal, (options) =>
        vision.captureAllFromCamera(request, options),
      );
      if (!image) {
        throw new LinkError(
          'too-old',
          `Vision service "${visionName}" answered without its frame.`,
          'Let the machine update its viam-server.',
        );
      }
      return {
        image: liveImage(image, null),
        detections: abilities.detects ? detections.map(toDetection) : null,
        classifications: abilities.classifies ? classifications.map(toClassification) : null,
      };
    },

    async answerTo({ bytes, mediaType }, { visionName, abilities }, signal) {
      const request = { name: visionName, image: bytes, mimeType: mediaType };
      const detected = abilities.detects
        ? await call(signal, (options) => vision.getDetections(request, options))
        : null;
      const classified = abilities.classifies
        ? await call(signal, (options) => vision.getClassifications(request, options))
        : null;
      return {
        detections: detected && detected.detections.map(toDetection),
        classifications: classified && classified.classifications.map(toClassification),
      };
    },

    async modelMetadata(modelName, signal) {
      const { metadata } = await call(signal, (options) => mlmodel.metadata({ name: modelName }, options));
      return {
        name: metadata?.name ?? '',
        type: metadata?.type ?? '',
        inputs: (metadata?.inputInfo ?? []).map(tensorInfo),
        outputs: (metadata?.outputInfo ?? []).map(tensorInfo),
      };
    },

    async infer(modelName, tensors, signal) {
      const flat = Object.fromEntries(Object.entries(tensors).map(([name, tensor]) => [name, toFlatTensor(tensor)]));
      const { outputTensors } = await call(signal, (options) =>
        mlmodel.infer({ name: modelName, inputTensors: { tensors: flat } }, options),
      );
      return Object.fromEntries(
        Object.entries(outputTensors?.tensors ?? {}).map(([name, tensor]) => [name, fromFlatTensor(name, tensor)]),
      );
    },
  };
}

/** Whole pixels of the frame. */
const toDetection = ({ className, confidence, xMin, yMin, xMax, yMax }: WireDetection): Detection => ({
  label: className,
  score: confidence,
  xMin: Number(xMin ?? 0n),
  yMin: Number(yMin ?? 0n),
  xMax: Number(xMax ?? 0n),
  yMax: Number(yMax ?? 0n),
});

const toClassification = ({ className, confidence }: WireClassification): Classification => ({
  label: className,
  score: confidence,
});

const apiOf = ({ namespace, type, subtype }: Pick<ResourceName, 'namespace' | 'type' | 'subtype'>): string =>
  `${namespace}:${type}:${subtype}`;

function liveImage({ sourceName, mimeType, image }: Image, capturedAtMs: number | null): LiveImage {
  return { sourceName, mediaType: mimeType, bytes: image.slice(), capturedAtMs };
}

function timeOf(time: Timestamp | undefined): number | null {
  return time ? Number(time.seconds) * 1000 + time.nanos / 1e6 : null;
}

function tensorInfo({ name, dataType, shape, associatedFiles, extra }: TensorInfo): LiveTensorInfo {
  const path = extra?.['labels'];
  const labelFiles = [
    ...associatedFiles.map((file) => file.name),
    ...(typeof path === 'string' && path !== '' ? [path] : []),
  ];
  return { name, dataType, shape, labelFiles };
}
