// Label schemes read from files; fetched when one is opened.

export { readLabelScheme } from '../label-schemes/read-label-scheme.ts';
