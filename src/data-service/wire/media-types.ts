import { MimeType } from '../../gen/app/datasync/v1/data_sync_pb.ts';

// Section 3 of the data-service reference.
const byExtension: Readonly<Record<string, string>> = {
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.png': 'image/png',
  '.pcd': 'pointcloud/pcd',
  '.mp4': 'video/mp4',
  '.mp3': 'audio/mpeg',
  '.wav': 'audio/wav',
  '.dep': 'image/vnd.viam.dep',
  '.rgba': 'image/vnd.viam.rgba',
};

const byDeprecatedEnum: Readonly<Record<MimeType, string>> = {
  [MimeType.UNSPECIFIED]: '',
  [MimeType.IMAGE_JPEG]: 'image/jpeg',
  [MimeType.IMAGE_PNG]: 'image/png',
  [MimeType.APPLICATION_PCD]: 'pointcloud/pcd',
  [MimeType.VIDEO_MP4]: 'video/mp4',
};

/** A file extension with its dot and in lower case, as clients send it with or without; else that of the name; else ''. */
export function fileExtensionOf(given: string, fileName: string): string {
  if (given !== '') return (given.startsWith('.') ? given : `.${given}`).toLowerCase();
  return (/[^/\\](\.[A-Za-z0-9]{1,16})$/.exec(fileName)?.[1] ?? '').toLowerCase();
}

/** The explicit type, otherwise the type of the extension, otherwise `application/octet-stream`. */
export function mimeTypeOf(explicit: string, deprecated: MimeType | undefined, fileExtension: string): string {
  return (
    explicit ||
    byDeprecatedEnum[deprecated ?? MimeType.UNSPECIFIED] ||
    (byExtension[fileExtension] ?? 'application/octet-stream')
  );
}

/** Only pictures take bounding boxes. Types are the same in capitals (RFC 2045, section 5.1). */
export const isImage = (mimeType: string): boolean => /^image\//i.test(mimeType);
