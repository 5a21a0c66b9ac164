import type { PictureOrigin } from './dataset-item.ts';

/**
 * Identifies the camera that captured a picture.
 *
 * @param origin of the picture; a part or component that is absent or '' is unknown
 * @returns equal for pictures of the same component of the same part; null: the component is unknown
 * @example
 * [cameraOf({ partId: 'p', componentName: 'yard' }), cameraOf({ partId: 'p' })]; // => ['p\nyard', null]
 */
export const cameraOf = ({ partId = '', componentName = '' }: PictureOrigin): string | null =>
  componentName === '' ? null : `${partId}\n${componentName}`;
