// Configurations packed into links; fetched when one is opened.

export { decodeShare, shareConfig } from '../share/share-config.ts';
