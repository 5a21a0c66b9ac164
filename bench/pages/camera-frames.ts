import { trackFrames } from '../../src/platform/browser/media/media-track-frames.ts';

/** Opens the fake camera; returns a function for its next new frame. The caller closes the frames. */
export async function cameraFrames(widthPx: number, heightPx: number): Promise<() => Promise<VideoFrame>> {
  const stream = await navigator.mediaDevices.getUserMedia({
    video: { width: { exact: widthPx }, height: { exact: heightPx }, frameRate: 30 },
  });
  const reader = trackFrames(stream.getVideoTracks()[0]!).getReader();
  return async () => {
    const { value } = await reader.read();
    if (!value) throw new Error('The fake camera ended.');
    return value;
  };
}
