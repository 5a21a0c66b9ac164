export type PreviewKind = 'text' | 'image' | 'video' | 'audio';

/** A preview loads the whole file into memory, so larger files can only be downloaded. */
const mostMediaBytes = 64e6;
const mostTextBytes = 8e6;
const textTypes = /^(text\/|application\/(json|jsonl|xml|yaml|x-yaml|toml|javascript|x-sh|x-ndjson)\b|.*\+(json|xml)$)/;
const textNames =
  /\.(txt|md|log|csv|tsv|json|jsonl|ndjson|ya?ml|toml|ini|cfg|conf|xml|urdf|sdf|xacro|launch|py|sh|js|ts)$/i;

/** The kind of preview for a stored file; null if it has no preview. */
export function previewKind(file: {
  readonly mimeType: string;
  readonly name: string;
  readonly sizeBytes: number;
}): PreviewKind | null {
  const { mimeType, name, sizeBytes } = file;
  if (sizeBytes === 0) return null;
  const media = /^(image|video|audio)\//.exec(mimeType)?.[1] as PreviewKind | undefined;
  if (media) return sizeBytes <= mostMediaBytes ? media : null;
  return (textTypes.test(mimeType) || textNames.test(name)) && sizeBytes <= mostTextBytes ? 'text' : null;
}
