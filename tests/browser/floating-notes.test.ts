import type {} from '@vitest/browser-playwright';
import { mount, unmount } from 'svelte';
import { afterEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import '../../src/app/theme.css';
import type { DataContext } from '../../src/app/data/context/data-context.ts';
import FloatingNotes from '../../src/app/data/FloatingNotes.svelte';
import { deleteQuestionOf } from '../../src/app/data/shared/bulk/delete-question.svelte.ts';
import { importsOf } from '../../src/app/data/shared/import/import-intake.svelte.ts';
import type { NamedFile } from '../../src/platform/ports/named-file.ts';

/** A client whose uploads never resolve, so that the import keeps running. */
const sync = new Proxy({}, { get: () => () => new Promise(() => undefined) });
const unused = { announce: () => undefined, addShortcuts: () => () => undefined };

let close: () => void = () => undefined;
afterEach(() => close());

describe('notes over a tab', () => {
  it.each([
    [1272, 860],
    [640, 700],
    [390, 700],
    [320, 400],
  ])('leave Undo free while files are imported, at %i × %i px', async (widthPx, heightPx) => {
    await page.viewport(widthPx, heightPx);
    const target = document.createElement('div');
    target.style.cssText = `position: relative; width: ${widthPx}px; height: ${heightPx - 10}px`;
    document.body.replaceChildren(target);
    const takeAnnotations = async (given: readonly NamedFile[]) => given;
    const context = { sync, home: {}, takeAnnotations, ...unused } as unknown as DataContext;
    const notes = mount(FloatingNotes, { target, props: { context } });
    close = () => void unmount(notes);
    const files = Array.from({ length: 40 }, (_, i) => {
      const path = `a rather long name of a picture ${i}.jpg`;
      return { path, file: new File(['a'], path) };
    });
    await importsOf(context).take(files);
    const { pending } = deleteQuestionOf(context);
    await pending.begin(new Set(['a', 'b']), 'images', () => undefined);
    const undo = page.getByRole('button', { name: 'Undo' });
    await expect.element(undo).toBeVisible();
    await userEvent.click(page.getByRole('button', { name: 'Files' }));
    await expect.poll(() => document.querySelectorAll('li').length).toBe(40);
    const { left, top, width, height } = undo.element().getBoundingClientRect();
    for (const [x, y] of [
      [left + 3, top + 3],
      [left + width - 3, top + 3],
      [left + 3, top + height - 3],
      [left + width - 3, top + height - 3],
    ] as const)
      expect(undo.element().contains(document.elementFromPoint(x, y))).toBe(true);
    await userEvent.click(undo);
    expect(pending.count).toBe(0);
  });
});
