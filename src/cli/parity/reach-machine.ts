import { loadPeerConnections } from '../../platform/node/peer-connection.ts';
import { openAnyMachine } from '../../remote/links/any-machine-link.ts';
import { firstToAnswer, type AnsweringMachine } from '../../remote/live-machine/first-to-answer.ts';
import type { DialStep, LiveMachine, MachineVersion } from '../../remote/live-machine/live-machine.ts';
import { readPeerUrl } from '../../remote/live-machine/machine-address.ts';
import { CliError } from '../record/cli-error.ts';
import type { ParityArguments } from './parity-record.ts';
import { readKey } from '../shared/read-key.ts';

const wordsOfStep: Readonly<Record<DialStep, string>> = {
  asking: 'Asking the account service …',
  calling: 'Calling the machine …',
  connecting: 'The machine answers. Finding a way to it …',
};

/**
 * Calls a machine at each of its addresses, and takes the first that answers. It is to be closed.
 *
 * @param connections null: werift is not installed
 * @throws CliError, LinkError
 */
export async function reachMachine(
  { machineUrls, key: place }: Pick<ParityArguments, 'machineUrls' | 'key'>,
  say: (text: string) => void,
  signal: AbortSignal,
  connections = loadPeerConnections,
): Promise<AnsweringMachine<MachineVersion>> {
  const key = place && (await readKey(place));
  const open = async (url: string): Promise<LiveMachine> => {
    const isPeer = readPeerUrl(url) !== null;
    const newConnection = isPeer ? await connections() : null;
    if (isPeer && !newConnection) {
      throw new CliError(
        'no-webrtc',
        'A machine in another network is called by WebRTC, for which Node needs the package werift: install it beside sightglass (npm install werift), or give an address in the machine’s network, such as http://robot.local:8080.',
      );
    }
    return openAnyMachine(url, key, newConnection, (step) => say(wordsOfStep[step]));
  };
  return firstToAnswer(machineUrls, open, (machine, asked) => machine.version(asked), signal);
}
