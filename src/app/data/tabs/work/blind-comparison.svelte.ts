import type { Box, Task } from '../../../../gen/sightglass/labels/v1/labels_pb.ts';
import { Attempts } from '../../../kit/edits/attempts.svelte.ts';
import { PALETTE } from '../../../kit/colours/colour-palette.ts';
import type { HexColour } from '../../../kit/colours/colour-distance.ts';
import type { DataContext } from '../../context/data-context.ts';
import { idSet, withId } from '../../shared/work/id-set.ts';
import { labelClientOf, tasksOfImage, type LabelClient } from '../../shared/work/label-client.ts';

/** What one person drew on the image. */
export interface BlindLabelling {
  readonly task: Task;
  readonly colour: HexColour;
  readonly isShown: boolean;
}

/** The blind tasks of one image, side by side: whose boxes become those of the image. */
export class BlindComparison {
  readonly #client: LabelClient;
  readonly #organizationId: string;
  readonly #attempts = new Attempts();
  readonly #imageId: string;
  #tasks = $state.raw<readonly Task[] | null>(null);
  #hidden = $state.raw(idSet());
  #chosenId = $state('');
  /** The image has boxes that were accepted already, as a honeypot has: what is drawn is accepted, and they stay. */
  isLocked = $state(false);

  constructor(context: Pick<DataContext, 'transport' | 'home'>, imageId: string) {
    this.#client = labelClientOf(context);
    this.#organizationId = context.home.organizationId;
    this.#imageId = imageId;
  }

  get busy(): boolean {
    return this.#attempts.busy;
  }
  get failure() {
    return this.#attempts.failure;
  }

  /** Each person's boxes, in a colour of their own; null until they are read. */
  readonly labellings: readonly BlindLabelling[] | null = $derived.by(
    () =>
      this.#tasks?.map((task, at) => ({
        task,
        colour: PALETTE[at % PALETTE.length]!,
        isShown: !this.#hidden.has(task.id),
      })) ?? null,
  );

  /** The one that keys act on: the first of those handed in, unless another was chosen. */
  readonly chosen: BlindLabelling | null = $derived.by(() => {
    const { labellings } = this;
    return (
      labellings?.find(({ task }) => task.id === this.#chosenId) ??
      labellings?.find(({ task }) => task.state === 'done') ??
      labellings?.[0] ??
      null
    );
  });

  /** The shown boxes, each with its colour. */
  readonly boxes: readonly { readonly box: Box; readonly colour: HexColour }[] = $derived.by(() =>
    (this.labellings ?? []).flatMap(({ task, colour, isShown }) =>
      isShown ? task.boxes.map((box) => ({ box: { ...box, id: `${task.id} ${box.id}` }, colour })) : [],
    ),
  );

  async read(): Promise<void> {
    const binaryDataId = this.#imageId;
    await this.#attempts.attempt(async () => {
      const organizationId = this.#organizationId;
      const [tasks, { accepted }] = await Promise.all([
        tasksOfImage(this.#client, { organizationId, binaryDataId }),
        this.#client.announce({ binaryDataId, leaving: true }),
      ]);
      [this.#tasks, this.isLocked] = [tasks.filter(({ blind }) => blind), accepted !== undefined];
    });
  }

  choose({ id }: Pick<Task, 'id'>): void {
    this.#chosenId = id;
  }

  /** Shows or hides one person's boxes. */
  toggle({ id }: Pick<Task, 'id'>): void {
    this.#hidden = withId(this.#hidden, id, !this.#hidden.has(id));
  }

  /** Shows one person's boxes alone, or again everyone's. */
  showAlone({ id }: Pick<Task, 'id'>): void {
    const others = (this.#tasks ?? []).filter((task) => task.id !== id).map((task) => task.id);
    const isAlone = !this.#hidden.has(id) && others.every((other) => this.#hidden.has(other));
    this.#hidden = idSet(isAlone ? [] : others);
    this.choose({ id });
  }

  /**
   * Accepts what was handed in: the boxes of one become those of the image, unless it is locked; the other tasks are settled
   * without. All of it is done, or nothing. Resolves to whether it was.
   */
  async take(taken: Task): Promise<boolean> {
    const others = (this.#tasks ?? []).filter(({ id, state }) => id !== taken.id && state === 'done');
    const { id: takenId, version: seen } = taken;
    const isTaken = await this.#attempts.attempt(() =>
      this.#client.setTaskState({
        id: takenId,
        state: 'accepted',
        version: seen,
        takeBoxes: !this.isLocked,
        acceptedWith: others.map(({ id, version }) => ({ id, version })),
      }),
    );
    if (!isTaken) await this.#readAgain();
    return isTaken;
  }

  /** Sends one task back to its author; resolves to whether it was done. */
  async sendBack({ id, version }: Task, comment: string): Promise<boolean> {
    const isSent = await this.#attempts.attempt(() =>
      this.#client.setTaskState({ id, state: 'to-fix', version, comment }),
    );
    await (isSent ? this.read() : this.#readAgain());
    return isSent;
  }

  /** Reads what is there now, and keeps why the last step failed. */
  async #readAgain(): Promise<void> {
    const { failure } = this;
    await this.read();
    this.#attempts.failure ??= failure;
  }
}
