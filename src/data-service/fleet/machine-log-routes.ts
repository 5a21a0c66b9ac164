import type { ServiceImpl } from '@connectrpc/connect';
import type { RobotService } from '../../gen/app/v1/robot_pb.ts';
import { principalOf } from '../access/principal.ts';
import { requirePart } from '../access/require-part.ts';
import type { DataServiceDependencies } from '../dependencies.ts';

/**
 * Answers the logs of machines, which are not kept. A machine sends what it has logged every few seconds, again and again until it is
 * answered, and each refusal is one more line of its log.
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
