// What a run over all of a video or folder needs of this browser, fetched at once.
export { openAnnotatedWriter as openWriter } from './annotated-video.ts';
export { openVideoFootage as openVideo } from './open-footage.ts';
export { picturesFootage as openPictures } from './pictures-footage.ts';
