import type { Lease } from '../../data-service/ports/lease-store.ts';
import { StoreError } from '../../data-service/ports/store-error.ts';

export const leaseLost = ({ name }: Lease): StoreError =>
  new StoreError('conflict', `Another host has taken the lease "${name}".`, { subject: name });
