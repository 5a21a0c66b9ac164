import { type FrameSize, patternFrame } from '../../../machine/vision/face/frames.ts';
import { lookSize } from '../../../machine/vision/face/runs.ts';
import drawShader from './draw-picture.wgsl?raw';
import type { PictureForm } from './frame-passes.ts';
import { createStorage } from './webgpu-compute.ts';
import { WebGpuDevice } from './webgpu-device.ts';
import { WebGpuError } from './webgpu-error.ts';
import { withJpegColours } from './with-jpeg-colours.ts';

/** A picture that lies in a buffer of the GPU, one word a pixel. */
export interface PictureInBuffer extends FrameSize {
  readonly buffer: GPUBuffer;
  readonly form: PictureForm;
}

const forms: Readonly<Record<PictureForm, number>> = { straight: 0, 'on black': 1, opaque: 1, ycbcr: 2 };
/** one of the stage, and thumbnails of few sizes */
const canvasesKept = 8;

/** Draws pictures for people of what lies on the GPU; their pixels stay there. */
export class WebGpuPictures {
  readonly #gpu: WebGpuDevice;
  readonly #pipeline: GPURenderPipeline;
  readonly #params: GPUBuffer;
  /** by size: a canvas that changes its size is made anew */
  readonly #canvases = new Map<string, { readonly canvas: OffscreenCanvas; readonly context: GPUCanvasContext }>();

  private constructor(gpu: WebGpuDevice, pipeline: GPURenderPipeline) {
    this.#gpu = gpu;
    this.#pipeline = pipeline;
    this.#params = createStorage(gpu, 'picture params', 32, 'params');
  }

  /** @throws WebGpuError; what the device says of the shader */
  static async open(gpu: WebGpuDevice): Promise<WebGpuPictures> {
    const module = gpu.device.createShaderModule({ label: 'picture', code: withJpegColours(drawShader) });
    const pipeline = await gpu.answer(
      gpu.device.createRenderPipelineAsync({
        label: 'picture',
        layout: 'auto',
        vertex: { module },
        fragment: { module, targets: [{ format: 'rgba8unorm' }] },
      }),
    );
    return new WebGpuPictures(gpu, pipeline);
  }

  /**
   * The picture on black, at most so long (null = in full: to the bit what the CPU draws). To be called within the device's `order`,
   * once what fills the buffer was submitted. The receiver closes it.
   */
  draw(picture: PictureInBuffer, longestSidePx: number | null): ImageBitmap {
    const { device } = this.#gpu;
    const drawn = lookSize(picture, longestSidePx);
    const sizes = [picture.widthPx, picture.heightPx, drawn.widthPx, drawn.heightPx];
    device.queue.writeBuffer(this.#params, 0, Uint32Array.from([...sizes, forms[picture.form]]));
    const { canvas, context } = this.#canvasOf(drawn);
    const encoder = device.createCommandEncoder();
    const view = context.getCurrentTexture().createView();
    const pass = encoder.beginRenderPass({ colorAttachments: [{ view, loadOp: 'clear', storeOp: 'store' }] });
    pass.setPipeline(this.#pipeline);
    const buffers = [this.#params, picture.buffer];
    pass.setBindGroup(
      0,
      device.createBindGroup({
        layout: this.#pipeline.getBindGroupLayout(0),
        entries: buffers.map((buffer, binding) => ({ binding, resource: { buffer } })),
      }),
    );
    pass.draw(3);
    pass.end();
    device.queue.submit([encoder.finish()]);
    return canvas.transferToImageBitmap();
  }

  #canvasOf({ widthPx, heightPx }: FrameSize) {
    const key = `${widthPx}×${heightPx}`;
    const known = this.#canvases.get(key);
    if (known) return known;
    const canvas = new OffscreenCanvas(widthPx, heightPx);
    const context = canvas.getContext('webgpu');
    if (!context) throw new WebGpuError('unavailable', 'This browser draws no canvas by WebGPU in workers.');
    context.configure({ device: this.#gpu.device, format: 'rgba8unorm', alphaMode: 'opaque' });
    if (this.#canvases.size >= canvasesKept) this.#canvases.clear();
    this.#canvases.set(key, { canvas, context });
    return { canvas, context };
  }
}

/**
 * Whether pictures can be drawn here. Where a browser computes on the GPU but shows no WebGPU canvas, drawing on one costs every device
 * of the page (Chromium with `--enable-unsafe-webgpu` alone): to be asked before others are opened. Never rejects.
 */
export async function drawsPictures(): Promise<boolean> {
  const gpu = await WebGpuDevice.open().catch(() => null);
  if (!gpu) return false;
  try {
    return await drawsPattern(gpu);
  } catch {
    return false;
  } finally {
    gpu.close();
  }
}

async function drawsPattern(gpu: WebGpuDevice): Promise<boolean> {
  const { widthPx, heightPx, samples } = patternFrame('rgba8', 67, 41);
  const buffer = createStorage(gpu, 'pattern', samples.byteLength);
  gpu.device.queue.writeBuffer(buffer, 0, samples as Uint8ClampedArray<ArrayBuffer>);
  const pictures = await WebGpuPictures.open(gpu);
  const drawn = await gpu.order(async () => {
    const picture = pictures.draw({ buffer, widthPx, heightPx, form: 'straight' }, null);
    return { answer: Promise.resolve(picture) };
  });
  await gpu.answer(gpu.device.queue.onSubmittedWorkDone());
  const context = new OffscreenCanvas(widthPx, heightPx).getContext('2d', { willReadFrequently: true });
  context?.drawImage(drawn, 0, 0);
  drawn.close();
  const read = context?.getImageData(0, 0, widthPx, heightPx).data;
  return read?.every((sample, at) => sample === samples[at]) ?? false;
}
