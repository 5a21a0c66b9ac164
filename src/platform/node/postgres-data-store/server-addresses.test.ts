import { expect, it } from 'vitest';
import { serverAddresses } from './server-addresses.ts';

it.each([
  [
    'postgres://u:p@db:5433/site?sslmode=verify-full',
    ['postgres://u:p@db:5433/site?sslmode=verify-full'],
    'db:5433/site',
  ],
  [
    'postgresql://u:p@one:5432,two:5433,three/site?target_session_attrs=read-write',
    [
      'postgresql://u:p@one:5432/site?target_session_attrs=read-write',
      'postgresql://u:p@two:5433/site?target_session_attrs=read-write',
      'postgresql://u:p@three/site?target_session_attrs=read-write',
    ],
    'one:5432,two:5433,three/site',
  ],
  [
    'postgres://u:p%40,@[::1]:5432,b/site',
    ['postgres://u:p%40,@[::1]:5432/site', 'postgres://u:p%40,@b/site'],
    '[::1]:5432,b/site',
  ],
  ['postgres://u:a@b@c,d/site', ['postgres://u:a@b@c/site', 'postgres://u:a@b@d/site'], 'c,d/site'],
  [
    'postgres://u@localhost/site?host=/run/a,/run/b&port=5432,5433',
    ['postgres://u@localhost/site?host=%2Frun%2Fa&port=5432', 'postgres://u@localhost/site?host=%2Frun%2Fb&port=5433'],
    '/run/a:5432,/run/b:5433/site',
  ],
  [
    'postgres://u@localhost/site?host=a,b&port=5433',
    ['postgres://u@localhost/site?host=a&port=5433', 'postgres://u@localhost/site?host=b&port=5433'],
    'a:5433,b:5433/site',
  ],
])('reads %s', (text, urls, place) => {
  expect(serverAddresses(text)).toEqual({ urls, place });
});

it('names a server of this machine where the address has none', () => {
  expect(serverAddresses('postgres:///site')).toMatchObject({ place: 'localhost/site' });
});

it.each([
  ['opensesame', /no such address/],
  ['mysql://u:opensesame@db/site', /no such address/],
  ['postgres://u:opensesame@one:5432,two:port/site', /no such address/],
  ['postgres://u:opensesame@one,two/site?target_session_attrs=any', /read-write or left out/],
  ['postgres://u:opensesame@db/site?application_name=opensesame', /set application_name themselves/],
  ['postgres://u:opensesame@one,two/site?sslmode=require&statement_timeout=0', /set statement_timeout themselves/],
  ['postgres://u:opensesame@db/site?host=a,b&lock_timeout=0', /set lock_timeout themselves/],
  ['postgres://u:opensesame@db/site?query_timeout=0', /set query_timeout themselves/],
  ['postgres://u:opensesame@db/site?idle_in_transaction_session_timeout=0', /set idle_in_transaction_session_timeout/],
  ['postgres://u:opensesame@db/site?host=a,b,c&port=1,2', /3 hosts and 2 ports/],
  ['postgres://u:opensesame@db/site?port=1,2', /0 hosts and 2 ports/],
])('says what is wrong with %s, without its text', (text, words) => {
  const read = serverAddresses(text);
  expect(read).toEqual({ wrong: expect.stringMatching(words) });
  expect(JSON.stringify(read)).not.toContain('opensesame');
});
