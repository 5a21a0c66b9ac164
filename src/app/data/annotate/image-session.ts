import type { AnnotatedBox } from './boxes/annotated-box.ts';
import type { BoxDrafts } from './saving/box-drafts.ts';
import type { BoxStore } from './boxes/box-store.ts';
import { BoxSync, type BoxSyncPorts } from './saving/box-sync.svelte.ts';
import { BoxesState } from './boxes/boxes-state.svelte.ts';

/** An image with its boxes and its own undo history. */
export interface ImageSession {
  readonly id: string;
  readonly boxes: BoxesState;
  readonly sync: BoxSync;
}

export interface SessionPorts {
  readonly storeOf: (imageId: string) => BoxStore;
  readonly drafts: BoxDrafts;
  readonly exclusively: BoxSyncPorts['exclusively'];
  readonly onSaved: (imageId: string) => void;
}

const mostSaved = 30;

/** Sessions of opened images. The last one keeps its undo history; unsaved ones go on saving. */
export class ImageSessions {
  readonly #ports: SessionPorts;
  readonly #sessions = new Map<string, ImageSession>();

  constructor(ports: SessionPorts) {
    this.#ports = ports;
  }

  /** Opens an image, or returns to it; in both cases its boxes are read from the service. */
  open(id: string): ImageSession {
    const { storeOf, drafts, exclusively, onSaved } = this.#ports;
    const known = this.#sessions.get(id);
    if (known) {
      this.#sessions.delete(id);
      this.#sessions.set(id, known);
      void known.sync.save();
      return known;
    }
    const boxes = new BoxesState(() => sync.edited());
    const ports = { store: storeOf(id), drafts, imageId: id, exclusively, onSaved: () => onSaved(id) };
    const sync: BoxSync = new BoxSync(boxes, ports);
    const session = { id, boxes, sync };
    this.#sessions.set(id, session);
    this.#forgetOldest();
    void sync.open();
    return session;
  }

  /** The unsaved boxes of an opened image; null if all are saved. */
  unsavedBoxes(id: string): readonly AnnotatedBox[] | null {
    const session = this.#sessions.get(id);
    return session && session.sync.unsaved > 0 ? session.boxes.boxes : null;
  }

  /** Opens the images with drafts of earlier visits, so that they are saved. */
  resumeDrafts(): readonly ImageSession[] {
    const left = this.#ports.drafts.imageIds().filter((id) => !this.#sessions.has(id));
    return left.map((id) => this.open(id));
  }

  saveAll(): void {
    for (const { sync } of this.#sessions.values()) if (sync.unsaved > 0) void sync.save();
  }

  /** Saves and stops; an edit that is not saved stays a draft. */
  close(): void {
    this.saveAll();
    for (const { sync } of this.#sessions.values()) sync.stop();
  }

  #forgetOldest(): void {
    const saved = [...this.#sessions.values()].filter(({ sync }) => sync.status.kind === 'saved');
    for (const { id } of saved.slice(0, -mostSaved)) this.#sessions.delete(id);
  }
}
