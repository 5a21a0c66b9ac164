import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { Response } from './exchange.ts';
import { createMongoMetrics, type MongoMetrics } from './mongo/mongo-metrics.ts';
import type { KeptStorage } from './storage/keep-storage.ts';
import { addStorageMetrics } from './storage/storage-metrics.ts';

export interface Metrics {
  /**
   * Counts and times an exchange under the name of what it is for: never anything that a client chooses.
   * @param codeOf the gRPC status of a call, asked at its end; '' for what is no call
   */
  observe(response: Response, operation: string, codeOf: () => string): void;
  /** Tells from now on how many wait in a queue. */
  watchQueue(name: string, length: () => number): void;
  readonly stalled: Counter;
  readonly refusedAttempts: Counter;
  readonly mongo: MongoMetrics;
  /** Prometheus' text format */
  text(): Promise<string>;
  readonly contentType: string;
}

const durationBucketsSeconds = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 60, 600];

/** With those of the process: its memory, its CPU, the lag of its event loop. */
export function createMetrics(storage: KeptStorage | null = null): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  if (storage !== null) addStorageMetrics(registry, storage);
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
    stalled: new Counter({
      name: 'sightglass_requests_stalled_total',
      help: 'Requests cut off because the client neither sent nor took anything.',
      registers,
    }),
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
