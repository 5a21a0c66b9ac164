import { dialAddress } from '../../data-service/face/wire.ts';

/** One line a language that connects to the service at `origin` by a key id; the key stands there as KEY. */
export function clientLines(
  origin: string,
  keyId: string,
): Readonly<Record<'TypeScript' | 'Python' | 'Go' | 'Connect', string>> {
  const { address, isPlain } = dialAddress(origin);
  return {
    TypeScript: `await createViamClient({ serviceHost: '${origin}', credentials: { type: 'api-key', authEntity: '${keyId}', payload: 'KEY' } })`,
    Python: `await ViamClient.create_from_dial_options(DialOptions(${isPlain ? 'insecure=True, ' : ''}auth_entity="${keyId}", credentials=Credentials("api-key", "KEY")), "${address}")`,
    Go: `rpc.DialDirectGRPC(ctx, "${address}", logger, ${isPlain ? 'rpc.WithInsecure(), ' : ''}rpc.WithEntityCredentials("${keyId}", rpc.Credentials{Type: "api-key", Payload: "KEY"}))`,
    Connect: `curl ${origin}/proto.rpc.v1.AuthService/Authenticate -H 'content-type: application/json' -d '{"entity":"${keyId}","credentials":{"type":"api-key","payload":"KEY"}}'`,
  };
}
