import { mount, unmount, type Component } from 'svelte';
import { page, userEvent } from 'vitest/browser';
import { afterEach, expect, it, vi } from 'vitest';
import AboutDialog from '../../src/app/shell/AboutDialog.svelte';

const works = [
  { name: 'BlazeFace', version: '', licence: 'Apache-2.0', text: 'Apache License, in full' },
  { name: 'svelte', version: '5.0.0', licence: 'MIT', text: 'Permission is hereby granted' },
];
const bench = { view: { aboutOpen: true }, session: { capabilities: null }, models: { stored: [] } };

let close: () => void = () => undefined;
afterEach(() => {
  close();
  vi.restoreAllMocks();
});

function openAbout(answer: () => Response) {
  const asked = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => answer());
  const target = document.createElement('div');
  document.body.replaceChildren(target);
  const shown = mount(AboutDialog as unknown as Component<Record<string, unknown>>, { target, props: { bench } });
  close = () => void unmount(shown);
  return asked;
}

const summaryOf = (title: string): HTMLElement | undefined =>
  [...document.querySelectorAll('summary')].find(({ textContent }) => textContent.includes(title));
const openLicences = () => userEvent.click(page.getByText('Licences of everything that it carries'));

it('are loaded when they are opened, each in full behind its name', async () => {
  const asked = openAbout(() => Response.json(works));
  expect(asked).not.toHaveBeenCalled();
  await openLicences();
  expect(asked.mock.calls).toEqual([['builtin/licences.json']]);
  await expect.poll(() => summaryOf('svelte 5.0.0')).toBeDefined();
  summaryOf('svelte 5.0.0')!.click();
  await expect.poll(() => document.querySelector('pre')?.textContent).toBe('Permission is hereby granted');
  expect(document.querySelector('pre')!.getAttribute('aria-label')).toBe('Licence of svelte');
  expect(document.querySelectorAll('pre')).toHaveLength(1);
});

it('say so where they cannot be had', async () => {
  openAbout(() => new Response('', { status: 404 }));
  await openLicences();
  const told = (): string => document.querySelector('[role=alert]')?.textContent ?? '';
  await expect.poll(told).toMatch(/cannot be loaded: the answer was 404/);
});
