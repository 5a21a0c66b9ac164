// Ids, addresses and parts of messages.

export { refuseGrowth } from '../usage/refuse-growth.ts';
export { organizationOf } from '../wire/binary-data-id.ts';
export { maxJsonBytes } from '../wire/decode-json.ts';
export { dialAddress } from '../wire/dial-address.ts';
export { partBytes, PartCounter } from '../wire/message-parts.ts';
