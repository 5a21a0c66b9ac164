import type { ServiceImpl } from '@connectrpc/connect';
import type { RobotService } from '../../gen/app/v1/robot_pb.ts';
import { principalOf } from '../access/principal.ts';
import { requirePart } from '../access/require-part.ts';
import type { DataServiceDependencies } from '../ports/dependencies.ts';

/**
 * Accepts the logs of machines, and drops them. A machine sends its new lines every few seconds, repeats them until they are accepted, and
 * logs each refusal as one more line.
 */
export function machineLogRoutes(
  dependencies: Pick<DataServiceDependencies, 'store'>,
): ServiceImpl<typeof RobotService> {
  return {
    async log({ id }, context) {
      await requirePart(dependencies, principalOf(context), id);
      return {};
    },
  };
}
