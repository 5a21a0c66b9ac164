import { InferenceError, type InferenceSession } from './inference-session.ts';

/** Refuses a model that has other inputs than the one tensor that the machine feeds. @throws InferenceError unfilled-input */
export function refuseUnfilledInputs({ inputs }: InferenceSession, fedName: string): void {
  const names = inputs.map(({ name }) => name);
  const unfilled = names.filter((name) => name !== fedName);
  if (unfilled.length === 0) return;
  const list = unfilled.map((name) => `"${name}"`).join(', ');
  throw new InferenceError(
    'unfilled-input',
    names.includes(fedName)
      ? `The model has ${names.length} inputs and the machine fills only "${fedName}": ${list} would stay empty. ` +
          'Make the others constants inside the graph.'
      : `The machine feeds an input named "${fedName}", which the model does not have. Its inputs: ${list}. ` +
          `Write remap_input_names {"${names[0]}": "image"}: model's name first.`,
  );
}
