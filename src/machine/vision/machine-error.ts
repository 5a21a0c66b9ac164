import type { ColorRefusalCode } from './color-detector/color-rule.ts';

export type MachineErrorCode =
  | ColorRefusalCode
  | 'bad-attribute' // a vision service attribute that the machine refuses
  | 'label-path' // label_path is set, but its content was not given
  | 'unknown-service' // no vision service of this name
  | 'no-model' // the vision service has no model loaded
  | 'no-ability' // the model fulfils neither method of a vision service
  | 'not-a-detector' // the service classifies only
  | 'not-a-classifier' // the service detects only
  | 'no-camera' // a …FromCamera operation without a camera name anywhere
  | 'unknown-camera' // no camera of this name
  | 'empty-source' // a transform camera without a source
  | 'empty-pipeline' // a transform camera without steps
  | 'camera-cycle'; // transform cameras that are each other's source

/** The configuration, its models and the requested operation do not fit each other. */
export class MachineError extends Error {
  override readonly name = 'MachineError';
  readonly code: MachineErrorCode;
  /** the vision service or camera that the error is about */
  readonly resource: string;
  constructor(code: MachineErrorCode, message: string, resource: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.resource = resource;
  }
}
