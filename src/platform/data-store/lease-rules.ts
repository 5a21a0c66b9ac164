import { type Lease, StoreError } from '../../data-service/face/stores.ts';

export const leaseLost = ({ name }: Lease): StoreError =>
  new StoreError('conflict', `Another host has taken the lease "${name}".`, { subject: name });
