/** One line a language that connects to the service at `origin` by a key id; the key stands there as KEY. */
export function clientLines(
  origin: string,
  keyId: string,
): Readonly<Record<'TypeScript' | 'Python' | 'Go' | 'Connect', string>> {
  const { host, port, protocol } = new URL(origin);
  const isPlain = protocol === 'http:';
  // Without a port the libraries take 443.
  const address = port !== '' || !isPlain ? host : `${host}:80`;
  return {
    TypeScript: `await createViamClient({ serviceHost: '${origin}', credentials: { type: 'api-key', authEntity: '${keyId}', payload: 'KEY' } })`,
    Python: `await ViamClient.create_from_dial_options(DialOptions(${isPlain ? 'insecure=True, ' : ''}auth_entity="${keyId}", credentials=Credentials("api-key", "KEY")), "${address}")`,
    Go: `rpc.DialDirectGRPC(ctx, "${address}", logger, ${isPlain ? 'rpc.WithInsecure(), ' : ''}rpc.WithEntityCredentials("${keyId}", rpc.Credentials{Type: "api-key", Payload: "KEY"}))`,
    Connect: `curl ${origin}/proto.rpc.v1.AuthService/Authenticate -H 'content-type: application/json' -d '{"entity":"${keyId}","credentials":{"type":"api-key","payload":"KEY"}}'`,
  };
}
