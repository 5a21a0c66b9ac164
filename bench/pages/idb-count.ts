import { everythingOf } from '../../src/data-service/ports/capture-filter.ts';
import type { BinaryRecord } from '../../src/data-service/ports/stored-captures.ts';
import { idbDataStore } from '../../src/platform/browser/indexed-db/data-store/idb-data-store.ts';

const atOnce = 1000;
const stepMicros = 60 * 1_000_000;

/** Stores `count` images with times a minute apart, then counts them; time in ms of each round. */
async function measure(count: number, rounds: number): Promise<readonly number[]> {
  const store = idbDataStore({ now: () => Date.now() * 1000 });
  for (let first = 0; first < count; first += atOnce) {
    const records = Array.from({ length: atOnce }, (_, index) => imageAt(first + index));
    const receipt = {
      organizationId: 'org',
      uploadId: `upload-${first}`,
      fromClient: false,
      fileId: '',
      binaryDataId: '',
    };
    await store.binary.insert(records, { ...receipt, timeSynced: first });
  }
  const filter = { ...everythingOf('org'), mimeTypes: [], boxLabels: [], datasetId: '' };
  const times: number[] = [];
  for (let round = -1; round < rounds; round++) {
    const startMs = performance.now();
    const summary = await store.binary.summarize(filter);
    if (round >= 0) times.push(performance.now() - startMs);
    if (summary.count !== count) throw new Error(`Counted ${summary.count} of ${count} images.`);
  }
  await store.close();
  return times;
}

function imageAt(n: number): BinaryRecord {
  const time = Date.UTC(2026, 0, 1) * 1000 + n * stepMicros;
  return {
    organizationId: 'org',
    locationId: 'loc',
    robotId: 'robot',
    robotName: 'rover',
    partId: 'part',
    partName: 'rover-main',
    componentType: 'rdk:component:camera',
    componentName: n % 2 ? 'front' : 'back',
    methodName: 'ReadImage',
    methodParameters: {},
    internal: false,
    tags: [],
    timeRequested: time,
    timeReceived: time,
    timeSynced: time,
    id: `org/loc/${n}`,
    fileId: String(n),
    fileName: `${n}.jpg`,
    fileExtension: '.jpg',
    mimeType: 'image/jpeg',
    sizeBytes: 100_000,
    sha256: '00',
    blobAddress: `blob-${n}`,
    boundingBoxes: [],
    classifications: [],
  };
}

Object.assign(globalThis, { measure });
