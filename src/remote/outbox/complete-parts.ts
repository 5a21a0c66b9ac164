import type { ImageBox } from '../../evidence/capture/capture.ts';
import type { CaptureContent, CapturePart, PartState } from './outbox-entry.ts';
import type { StoredParts, UploadConnection } from './upload-connection.ts';

interface StoredCapture {
  readonly serverId: string;
  readonly stored: StoredParts;
  readonly connection: UploadConnection;
  readonly signal: AbortSignal;
}

/**
 * Adds the parts that the target did not store with the upload, after reading what it holds now: nothing is added
 * twice. `settle` records each part before the next one begins.
 */
export async function completeParts(
  content: CaptureContent,
  { serverId, stored, connection, signal }: StoredCapture,
  settle: (part: CapturePart, state: PartState) => Promise<void>,
): Promise<void> {
  const { parts } = content;
  if (parts.tags === 'waiting') {
    const missing = content.tags.filter((tag) => !stored.tags.includes(tag));
    if (missing.length > 0) await connection.addTags(serverId, missing, signal);
    await settle('tags', 'done');
  }
  if (parts.datasets === 'waiting') {
    for (const datasetId of content.datasetIds) {
      if (!stored.datasetIds.includes(datasetId)) await connection.addToDataset(serverId, datasetId, signal);
    }
    await settle('datasets', 'done');
  }
  if (parts.boxes === 'waiting') {
    const { missing, extra } = boxChanges(content, stored.boxes);
    for (const box of missing) await connection.addBox(serverId, box, signal);
    for (const box of extra) await connection.removeBox(serverId, box.id, signal);
    await settle('boxes', 'done');
  }
  if (parts.classes === 'waiting') {
    const has = content.classes.every(({ label }) => stored.classes.some((known) => known.label === label));
    // The API has no operation that adds a classification to what is stored.
    await settle('classes', has ? 'done' : 'not-taken');
  }
}

/**
 * Which boxes the target lacks, and which boxes of earlier uploads are no longer wanted. Equal boxes are counted,
 * not merged.
 */
export function boxChanges(
  { boxes, replacedBoxes }: Pick<CaptureContent, 'boxes' | 'replacedBoxes'>,
  stored: readonly ImageBox[],
): { readonly missing: readonly ImageBox[]; readonly extra: readonly ImageBox[] } {
  const unmatched = [...stored];
  const take = (box: ImageBox): ImageBox | null => {
    const at = unmatched.findIndex((other) => isSame(box, other));
    return at < 0 ? null : unmatched.splice(at, 1)[0]!;
  };
  const missing = boxes.filter((box) => !take(box));
  const extra = replacedBoxes.flatMap((box) => take(box) ?? []);
  return { missing, extra };
}

// A target may assign its own ids and may keep coordinates as float32.
const tolerance = 1e-6;

function isSame(a: ImageBox, b: ImageBox): boolean {
  const isNear = (x: number, y: number): boolean => Math.abs(x - y) <= tolerance;
  return (
    a.label === b.label &&
    isNear(a.xMinNormalized, b.xMinNormalized) &&
    isNear(a.yMinNormalized, b.yMinNormalized) &&
    isNear(a.xMaxNormalized, b.xMaxNormalized) &&
    isNear(a.yMaxNormalized, b.yMaxNormalized) &&
    (a.confidence === null) === (b.confidence === null) &&
    isNear(a.confidence ?? 0, b.confidence ?? 0)
  );
}
