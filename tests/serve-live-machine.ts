import { pretendedRoutes, type PretendedMachine } from './live-machine-fixture.ts';
import { serveRoutes, type ServedRoutes } from './serve-routes.ts';

/** Serves a fake machine on loopback. */
export function serveMachine(machine: PretendedMachine, port = 0): Promise<ServedRoutes> {
  return serveRoutes(pretendedRoutes(machine), port);
}
