/** The name of an inference worker whose models run on one thread: a worker has one number of threads, as long as it lives. */
export const oneThreadName = 'inference, one thread';
