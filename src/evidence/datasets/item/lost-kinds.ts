/** Kinds of annotations that boxes cannot hold. An import counts them, so that a person learns at once what is lost. */
export type LostKind =
  'polygons' | 'masks' | 'keyPoints' | 'lines' | 'points' | 'turned' | 'tracks' | 'attributes' | 'captions' | 'others';

/** The words for each kind, and what replaces it. */
export const lostWords: Readonly<Record<LostKind, string>> = {
  polygons: 'polygons (the boxes around them come)',
  masks: 'masks (only their boxes come)',
  keyPoints: 'boxes with key points (the boxes come without)',
  lines: 'lines (left out)',
  points: 'points (left out)',
  turned: 'turned boxes (the upright boxes around them come)',
  tracks: 'tracks (their boxes come, not that they belong together)',
  attributes: 'boxes with attributes (the boxes come without)',
  captions: 'captions (left out)',
  others: 'shapes of other kinds (left out)',
};
