import type { Capture, CaptureParcel } from '../../src/evidence/capture/capture.ts';
import { partsOf } from '../../src/remote/outbox/entry-steps.ts';
import type { OutboxEntry } from '../../src/remote/outbox/outbox-entry.ts';
import { browserTarget } from '../../src/remote/outbox/outbox-target.ts';

export function parcelOf(id: string, content = `pixels of ${id}`): CaptureParcel {
  const capture: Capture = {
    id,
    reason: { kind: 'person' },
    source: { kind: 'live', name: 'webcam', index: 0, timestampMs: 0 },
    image: {
      mediaType: 'image/jpeg',
      widthPx: 4,
      heightPx: 3,
      sizeBytes: content.length,
      sha256: `hash of ${content}`,
      encoding: { quality: 0.92 },
    },
    timeRequestedMs: 1.25,
    timeReceivedMs: 2.5,
    setup: null,
    timings: null,
    detections: null,
    classifications: null,
    problems: [],
    tags: [],
    boxes: [],
    classes: [],
    correctedAtMs: null,
  };
  return {
    capture,
    content: new Blob([content], { type: 'image/jpeg' }),
    thumbnail: new Blob([`small ${id}`], { type: 'image/jpeg' }),
    raw: { detections: null, classifications: { labels: ['a'], score: Float64Array.of(0.1) } },
  };
}

export function entryOf(id: string, changes: Partial<OutboxEntry> = {}): OutboxEntry {
  const parts = { tags: [], datasetIds: [], boxes: [], classes: [] };
  return {
    id,
    targetId: browserTarget.id,
    digest: `digest of ${id}`,
    sizeBytes: 3,
    generation: 0,
    state: 'waiting',
    dueMs: 0,
    failures: 0,
    lastFailure: null,
    progress: { sentBytes: 0, totalBytes: 3 },
    mayBeStored: 'no',
    serverId: null,
    queuedAtMs: 0,
    sentAtMs: null,
    content: {
      kind: 'capture',
      captureId: `capture of ${id}`,
      sha256: '',
      fileName: '',
      mediaType: '',
      componentName: '',
      timeRequestedMs: 0,
      timeReceivedMs: 0,
      ...parts,
      replacedBoxes: [],
      parts: partsOf(parts),
    },
    ...changes,
  };
}
