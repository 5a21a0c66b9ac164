import type { TabularRow } from '../src/data-service/ports/stored-captures.ts';

export const organizationId = 'org';

const startTime = Date.UTC(2026, 0, 1) * 1000;
const components = ['probe', 'pump', 'fan', 'door'];

/** Readings of four sensors, ten per second, in runs of a thousand of one sensor: numbers of all kinds, a text, a boolean. */
export function sensorRows(first: number, count: number): TabularRow[] {
  return Array.from({ length: count }, (_, index) => sensorRow(first + index));
}

function sensorRow(n: number): TabularRow {
  const upload = Math.floor(n / 1000);
  const timeRequested = startTime + n * 100_000;
  return {
    id: `00000000-0000-4000-8000-${String(upload).padStart(12, '0')}-${String(n % 1000).padStart(6, '0')}`,
    organizationId,
    locationId: 'loc',
    robotId: 'robot',
    robotName: 'rover',
    partId: 'part',
    partName: 'rover-main',
    componentType: 'rdk:component:sensor',
    methodName: 'Readings',
    componentName: components[upload % components.length]!,
    methodParameters: {},
    internal: false,
    tags: [],
    additionalParameters: '',
    sizeBytes: 120,
    timeRequested,
    timeReceived: timeRequested + 1500 + (n % 700),
    timeSynced: timeRequested + 5_000_000,
    payload: { readings: sensorValues(n) },
  };
}

export const sensorValues = (n: number) => ({
  temperature: Math.round((20 + 10 * Math.sin(n / 1000)) * 1000) / 1000,
  humidity: ((n * 7919) % 104_729) / 1047.29,
  count: n % 1000,
  state: ['idle', 'run', 'stop'][n % 3]!,
  ok: n % 7 !== 0,
});
