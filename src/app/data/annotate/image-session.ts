import type { AnnotatedBox } from './annotated-box.ts';
import type { BoxDrafts } from './box-drafts.ts';
import type { BoxStore } from './box-store.ts';
import { BoxSync, type BoxSyncPorts } from './box-sync.svelte.ts';
import { BoxesState } from './boxes-state.svelte.ts';

/** An image with its boxes: what is undone on one image does not touch another. */
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

/** The images that were opened, the last of them with their undo; those that are not saved yet go on saving. */
export class ImageSessions {
  readonly #ports: SessionPorts;
  readonly #sessions = new Map<string, ImageSession>();

  constructor(ports: SessionPorts) {
    this.#ports = ports;
  }

  /** Opens an image, or comes back to it; either way its boxes are read from the service. */
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

  /** The boxes of an opened image that are not saved yet; null where all are. */
  unsavedBoxes(id: string): readonly AnnotatedBox[] | null {
    const session = this.#sessions.get(id);
    return session && session.sync.unsaved > 0 ? session.boxes.boxes : null;
  }

  /** Saves what earlier visits left as drafts: opens those images. */
  resumeDrafts(): readonly ImageSession[] {
    const left = this.#ports.drafts.imageIds().filter((id) => !this.#sessions.has(id));
    return left.map((id) => this.open(id));
  }

  saveAll(): void {
    for (const { sync } of this.#sessions.values()) if (sync.unsaved > 0) void sync.save();
  }

  /** What is not saved stays a draft. */
  close(): void {
    this.saveAll();
    for (const { sync } of this.#sessions.values()) sync.stop();
  }

  #forgetOldest(): void {
    const saved = [...this.#sessions.values()].filter(({ sync }) => sync.status.kind === 'saved');
    for (const { id } of saved.slice(0, -mostSaved)) this.#sessions.delete(id);
  }
}
