import { SourceError, type CameraPort, type CameraRequest, type OpenCamera } from '../../../ports/frame-source.ts';
import { trackFrames } from './media-track-frames.ts';

/** Webcams of this device. Nothing is asked for before open(). */
export function createCameraPort(): CameraPort {
  return {
    async devices() {
      const all = await mediaDevices().enumerateDevices();
      // Before permission Chromium lists one nameless camera without an id: something is there, and that is all it says.
      return all.filter(({ kind }) => kind === 'videoinput').map(({ deviceId, label }) => ({ deviceId, label }));
    },
    async open(request) {
      let stream: MediaStream;
      try {
        stream = await mediaDevices().getUserMedia({ audio: false, video: constraintsOf(request) });
      } catch (error) {
        const { cameraErrorOf } = await import('./camera-error.ts'); // of no use to a camera that starts
        throw cameraErrorOf(error, request);
      }
      return opened(stream);
    },
  };
}

/** @throws SourceError where the page has none */
function mediaDevices(): MediaDevices {
  // lib.dom says that it is always there; on plain http it is not.
  const devices = navigator.mediaDevices as MediaDevices | undefined;
  if (devices) return devices;
  if (!isSecureContext) {
    throw new SourceError(
      'insecure-page',
      `Browsers give cameras to secure pages only, and ${location.origin} is not one.`,
      'Open the page by https, or from this computer as http://localhost.',
    );
  }
  throw new SourceError(
    'unsupported',
    'This browser has no access to cameras.',
    'Try a current Chrome, Edge, Firefox or Safari.',
  );
}

/** What most detectors want, for cameras that have the choice; browsers would give 640×480. */
const preferredPx = { width: { ideal: 1280 }, height: { ideal: 720 } };

/** A size that was asked for is meant: a camera that lacks it says so. Never pixels scaled in secret. */
function constraintsOf({ deviceId, widthPx, heightPx }: CameraRequest): MediaTrackConstraints {
  const unscaled = { resizeMode: 'none' } as MediaTrackConstraints; // newer than lib.dom
  return {
    ...(deviceId ? { deviceId: { exact: deviceId } } : {}),
    ...(widthPx || heightPx ? {} : preferredPx),
    ...(widthPx ? { width: { exact: widthPx } } : {}),
    ...(heightPx ? { height: { exact: heightPx } } : {}),
    ...unscaled,
  };
}

function opened(stream: MediaStream): OpenCamera {
  const track = stream.getVideoTracks()[0]!;
  const { width = 0, height = 0, frameRate = 0 } = track.getSettings();
  return {
    label: track.label,
    widthPx: width,
    heightPx: height,
    frameRate,
    frames: trackFrames(track),
    onEnded: (listener) => track.addEventListener('ended', listener),
    stop: () => track.stop(),
  };
}
