import { createClient, type Interceptor } from '@connectrpc/connect';
import { createGrpcWebTransport } from '@connectrpc/connect-web';
import { captureId, type CaptureParcel } from '../../src/evidence/capture/capture.ts';
import { DataSyncService, DataType } from '../../src/gen/app/datasync/v1/data_sync_pb.ts';
import { AuthService } from '../../src/gen/proto/rpc/v1/auth_pb.ts';
import { openCaptures } from '../../src/platform/browser/indexed-db/capture-store/open-captures.ts';
import { openOutbox } from '../../src/platform/browser/outbox/open-outbox.ts';
import { sha256 } from '../../src/platform/browser/bytes/sha256.ts';
import type { OutboxPlace, OutboxSpeeds } from './outbox-speeds.ts';

const bareAtATime = 8;
const lookEveryMs = 50;

/** Alternates sending pictures of noise by the outbox, as the app's page does, with sending similar ones by plain calls. */
async function measure(
  place: OutboxPlace,
  pictureBytes: number,
  picturesARound: number,
  rounds: number,
): Promise<OutboxSpeeds> {
  const open = openCaptures('bench-captures');
  const { outbox, store, close } = openOutbox(open, () =>
    Promise.reject(new Error('Nothing is sent to oneself here.')),
  );
  const { key, ...typed } = place;
  const { id: targetId } = await outbox.addTarget({ ...typed, name: 'Bench' }, key, false);
  const bare = await bareUpload(place);

  /** Reads little and is called rarely, because each read competes with the outbox for its store. */
  async function isSending(): Promise<boolean> {
    const queues = await store.queues(1);
    return queues.some(({ waiting }) => waiting.length > 0) || (await store.inState('sending')).length > 0;
  }

  async function byOutbox(): Promise<number> {
    const parcels = await madeParcels(pictureBytes, picturesARound);
    await outbox.pause();
    await open.captures.put(parcels);
    await outbox.sendCaptures(
      parcels.map(({ capture }) => capture),
      targetId,
    );
    const startMs = performance.now();
    await outbox.resume();
    while (await isSending()) await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
    return (1000 * picturesARound) / (performance.now() - startMs);
  }

  async function byBareCalls(): Promise<number> {
    const parcels = await madeParcels(pictureBytes, picturesARound);
    const sendRest = async (): Promise<void> => {
      for (let parcel = parcels.pop(); parcel; parcel = parcels.pop()) await bare(parcel);
    };
    const startMs = performance.now();
    await Promise.all(Array.from({ length: bareAtATime }, sendRest));
    return (1000 * picturesARound) / (performance.now() - startMs);
  }

  const speeds = { outbox: [] as number[], bare: [] as number[] };
  for (let round = -1; round < rounds; round++) {
    const [ofOutbox, ofBare] = [await byOutbox(), await byBareCalls()];
    if (round < 0) continue; // warm-up
    speeds.outbox.push(ofOutbox);
    speeds.bare.push(ofBare);
  }
  close();
  await open.close();
  return speeds;
}

/** Returns a function that uploads one picture by one call. */
async function bareUpload({ url, keyId, key, partId }: OutboxPlace): Promise<(parcel: CaptureParcel) => Promise<void>> {
  const auth = createClient(AuthService, createGrpcWebTransport({ baseUrl: url }));
  const { accessToken } = await auth.authenticate({ entity: keyId, credentials: { type: 'api-key', payload: key } });
  const authorize: Interceptor = (next) => (request) => {
    request.header.set('authorization', `Bearer ${accessToken}`);
    return next(request);
  };
  const sync = createClient(DataSyncService, createGrpcWebTransport({ baseUrl: url, interceptors: [authorize] }));
  return async ({ capture, content }) => {
    const value = new Uint8Array(await content.arrayBuffer());
    const fileName = `${capture.id}.jpg`;
    await sync.dataCaptureUpload({
      metadata: { partId, type: DataType.BINARY_SENSOR, componentName: 'bare', fileName, fileExtension: '.jpg' },
      sensorContents: [{ data: { case: 'binary', value } }],
    });
  };
}

let made = 0;

async function madeParcels(pictureBytes: number, count: number): Promise<CaptureParcel[]> {
  return Promise.all(Array.from({ length: count }, () => madeParcel(pictureBytes)));
}

async function madeParcel(pictureBytes: number): Promise<CaptureParcel> {
  const bytes = crypto.getRandomValues(new Uint8Array(pictureBytes));
  const content = new Blob([bytes], { type: 'image/jpeg' });
  const timeMs = Date.now() + ++made / 1000;
  return {
    content,
    thumbnail: new Blob(['small'], { type: 'image/jpeg' }),
    raw: null,
    capture: {
      id: captureId(timeMs, crypto.randomUUID()),
      reason: { kind: 'person' },
      source: { kind: 'file', name: `${made}.jpg`, index: made, timestampMs: 0 },
      image: {
        mediaType: 'image/jpeg',
        widthPx: 640,
        heightPx: 480,
        sizeBytes: pictureBytes,
        sha256: await sha256(bytes),
        encoding: 'original',
      },
      timeRequestedMs: timeMs,
      timeReceivedMs: timeMs,
      setup: null,
      timings: null,
      detections: null,
      classifications: null,
      problems: [],
      tags: [],
      boxes: [],
      classes: [],
      correctedAtMs: null,
    },
  };
}

Object.assign(globalThis, { measure });
