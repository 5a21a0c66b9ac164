import type { ConfigFilePort } from '../../../ports/config-file.ts';
import type { ConfigState } from '../config/config-state.svelte.ts';
import type { MemoryPort } from '../../kit/memory/remembered.ts';
import type { AccountPort } from './account-port.ts';
import { AccountState } from './account-state.svelte.ts';
import { askDoubt } from './ask-doubt.ts';
import { watchMachine, type WatchDependencies } from './watch-machine.ts';
import { WriteBackState } from './write-back-state.svelte.ts';

interface WriteBackPorts {
  readonly configFile: ConfigFilePort;
  readonly account: AccountPort;
  /** storage of this tab */
  readonly memory: MemoryPort;
  /** storage that all tabs share */
  readonly sharedMemory: MemoryPort;
}

/** Creates the write-back of a bench, which asks the bench's connected machine. */
export function openWriteBack(
  { config, machine, proof }: WatchDependencies & { readonly config: ConfigState },
  ports: WriteBackPorts,
): WriteBackState {
  return new WriteBackState(
    ports.configFile,
    new AccountState(ports.account, ports.memory),
    {
      config,
      host: () => machine.host,
      watch: (coming) => watchMachine({ machine, proof }, coming),
      doubt: (read) => askDoubt(machine, read),
      nowMs: () => Date.now(),
    },
    ports.sharedMemory,
  );
}
