import type { ServiceImpl } from '@connectrpc/connect';
import type { LabelService } from '../../gen/sightglass/labels/v1/labels_pb.ts';
import type { DataServiceDependencies } from '../ports/dependencies.ts';
import { agreementRoutes } from './agreement-routes.ts';
import { imageRoutes } from './image-routes.ts';
import { schemeRoutes } from './scheme-routes.ts';
import { taskRoutes } from './task-routes.ts';

/** Work on labels by several people. */
export const labelRoutes = (dependencies: DataServiceDependencies): ServiceImpl<typeof LabelService> => ({
  ...taskRoutes(dependencies),
  ...imageRoutes(dependencies),
  ...schemeRoutes(dependencies),
  ...agreementRoutes(dependencies),
});
