import { SourceError, type CameraRequest } from '../../ports/frame-source.ts';

/**
 * Says what getUserMedia refused, and what to do about it (W3C Media Capture and Streams §10.2). WebKit calls a camera that is
 * not there overconstrained, without saying by what: `hasCamera` tells whether any is connected.
 */
export function cameraErrorOf(
  error: unknown,
  { deviceId, widthPx, heightPx }: CameraRequest,
  hasCamera = true,
): SourceError {
  if (error instanceof SourceError) return error;
  const { name, message, constraint } = error as { name: string; message: string; constraint?: string };
  const as = (code: SourceError['code'], what: string, cure: string) =>
    new SourceError(code, what, cure, { cause: error });
  const isSizeAsked = widthPx !== undefined || heightPx !== undefined;
  switch (name === 'OverconstrainedError' && !(hasCamera && (isSizeAsked || deviceId)) ? 'NotFoundError' : name) {
    case 'NotAllowedError':
      return as(
        'not-allowed',
        'The browser was told not to give this page the camera.',
        "Allow the camera by the icon beside the page's address, or in the system's privacy settings, and start it again.",
      );
    case 'NotFoundError':
      return as(
        'not-found',
        'No camera is connected.',
        'Plug one in and start again; or take a video file or pictures.',
      );
    case 'NotReadableError':
      return as(
        'not-readable',
        `The camera is there and gives no pictures: ${message || 'another program holds it'}.`,
        'Close other programs and tabs that use it, or unplug it and plug it in again.',
      );
    case 'OverconstrainedError':
      return constraint === 'deviceId' || !isSizeAsked
        ? as(
            'overconstrained',
            'The chosen camera is no longer connected.',
            'Choose another camera, or plug it in again.',
          )
        : as(
            'overconstrained',
            `The camera does not give ${widthPx ?? '?'}×${heightPx ?? '?'} pixels.`,
            'Choose another resolution, or "as the camera likes".',
          );
    case 'SecurityError':
      return as(
        'insecure-page',
        'This page may not use cameras.',
        'Open it by https or http://localhost, and not inside another page that forbids cameras.',
      );
    case 'AbortError':
      return as(
        'not-readable',
        `The camera did not start: ${message}`, // Firefox's, of a camera that another program has
        'Close other programs and tabs that use it, and start it again.',
      );
    default:
      return as('unsupported', `The camera cannot be opened: ${message}`, 'Try another camera or browser.');
  }
}
