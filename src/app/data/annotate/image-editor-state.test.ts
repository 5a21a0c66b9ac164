import { expect, it } from 'vitest';
import { deferred } from '../../../../tests/deferred.ts';
import { memoryStorage } from '../../../../tests/memory-storage.ts';
import { ImageEditorState } from './image-editor-state.svelte.ts';
import type { ImageSequence, ImageSource } from './saving/image-source.ts';

/** An editor whose images belong to a sequence that the test answers. */
function open() {
  const [sequence, labels] = [deferred<ImageSequence | null>(), deferred<readonly string[]>()];
  const failures: string[] = [];
  const source: ImageSource = {
    boxesOf: () => ({ load: async () => [], apply: async () => 'id' }),
    fetch: () => new Promise(() => undefined),
    labels: () => labels.promise,
    labelUses: async () => new Map(),
    sequenceOf: () => sequence.promise,
    draftPrefix: 'test',
  };
  const editor = new ImageEditorState(source, {
    memory: memoryStorage(),
    drafts: memoryStorage(),
    exclusively: (_, work) => work(),
    onSaved: () => undefined,
    onFailure: (_, what) => failures.push(what),
  });
  void editor.show('a', []);
  return { editor, sequence, labels, failures };
}
const settled = () => new Promise((resolve) => setTimeout(resolve));

it('says that the frames of a sequence could not be listed, unless it was closed before', async () => {
  const shown = open();
  shown.sequence.reject(new Error('cut off'));
  await settled();
  expect(shown.failures).toEqual(['The frames of the sequence could not be listed.']);

  const closed = open();
  closed.editor.close();
  closed.sequence.reject(new Error('cut off'));
  await settled();
  expect(closed.failures).toEqual([]);
});

it('says that the labels in use could not be listed, unless the editor was left before', async () => {
  for (const isLeft of [false, true]) {
    const { editor, labels, failures } = open();
    const left = new AbortController();
    const learnt = editor.learnLabels(left.signal);
    if (isLeft) left.abort();
    labels.reject(new Error('cut off'));
    await learnt;
    expect(failures).toEqual(isLeft ? [] : ['The labels in use could not be listed.']);
  }
});
