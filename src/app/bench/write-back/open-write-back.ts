import type { ConfigFilePort } from '../../../platform/ports/config-file.ts';
import type { PresentSetup } from '../../../machine/config/face/edits.ts';
import { KeptCertificates } from '../../certificates/kept-certificates.svelte.ts';
import { KeptDrift } from '../../certificates/kept-drift.svelte.ts';
import { validStatements } from '../../certificates/why-void.ts';
import type { ConfigState } from '../config/config-state.svelte.ts';
import type { MemoryPort } from '../../kit/memory/remembered.ts';
import type { AccountPort } from '../account/account-port.ts';
import { AccountState } from '../account/account-state.svelte.ts';
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

interface WrittenBench {
  readonly config: ConfigState;
  /** the setup in force on the bench */
  readonly present: () => PresentSetup;
}

/** Creates the write-back of a bench, which asks the bench's connected machine. */
export function openWriteBack(
  { config, machine, proof, present }: WatchDependencies & WrittenBench,
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
      certified: () => {
        const { list: drift } = new KeptDrift(ports.sharedMemory);
        return validStatements(new KeptCertificates(ports.sharedMemory), {
          present: present(),
          drift,
          nowMs: Date.now(),
        });
      },
      nowMs: () => Date.now(),
    },
    ports.sharedMemory,
  );
}
