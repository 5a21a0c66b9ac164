import { Code, ConnectError, createRouterTransport, type ConnectRouter, type Transport } from '@connectrpc/connect';
import { CameraService } from '../src/gen/component/camera/v1/camera_pb.ts';
import { AuthService } from '../src/gen/proto/rpc/v1/auth_pb.ts';
import { GetMachineStatusResponse_State, ResourceStatus_State, RobotService } from '../src/gen/robot/v1/robot_pb.ts';
import { MLModelService } from '../src/gen/service/mlmodel/v1/mlmodel_pb.ts';
import { VisionService } from '../src/gen/service/vision/v1/vision_pb.ts';
import { fromFlatTensor, toFlatTensor } from '../src/remote/live-machine/flat-tensors.ts';
import { linkMachine, type MachineEndpoint } from '../src/remote/live-machine/link-machine.ts';
import type { FrameAnswer, LiveMachine } from '../src/remote/live-machine/live-machine.ts';
import type { Tensor, TensorInfo } from '../src/machine/vision/tensor/tensor.ts';

/** The components and answers of a fake machine. It lacks those that are omitted. */
export interface PretendedMachine {
  readonly cameraName?: string;
  readonly visionName?: string;
  /** why the vision service could not be built, in which case it is not listed; '' = it was built */
  readonly visionError?: string;
  readonly modelName?: string;
  /** the name of the configuration that it has now */
  readonly revision?: () => string;
  /** id of its part in an account service; '' = none */
  readonly partId?: string;
  /** the required API key; '' = none */
  readonly key?: string;
  readonly detects?: boolean;
  readonly classifies?: boolean;
  /** the bytes of the camera's next image */
  readonly image?: () => Uint8Array;
  readonly mediaType?: string;
  /** a transform camera, and its output for the camera's current image */
  readonly transformCamera?: { readonly name: string; readonly image: () => Uint8Array };
  /** the vision service's answer for an image that the caller sends */
  readonly answer?: (image: Uint8Array) => FrameAnswer | Promise<FrameAnswer>;
  /** the vision service's answer for a frame that the machine captures itself; default: the same */
  readonly captureAnswer?: (image: Uint8Array) => FrameAnswer | Promise<FrameAnswer>;
  readonly model?: {
    readonly inputs: readonly TensorInfo[];
    readonly outputs: readonly TensorInfo[];
    run(feeds: Readonly<Record<string, Tensor>>): Promise<Readonly<Record<string, Tensor>>>;
  };
}

