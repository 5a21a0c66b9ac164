import { flushSync, mount, unmount } from 'svelte';
import { expect, it, onTestFinished } from 'vitest';
import CertificateList from '../../src/app/certificates/CertificateList.svelte';
import { certificateOf, machineOf } from '../certified.ts';

const key = 'sightglass:certificates';

/** Writes the list as another tab would, and tells the page of it as the browser does. */
function writtenElsewhere(written: string | null): void {
  const oldValue = localStorage.getItem(key);
  if (written === null) localStorage.clear();
  else localStorage.setItem(key, written);
  dispatchEvent(new StorageEvent('storage', { key: written === null ? null : key, oldValue, newValue: written }));
  flushSync();
}

it('a list of certificates shows what another tab makes, and that a person cleared what the site keeps', () => {
  const present = { config: machineOf(), visionName: 'finder', steps: [], labels: null, sha256: null };
  const shown = mount(CertificateList, { target: document.body, props: { memory: localStorage, present } });
  onTestFinished(() => {
    localStorage.clear();
    return unmount(shown);
  });
  flushSync();
  const count = () => document.querySelectorAll('[aria-label="Certificates"] li').length;
  expect(count()).toBe(0);
  writtenElsewhere(JSON.stringify([certificateOf()]));
  expect(count()).toBe(1);
  writtenElsewhere(null);
  expect(count()).toBe(0);
});
