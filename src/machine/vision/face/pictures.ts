// JPEG and PNG, decoded as the machine does.

export { decodeJpeg } from '../jpeg/decode-jpeg.ts';
export { JpegError } from '../jpeg/jpeg-error.ts';
export { hasJpegSignature } from '../jpeg/markers.ts';
export { hasPngSignature } from '../png/chunks.ts';
export { decodePng } from '../png/decode-png.ts';
export { PngError } from '../png/png-error.ts';