/** The routes of a fake machine with the public API. */
export function pretendedRoutes(machine: PretendedMachine): (router: ConnectRouter) => void {
  const {
    cameraName = 'cam',
    visionName = 'v',
    visionError = '',
    modelName = 'm',
    revision = () => 'r1',
    partId = '',
    key = '',
    detects = true,
    classifies = false,
  } = machine;
  const image = machine.image ?? (() => Uint8Array.of(1));
  const mediaType = machine.mediaType ?? 'image/png';
  const answer = machine.answer ?? (() => ({ detections: [], classifications: [] }));
  const refuseStrangers = (header: Headers): void => {
    if (key !== '' && header.get('authorization') !== `Bearer ${key}`) {
      throw new ConnectError('invalid token', Code.Unauthenticated);
    }
  };
  /** Throws the machine's error for an unknown name. */
  const know = (name: string, api: string, known: string): void => {
    if (name !== known) throw new ConnectError(`no node found with api ${api} and name ${name}`, Code.Unknown);
  };
  const toWire = (said: FrameAnswer) => ({
    detections: (said.detections ?? []).map(({ label, score, xMin, yMin, xMax, yMax }) => ({
      className: label,
      confidence: score,
      xMin: BigInt(xMin),
      yMin: BigInt(yMin),
      xMax: BigInt(xMax),
      yMax: BigInt(yMax),
    })),
    classifications: (said.classifications ?? []).map(({ label, score }) => ({ className: label, confidence: score })),
  });
  const resource = (type: string, subtype: string, name: string) => ({ namespace: 'rdk', type, subtype, name });
  const resources = [
    resource('component', 'camera', cameraName),
    ...(machine.transformCamera ? [resource('component', 'camera', machine.transformCamera.name)] : []),
    ...(visionError === '' ? [resource('service', 'vision', visionName)] : []),
    resource('service', 'mlmodel', modelName),
  ];
  const unbuilt = { name: resource('service', 'vision', visionName), state: ResourceStatus_State.UNHEALTHY };

  return ({ service }) => {
    service(AuthService, {
      authenticate({ credentials }) {
        if (credentials?.payload !== key) throw new ConnectError('invalid credentials', Code.Unauthenticated);
        return { accessToken: key };
      },
    });
    service(RobotService, {
      getVersion: (_, { requestHeader }) => {
        refuseStrangers(requestHeader);
        return { platform: 'rdk', version: 'v1.2.3', apiVersion: 'v0.1' };
      },
      resourceNames: () => ({ resources }),
      getCloudMetadata() {
        if (partId === '') throw new ConnectError('no cloud metadata', Code.Unknown);
        return { machinePartId: partId };
      },
      getMachineStatus: () => ({
        state: GetMachineStatusResponse_State.RUNNING,
        config: { revision: revision() },
        resources: [
          ...resources.map((name) => ({ name, state: ResourceStatus_State.READY, revision: revision() })),
          ...(visionError === '' ? [] : [{ ...unbuilt, error: visionError }]),
        ],
      }),
    });
    service(CameraService, {
      getImages({ name }) {
        const transform = machine.transformCamera?.name === name ? machine.transformCamera : null;
        if (!transform) know(name, 'rdk:component:camera', cameraName);
        return {
          images: [{ sourceName: 'color', mimeType: mediaType, image: (transform?.image ?? image)() }],
          responseMetadata: { capturedAt: { seconds: 12n, nanos: 500_000_000 } },
        };
      },
    });
    service(VisionService, {
      getProperties({ name }) {
        know(name, 'rdk:service:vision', visionName);
        return { detectionsSupported: detects, classificationsSupported: classifies, defaultCamera: cameraName };
      },
      async captureAllFromCamera({ name, returnDetections, returnClassifications }) {
        know(name, 'rdk:service:vision', visionName);
        const bytes = image();
        const { detections, classifications } = toWire(await (machine.captureAnswer ?? answer)(bytes));
        return {
          image: { mimeType: mediaType, image: bytes },
          detections: returnDetections ? detections : [],
          classifications: returnClassifications ? classifications : [],
        };
      },
      getDetections: async (request) => ({ detections: toWire(await answer(request.image)).detections }),
      getClassifications: async (request) => ({ classifications: toWire(await answer(request.image)).classifications }),
    });
    const { model } = machine;
    if (!model) return;
    const infoOf = ({ name, dtype, shape }: TensorInfo) => ({ name, dataType: dtype, shape: [...shape] });
    service(MLModelService, {
      metadata: () => ({
        metadata: { name: modelName, inputInfo: model.inputs.map(infoOf), outputInfo: model.outputs.map(infoOf) },
      }),
      async infer({ inputTensors }) {
        const feeds = Object.entries(inputTensors?.tensors ?? {}).map(
          ([name, tensor]) => [name, fromFlatTensor(name, tensor)] as const,
        );
        const results = await model.run(Object.fromEntries(feeds));
        const tensors = Object.entries(results).map(([name, tensor]) => [name, toFlatTensor(tensor)] as const);
        return { outputTensors: { tensors: Object.fromEntries(tensors) } };
      },
    });
  };
}

/** A client of a fake machine in memory. */
export function linkPretended(machine: PretendedMachine, way: Partial<MachineEndpoint> = {}): LiveMachine {
  const transport: Transport = createRouterTransport(pretendedRoutes(machine));
  return linkMachine({
    address: 'http://robot:8080',
    transport,
    authorize: null,
    redact: (message) => message,
    ...way,
  });
}
