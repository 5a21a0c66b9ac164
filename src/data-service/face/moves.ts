// An installation copied to another host, and compared with it.

export { compareInstallations } from '../move/compare-installations.ts';
export { copyInstallation } from '../move/copy-installation.ts';
export type { MovedStore } from '../move/moved-store.ts';
