import { createClient, type Client, type Transport } from '@connectrpc/connect';
import { LabelService } from '../../../../gen/sightglass/labels/v1/labels_pb.ts';
import { memoizeByObject } from '../../../../schedule/memoize-by-object.ts';

export type LabelClient = Client<typeof LabelService>;

const clientOf = memoizeByObject((transport: Transport): LabelClient => createClient(LabelService, transport));

/** The client of what people do on labels together. Services other than Sightglass answer Unimplemented. */
export const labelClientOf = ({ transport }: { readonly transport: Transport }): LabelClient => clientOf(transport);
