import type { DataContext } from '../../context/data-context.ts';

/** The bytes of a stored file, with its type. @throws ConnectError */
export async function contentOf(context: Pick<DataContext, 'data'>, id: string, signal?: AbortSignal): Promise<Blob> {
  const request = { binaryDataIds: [id], includeBinary: true };
  const { data } = await context.data.binaryDataByIDs(request, signal ? { signal } : {});
  const { binary, metadata } = data[0]!;
  return new Blob([binary as Uint8Array<ArrayBuffer>], { type: metadata?.captureMetadata?.mimeType ?? '' });
}
