import { createPromiseClient } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { MLModelClient, VisionClient, type RobotClient } from '@viamrobotics/sdk';

/** The Viam SDK's clients for one machine, over unencrypted gRPC and without the session of its RobotClient. */
export function machineClients(origin: string) {
  const transport = createGrpcTransport({ baseUrl: origin, httpVersion: '2' });
  const services: Pick<RobotClient, 'createServiceClient'> = {
    createServiceClient: (service) => createPromiseClient(service, transport),
  };
  const robot = services as RobotClient;
  return {
    vision: (name: string) => new VisionClient(robot, name),
    model: (name: string) => new MLModelClient(robot, name),
  };
}
