import { SourceError, type CameraPort, type CameraRequest, type OpenCamera } from '../../ports/frame-source.ts';
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
      try {
        return await opened(await streamOf(request));
      } catch (error) {
        const { cameraErrorOf } = await import('./camera-error.ts'); // a camera that starts needs none of it
        throw cameraErrorOf(error, request, await hasCamera());
      }
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

/** WebKit refuses wishes, too: where no size is asked for, a camera is taken as it is. */
async function streamOf(request: CameraRequest): Promise<MediaStream> {
  const { deviceId, widthPx, heightPx } = request;
  const ask = (video: MediaTrackConstraints | true): Promise<MediaStream> =>
    mediaDevices().getUserMedia({ audio: false, video });
  try {
    return await ask(constraintsOf(request));
  } catch (error) {
    if ((error as Error).name !== 'OverconstrainedError' || widthPx || heightPx) throw error;
    return ask(deviceId ? { deviceId: { exact: deviceId } } : true);
  }
}

/** Where a browser does not tell, there may be one. */
async function hasCamera(): Promise<boolean> {
  try {
    return (await mediaDevices().enumerateDevices()).some(({ kind }) => kind === 'videoinput');
  } catch {
    return true;
  }
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

async function opened(stream: MediaStream): Promise<OpenCamera> {
  const track = stream.getVideoTracks()[0]!;
  const { frameRate = 0 } = track.getSettings();
  const { width, height } = await sizeOf(stream, track);
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

/** WebKit's tracks do not know their size before a frame has come. */
async function sizeOf(stream: MediaStream, track: MediaStreamTrack): Promise<{ width: number; height: number }> {
  const { width, height } = track.getSettings();
  if (width && height) return { width, height };
  const video = Object.assign(document.createElement('video'), { muted: true, playsInline: true });
  video.srcObject = stream;
  await new Promise<void>((resolve) => {
    video.onloadedmetadata = () => resolve();
    track.onended = () => resolve();
  });
  const { videoWidth, videoHeight } = video;
  video.srcObject = null;
  return { width: videoWidth, height: videoHeight };
}
