import { describeCaptureStores } from './capture-stores.ts';
import { memoryOutboxStore } from '../memory-outbox-store.ts';
import { memoryCaptureStore } from '../memory-capture-store.ts';

describeCaptureStores('in memory', () => {
  const outbox = memoryOutboxStore();
  const isToBeSent = async (captureId: string): Promise<boolean> =>
    (await outbox.ofCapture(captureId)).some(({ state }) => state === 'waiting' || state === 'sending');
  const captures = memoryCaptureStore(isToBeSent);
  return { captures, outbox, openAgain: () => ({ captures, outbox }), close: async () => undefined };
});
