import {
  BufferAttribute,
  BufferGeometry,
  LineBasicMaterial,
  LineSegments,
  PerspectiveCamera,
  Points,
  PointsMaterial,
  Scene,
  Vector3,
  WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import type { PointCloud } from '../../../../platform/ports/point-cloud.ts';
import { groundGrid } from './ground-grid.ts';

/** Draws a point cloud on a canvas, with z upwards. It draws only when something has changed. */
export class PointScene {
  readonly #renderer: WebGLRenderer;
  readonly #scene = new Scene();
  readonly #camera = new PerspectiveCamera(50, 1, 0.001, 1e6);
  readonly #controls: OrbitControls;
  readonly #geometry = new BufferGeometry();
  readonly #material = new PointsMaterial({ size: 2, sizeAttenuation: false, vertexColors: true });
  readonly #ground = new BufferGeometry();
  readonly #groundLines = new LineBasicMaterial({ color: 0x2a3138 });
  readonly #center: Vector3;
  readonly #radius: number;
  #frame = 0;

  /** @throws Error where the browser has no WebGL */
  constructor(canvas: HTMLCanvasElement, cloud: PointCloud) {
    this.#renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true });
    const low = new Vector3(...cloud.bounds.min);
    const high = new Vector3(...cloud.bounds.max);
    this.#center = low.clone().add(high).multiplyScalar(0.5);
    this.#radius = Math.max(1e-6, high.distanceTo(low) / 2);
    this.#geometry.setAttribute('position', new BufferAttribute(cloud.positions, 3));
    const points = new Points(this.#geometry, this.#material);
    points.frustumCulled = false;
    this.#scene.add(points);
    const grid = groundGrid(cloud.bounds);
    if (grid) {
      this.#ground.setAttribute('position', new BufferAttribute(grid.ends, 3));
      this.#scene.add(new LineSegments(this.#ground, this.#groundLines));
    }
    this.#camera.up.set(0, 0, 1);
    this.#camera.near = this.#radius / 1000;
    this.#camera.far = this.#radius * 1000;
    this.#controls = new OrbitControls(this.#camera, canvas);
    this.#controls.addEventListener('change', () => this.draw());
    this.fit();
  }

  /** Fits the cloud into the view, seen from the side and a little above. */
  fit(): void {
    const distance = (this.#radius / Math.sin((25 * Math.PI) / 180)) * 1.05;
    const direction = new Vector3(-0.75, -1, 0.65).normalize().multiplyScalar(distance);
    this.#camera.position.copy(this.#center).add(direction);
    this.#controls.target.copy(this.#center);
    this.#controls.update();
    this.draw();
  }

  fromAbove(): void {
    const distance = (this.#radius / Math.sin((25 * Math.PI) / 180)) * 1.05;
    this.#camera.position.copy(this.#center).add(new Vector3(0, -distance * 0.001, distance));
    this.#controls.target.copy(this.#center);
    this.#controls.update();
    this.draw();
  }

  /** Turns the camera around the cloud's centre, by radians to the right and upwards. */
  orbit(right: number, up: number): void {
    const offset = this.#camera.position.clone().sub(this.#controls.target);
    offset.applyAxisAngle(new Vector3(0, 0, 1), right);
    const side = new Vector3().crossVectors(this.#camera.up, offset).normalize();
    const turned = offset.clone().applyAxisAngle(side, -up);
    // Stop just before the camera is straight above or below: beyond, the view would flip.
    const slope = Math.abs(turned.clone().normalize().z);
    this.#camera.position.copy(this.#controls.target).add(slope < 0.995 ? turned : offset);
    this.#controls.update();
    this.draw();
  }

  /** Multiplies the camera's distance: a factor below 1 moves it nearer. */
  dolly(factor: number): void {
    const offset = this.#camera.position.clone().sub(this.#controls.target).multiplyScalar(factor);
    this.#camera.position.copy(this.#controls.target).add(offset);
    this.#controls.update();
    this.draw();
  }

  setColors(colors: Float32Array<ArrayBuffer>): void {
    this.#geometry.setAttribute('color', new BufferAttribute(colors, 3));
    this.draw();
  }

  setPointSize(sizePx: number): void {
    this.#material.size = sizePx * this.#renderer.getPixelRatio();
    this.draw();
  }

  resize(widthPx: number, heightPx: number): void {
    if (widthPx === 0 || heightPx === 0) return;
    this.#renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    this.#renderer.setSize(widthPx, heightPx, false);
    this.#camera.aspect = widthPx / heightPx;
    this.#camera.updateProjectionMatrix();
    this.draw();
  }

  draw(): void {
    if (this.#frame) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#renderer.render(this.#scene, this.#camera);
    });
  }

  close(): void {
    cancelAnimationFrame(this.#frame);
    this.#controls.dispose();
    this.#geometry.dispose();
    this.#material.dispose();
    this.#ground.dispose();
    this.#groundLines.dispose();
    this.#renderer.dispose();
    this.#renderer.forceContextLoss();
  }
}
