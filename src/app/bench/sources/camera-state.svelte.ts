import type { CameraDevice, CameraPort, OpenCamera } from '../../../platform/ports/frame-source.ts';

export interface Resolution {
  readonly value: string;
  readonly text: string;
  readonly widthPx?: number;
  readonly heightPx?: number;
}

const AS_THE_CAMERA_LIKES: Resolution = { value: '', text: 'Camera default' };

/** Sizes that cameras commonly support. A chosen size is required: a camera without it reports that. */
export const RESOLUTIONS: readonly Resolution[] = [
  AS_THE_CAMERA_LIKES,
  { value: '640x480', text: '640 × 480', widthPx: 640, heightPx: 480 },
  { value: '1280x720', text: '1280 × 720', widthPx: 1280, heightPx: 720 },
  { value: '1920x1080', text: '1920 × 1080', widthPx: 1920, heightPx: 1080 },
  { value: '3840x2160', text: '3840 × 2160', widthPx: 3840, heightPx: 2160 },
];

/** The webcam: the chosen device and size, and the open camera. */
export class CameraState {
  readonly #port: CameraPort;
  devices = $state.raw<readonly CameraDevice[]>([]);
  open = $state.raw<OpenCamera | null>(null);
  opening: boolean = $state(false);
  /** number of requests and cancellations: a camera that opens after a later one is closed again */
  #asked = 0;
  public deviceId = $state('');
  public resolution = $state(AS_THE_CAMERA_LIKES.value);

  constructor(port: CameraPort) {
    this.#port = port;
  }

  /** Device names stay empty until the person has allowed a camera once. */
  async listDevices(): Promise<void> {
    this.devices = await this.#port.devices();
  }

  /**
   * Opens the chosen device; null: it was cancelled, or requested again, before it was open.
   * @throws SourceError
   */
  async start(onGone: () => void): Promise<OpenCamera | null> {
    this.release();
    const asked = this.#asked;
    this.opening = true;
    try {
      const { widthPx, heightPx } = RESOLUTIONS.find(({ value }) => value === this.resolution) ?? AS_THE_CAMERA_LIKES;
      const camera = await this.#port.open({
        ...(this.deviceId && { deviceId: this.deviceId }),
        ...(widthPx && heightPx && { widthPx, heightPx }),
      });
      if (asked !== this.#asked) {
        camera.stop();
        return null;
      }
      camera.onEnded(onGone);
      this.open = camera;
      await this.listDevices();
      return asked === this.#asked ? camera : null;
    } finally {
      if (asked === this.#asked) this.opening = false;
    }
  }

  /** Closes the open camera, and cancels one that is being opened. */
  release(): void {
    this.#asked++;
    this.opening = false;
    this.open?.stop();
    this.open = null;
  }
}
