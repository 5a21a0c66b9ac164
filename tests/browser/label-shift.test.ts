import type {} from '@vitest/browser-playwright';
import { mount, unmount } from 'svelte';
import { afterEach, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import '../../src/app/theme.css';
import LabelShift from '../../src/app/bench/panels/models/LabelShift.svelte';

let close: () => void = () => undefined;
afterEach(() => {
  close();
  close = () => undefined;
});

/** Shows the offer to shift a label list that is one line off. The labels that a person accepts are kept for the next `look`. */
function show(labels: readonly string[], own: readonly string[] | null, problems: readonly { code: string }[] = []) {
  let file = { labels, from: 'labels.txt' };
  const bench = {
    config: { unreadable: null },
    session: { report: null, listed: { problems, detections: null } },
    models: { of: () => ({ labels: own, outputs: [] }) },
    labels: {
      of: () => file.labels,
      sourceOf: () => ({ kind: 'file', file }),
      give: (_service: string, given: readonly string[], from: string) => (file = { labels: given, from }),
    },
  };
  const look = () => {
    close();
    document.body.replaceChildren();
    const offer = mount(LabelShift, { target: document.body, props: { bench: bench as never, service: 'see' } });
    close = () => void unmount(offer);
  };
  look();
  return { look, file: () => file };
}

it('offers to shift a list that says the file’s own names a line too late, once', async () => {
  const { look, file } = show(['a line', 'cat', 'dog', 'cow'], ['cat', 'dog', 'cow']);
  await expect.element(page.getByText(/model file itself begins its names with “cat”/)).toBeVisible();
  await userEvent.click(page.getByRole('button', { name: 'Leave its first line out' }));
  expect(file().labels).toEqual(['cat', 'dog', 'cow']);
  look();
  expect(document.body.textContent.trim()).toBe('');
});

it('does not shift back by the file’s own names what was shifted here', async () => {
  const own = ['cat', 'dog', 'cow'];
  const { look, file } = show(own, own, [{ code: 'label-one-beyond' }]);
  await userEvent.click(page.getByRole('button', { name: 'Put a line before them' }));
  expect(file().labels).toEqual(['background', ...own]);
  look();
  expect(document.body.textContent.trim()).toBe('');
});

it('offers nothing where the file carries no names', () => {
  show(['a line', 'cat', 'dog', 'cow'], null);
  expect(document.body.textContent.trim()).toBe('');
});
