// The organization and location of a data service that serves one browser.

export { localHome, localOwner, setUpLocalHome, unlessThere } from '../access/local-home.ts';
