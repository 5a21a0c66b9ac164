import { describe, expect, it } from 'vitest';
import { readSnippet } from './read-snippet.ts';

const host = 'robot-main.abc123.viam.cloud';
const keyId = '0a1b2c3d-0000-4000-8000-0123456789ab';
const key = 'abcdefghijklmnopqrstuvwxyz012345';

describe('code that connects to a machine', () => {
  it.each([
    [
      'Python',
      `opts = RobotClient.Options.with_api_key(\n  api_key='${key}',\n  api_key_id='${keyId}'\n)\nreturn await RobotClient.at_address('${host}', opts)`,
    ],
    [
      'TypeScript',
      `const host = '${host}';\nconst machine = await VIAM.createRobotClient({ host, credentials: { type: 'api-key', payload: '${key}', authEntity: '${keyId}' }, signalingAddress: 'https://app.viam.com:443' });`,
    ],
    [
      'Go',
      `client.New(ctx, "${host}", logger, client.WithDialOptions(rpc.WithEntityCredentials("${keyId}", rpc.Credentials{ Type: rpc.CredentialsTypeAPIKey, Payload: "${key}" })))`,
    ],
    ['Dart', `RobotClientOptions.withApiKey('${keyId}', '${key}'); RobotClient.atAddress('${host}', options)`],
    ['JSON', `{"host":"${host}","api_key_id":"${keyId}","api_key":"${key}"}`],
  ])('in %s gives the name, the id of the key and the key', (_, text) => {
    expect(readSnippet(text)).toEqual({ host, keyId, key });
  });

  it('with placeholders leaves the key to the person', () => {
    expect(readSnippet(`host = '${host}'\napi_key='<API-KEY>'\napi_key_id='<API-KEY-ID>'`)).toEqual({
      host,
      keyId: '',
      key: '',
    });
  });

  it.each([host, `https://${host}/`, 'http://robot.local:8080', 'payload: "abcdefghijklmnopqrstuvwxyz"', ''])(
    'is not what %j is',
    (text) => expect(readSnippet(text)).toBeNull(),
  );
});
