import { Counter, Gauge, type Registry } from 'prom-client';

export interface MongoMetrics {
  readonly connections: Gauge;
  readonly running: Gauge;
  readonly commands: Counter<'command' | 'outcome'>;
  readonly cutOff: Counter<'reason'>;
  readonly failedLogins: Counter;
}

export function createMongoMetrics(registry: Registry): MongoMetrics {
  const registers = [registry];
  return {
    connections: new Gauge({
      name: 'sightglass_mongo_connections',
      help: 'Open connections of the database endpoint.',
      registers,
    }),
    running: new Gauge({
      name: 'sightglass_mongo_commands_in_flight',
      help: 'Commands of the database endpoint under way.',
      registers,
    }),
    commands: new Counter({
      name: 'sightglass_mongo_commands_total',
      help: 'Commands that the database endpoint answered, by name and outcome (ok, or the name of the error).',
      labelNames: ['command', 'outcome'],
      registers,
    }),
    cutOff: new Counter({
      name: 'sightglass_mongo_connections_cut_off_total',
      help: 'Connections of the database endpoint that were cut off: stalled, garbage, or an outdated password.',
      labelNames: ['reason'],
      registers,
    }),
    failedLogins: new Counter({
      name: 'sightglass_mongo_failed_logins_total',
      help: 'Failed attempts to log in to the database endpoint.',
      registers,
    }),
  };
}
