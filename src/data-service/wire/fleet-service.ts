import { AppService } from '../../gen/app/v1/app_pb.ts';

const { updateRobotPart: _ofAccountServices, ...method } = AppService.method;

/** What the data service answers of AppService: reads. It keeps no configuration, so it takes none. */
export const FleetService = { ...AppService, method, methods: Object.values(method) };
