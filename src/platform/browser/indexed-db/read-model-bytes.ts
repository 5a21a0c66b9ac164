import type { ModelSource } from '../../ports/model-source.ts';
import { createIdbModelStore } from './idb-model-store.ts';
import { sha256 as hashOf } from '../bytes/sha256.ts';

/** The bytes of a model by their hash, from this browser's storage or where it was loaded from; null where they are gone or others by now. */
export async function readModelBytes(source: ModelSource | null, sha256: string): Promise<Blob | null> {
  const stored = await createIdbModelStore()
    .read(sha256)
    .catch(() => null);
  const blob = stored?.blob ?? (source && (await fromSource(source).catch(() => null)));
  if (!blob) return null;
  return (await hashOf(new Uint8Array(await blob.arrayBuffer()))) === sha256 ? blob : null;
}

async function fromSource(source: ModelSource): Promise<Blob | null> {
  switch (source.kind) {
    case 'file':
      return source.file;
    case 'builtin':
      return download(new URL(`builtin/models/${source.id}.onnx`, document.baseURI).href);
    case 'url':
      return download(source.url);
    case 'stored':
      return null;
  }
}

async function download(url: string): Promise<Blob | null> {
  const answer = await fetch(url, { credentials: 'omit' });
  return answer.ok ? answer.blob() : null;
}
