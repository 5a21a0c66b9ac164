import type { BinaryRecord } from '../src/data-service/ports/stored-captures.ts';
import { recordedMethod } from '../src/data-service/ports/result-store.ts';

/** How long it took to load what was said of frames. */
export interface Loads {
  readonly firstMs: number;
  readonly secondMs: number;
  /** to read the packed sheets, and do nothing with them */
  readonly bareMs: number;
}

/** A machine records five frames a second. */
export const frameMicros = 200_000;
const firstMicros = Date.UTC(2026, 0, 5) * 1000;
const labels = ['person', 'dog', 'car'];

/** The n-th frame of the recorded service `watch`, with none to three boxes. */
export function recordedFrameAt(
  n: number,
  { organizationId, partId }: Pick<BinaryRecord, 'organizationId' | 'partId'>,
): BinaryRecord {
  const time = firstMicros + n * frameMicros;
  const fileId = `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
  return {
    organizationId,
    partId,
    locationId: 'local',
    robotId: 'robot',
    robotName: 'rover',
    partName: 'rover-main',
    componentType: 'rdk:service:vision',
    componentName: 'watch',
    methodName: recordedMethod,
    methodParameters: {},
    internal: false,
    tags: [],
    timeRequested: time,
    timeReceived: time + 50_000,
    timeSynced: time + 1_000_000,
    id: `${organizationId}/local/${fileId}`,
    fileId,
    fileName: `${fileId}.jpg`,
    fileExtension: '.jpg',
    mimeType: 'image/jpeg',
    sizeBytes: 100_000,
    sha256: 'ab'.repeat(32),
    blobAddress: fileId,
    boundingBoxes: Array.from({ length: n % 4 }, (_, at) => ({
      id: `box-${at}`,
      label: labels[at]!,
      xMinNormalized: 0.1,
      yMinNormalized: 0.2,
      xMaxNormalized: 0.3,
      yMaxNormalized: 0.4,
      confidence: ((n * 7919 + at * 104_729) % 1000) / 1000,
    })),
    classifications: [],
  };
}
