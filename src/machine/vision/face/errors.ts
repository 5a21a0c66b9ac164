// Errors of models, inference and the machine.

export { assertNever } from '../errors/assert-never.ts';
export { errorCode, errorMessage } from '../errors/error-message.ts';
export { InferenceError, type InferenceErrorCode } from '../errors/inference-error.ts';
export { ModelError } from '../errors/model-error.ts';
export { MachineError } from '../machine-error.ts';
