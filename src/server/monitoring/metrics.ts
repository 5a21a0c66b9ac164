import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { DataStore } from '../../data-service/face/stores.ts';
import type { Response } from '../http/exchange.ts';
import { createMongoMetrics, type MongoMetrics } from './mongo-metrics.ts';
import type { ClockWatch } from '../storage/clock-watch.ts';
import type { KeptStorage } from '../storage/keep-storage.ts';
import { addStorageMetrics } from '../storage/storage-metrics.ts';
import { addStoredMetrics } from '../storage/stored-metrics.ts';
import { addHealthMetrics } from './health-metrics.ts';
import type { StoreHealth } from '../storage/store-health.ts';

export interface Metrics {
  /**
   * Counts and times an exchange under the name of what it is for: never anything that a client chooses.
   * @param codeOf the gRPC status of a call, asked at its end; '' for what is no call
   */
  observe(response: Response, operation: string, codeOf: () => string): void;
  /** Tells from now on how many wait in a queue. */
  watchQueue(name: string, length: () => number): void;
  /** Tells from now on whether a clock has leapt. */
  watchClock(watch: ClockWatch): void;
  readonly stalled: Counter;
  /** connections refused, or closed to make room, by the option that bounds them */
  readonly closedConnections: Counter<'option'>;
  readonly refusedAttempts: Counter;
  readonly mongo: MongoMetrics;
  /** Prometheus' text format */
  text(): Promise<string>;
  readonly contentType: string;
}

const durationBucketsSeconds = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 60, 600];

/**
 * With those of the process: its memory, its CPU, the lag of its event loop.
 * @param isForKeepers they have a port of their own, and name organizations
 */
export function createMetrics(
  store: DataStore,
  storage: KeptStorage | null,
  health: StoreHealth,
  isForKeepers: boolean,
): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  addStoredMetrics(registry, store, isForKeepers);
  if (storage !== null) addStorageMetrics(registry, storage);
  addHealthMetrics(registry, health);
  const queues = new Map<string, () => number>();
  new Gauge({
    name: 'sightglass_queue_length',
    help: 'How many wait, by what for.',
    labelNames: ['queue'],
    registers,
    collect() {
      for (const [queue, length] of queues) this.set({ queue }, length());
    },
  });
  const requests = new Counter({
    name: 'sightglass_requests_total',
    help: 'Requests that ended, by operation, HTTP status (0: cut off before one was sent) and, of calls, gRPC status code.',
    labelNames: ['operation', 'status', 'code'],
    registers,
  });
  const seconds = new Histogram({
    name: 'sightglass_request_duration_seconds',
    help: 'From the first header to the end of the answer.',
    labelNames: ['operation'],
    buckets: durationBucketsSeconds,
    registers,
  });
  const inFlight = new Gauge({ name: 'sightglass_requests_in_flight', help: 'Requests under way.', registers });
  const closedConnections = new Counter({
    name: 'sightglass_connections_closed_total',
    help: 'Connections refused, or closed to make room for another one, by the option that bounds them.',
    labelNames: ['option'],
    registers,
  });
  // there from the start, so that the first one is a rise
  for (const option of ['max-connections', 'max-connections-per-address']) closedConnections.inc({ option }, 0);
  return {
    observe(response, operation, codeOf) {
      const end = seconds.startTimer({ operation });
      inFlight.inc();
      response.once('close', () => {
        end();
        inFlight.dec();
        requests.inc({ operation, status: response.headersSent ? response.statusCode : 0, code: codeOf() });
      });
    },
    watchQueue: (name, length) => void queues.set(name, length),
    watchClock(watch) {
      new Gauge({
        name: 'sightglass_clock_leap_seconds',
        help: 'By how much the clock went on at once, which nobody has confirmed; nothing is deleted by age meanwhile. 0: it did not.',
        registers,
        collect() {
          this.set(watch.leapSeconds);
        },
      });
    },
    stalled: new Counter({
      name: 'sightglass_requests_stalled_total',
      help: 'Requests cut off because the client neither sent nor took anything, or sent too slowly without a key.',
      registers,
    }),
    closedConnections,
    refusedAttempts: new Counter({
      name: 'sightglass_authenticate_refused_total',
      help: 'Attempts to authenticate that were refused for being too many.',
      registers,
    }),
    mongo: createMongoMetrics(registry),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
