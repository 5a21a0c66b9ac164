import { expect, it } from 'vitest';
import { sessionHistory } from '../../../../tests/session-history.ts';
import { closeByBack } from './close-by-back.ts';

/** A dialog that closes when it is left; with `asks`, at the second time. */
function openDialog(page: Window, { asks = false } = {}) {
  const element = { open: true };
  let left = 0;
  const end = closeByBack(
    element,
    () => {
      if (++left > 1 || !asks) dialog.close();
    },
    page,
  );
  const dialog = {
    element,
    get left() {
      return left;
    },
    close: () => {
      element.open = false;
      queueMicrotask(end);
    },
  };
  return dialog;
}

it('closes a dialog by going back, and leaves what is behind it', async () => {
  const session = sessionHistory('#/data/images');
  const dialog = openDialog(session.page);
  expect([session.at, session.page.history.state]).toEqual([1, 'dialog']);
  await session.travel('back');
  expect([dialog.element.open, session.at, session.page.location.hash]).toEqual([false, 0, '#/data/images']);
});

it('leaves no entry behind when a dialog is closed in another way', async () => {
  const session = sessionHistory();
  for (let turn = 0; turn < 3; turn++) {
    openDialog(session.page).close();
    await session.rest();
    expect([session.at, session.page.history.state]).toEqual([0, null]);
  }
});

it('asks, and stays open until it is left again', async () => {
  const session = sessionHistory();
  const dialog = openDialog(session.page, { asks: true });
  await session.travel('back');
  expect([dialog.element.open, session.at, session.page.history.state]).toEqual([true, 1, 'dialog']);
  await session.travel('back');
  expect([dialog.element.open, session.at]).toEqual([false, 0]);
});

it('closes the last of several dialogs first', async () => {
  const session = sessionHistory();
  const first = openDialog(session.page);
  const second = openDialog(session.page);
  expect(session.entries).toHaveLength(2);
  await session.travel('back');
  expect([first.element.open, second.element.open, session.at]).toEqual([true, false, 1]);
  await session.travel('back');
  expect([first.element.open, session.at, first.left, second.left]).toEqual([false, 0, 1, 1]);
});

it('keeps its entry for a dialog that opens in the place of another, at once or while the browser goes back', async () => {
  const session = sessionHistory();
  for (const wait of [() => Promise.resolve(), () => new Promise<void>((resolve) => queueMicrotask(resolve))]) {
    openDialog(session.page).close();
    await wait();
    const next = openDialog(session.page);
    await session.rest();
    expect([next.element.open, session.at, session.page.history.state]).toEqual([true, 1, 'dialog']);
    next.close();
    await session.rest();
    expect(session.at).toBe(0);
  }
});

it('goes back from an entry to which no dialog belongs any more', async () => {
  const session = sessionHistory('#/bench');
  openDialog(session.page);
  await session.travel('back');
  await session.travel('forward');
  expect([session.at, session.page.history.state]).toEqual([0, null]);
});
