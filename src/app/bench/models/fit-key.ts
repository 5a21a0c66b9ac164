/** All automatic changes for a model form one undo step. */
export function fitKey(modelId: string): string {
  return `fit ${modelId}`;
}
