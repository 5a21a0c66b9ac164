import { areLossless, captureBoth, type BothPictures } from '../../../remote/live-machine/capture-both.ts';
import { judgeSteps, type SteppedCamera } from '../../../remote/live-machine/judge-steps.ts';
import type { LiveMachine } from '../../../remote/live-machine/live-machine.ts';
import type { CameraComparison } from '../../../../workers/vision/protocol.ts';
import { imageBlob } from '../live-machine/image-blob.ts';
import type { SessionState } from '../session/session-state.svelte.ts';

type Session = Pick<SessionState, 'underPlan'>;

/** Compares a camera of the machine with its steps here. Rejects with the error of either side. Whoever receives the pictures closes them. */
export async function compareSteps(machine: LiveMachine, session: Session, camera: SteppedCamera, signal: AbortSignal) {
  const both = await captureBoth(machine, camera.sourceName, camera.name, signal);
  const compared = await compareHere(session, both, camera.name);
  const { verdict, doubt } = judgeSteps(camera, { ...compared, isLossless: areLossless(both) });
  return { ...compared, verdict, doubt, isOneFrame: both.isOneFrame };
}

/** Runs the steps here on the source's frames, and compares. Whoever receives the pictures closes them. */
export function compareHere(
  session: Session,
  { source, output, after, isOneFrame }: BothPictures,
  cameraName: string,
): Promise<CameraComparison> {
  const moved = isOneFrame ? null : imageBlob(after);
  return session.underPlan((client) => client.compareCamera(imageBlob(source), imageBlob(output), cameraName, moved));
}
