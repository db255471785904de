import type { JWK } from 'jose';
import { describe, expect, it } from 'vitest';
import { signingKeys } from '../../functions/edge/signing-keys.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const START = Date.UTC(2026, 0, 1);

/** An issuer whose keys and condition a test changes; it counts how often it is asked. */
function issuer(...ids: string[]) {
  const state = { ids, isDown: false, asked: 0 };
  const find = signingKeys(async () => {
    state.asked += 1;
    if (state.isDown) throw new Error('The issuer does not answer.');
    return new Map(state.ids.map((kid): [string, JWK] => [kid, { kid, kty: 'RSA' }]));
  });
  const at = async (millis: number, kid: string) => (await find(kid, START + millis))?.kid;
  return { state, at };
}

describe('the keys of an issuer', () => {
  it('are asked for once, however often a known one is needed', async () => {
    const { state, at } = issuer('a', 'b');
    for (const seconds of [0, 1, 100, 3_599]) expect(await at(seconds * SECOND, 'a')).toBe('a');
    expect(await at(3_599 * SECOND, 'b')).toBe('b');
    expect(state.asked).toBe(1);
  });

  it('are asked for again for an unknown id, at most once a minute', async () => {
    const { state, at } = issuer('a');
    for (let second = 0; second < 180; second += 1)
      expect(await at(second * SECOND, `forged-${second}`)).toBeUndefined();
    expect(state.asked).toBe(3);
    state.ids = ['a', 'new'];
    expect(await at(3 * MINUTE, 'new')).toBe('new');
  });

  it('are no longer accepted an hour after the issuer withdrew them', async () => {
    const { state, at } = issuer('a');
    await at(0, 'a');
    state.ids = ['b'];
    expect(await at(60 * MINUTE - 1, 'a')).toBe('a');
    expect(await at(60 * MINUTE, 'a')).toBeUndefined();
  });

  it('serve on while the issuer does not answer, and are asked for once a minute', async () => {
    const { state, at } = issuer('a');
    await at(0, 'a');
    state.isDown = true;
    for (let second = 0; second < 120; second += 1) expect(await at(60 * MINUTE + second * SECOND, 'a')).toBe('a');
    expect(state.asked).toBe(3);
  });

  it('cannot be told from unknown ones while the issuer does not answer', async () => {
    const { state, at } = issuer('a');
    await at(0, 'a');
    state.isDown = true;
    await expect(at(2 * MINUTE, 'new')).rejects.toThrow('does not answer');
    await expect(at(2 * MINUTE + SECOND, 'new')).rejects.toThrow('does not answer');
    expect(state.asked).toBe(2);
    state.isDown = false;
    expect(await at(3 * MINUTE, 'new')).toBeUndefined();
  });

  it('are asked for at every call until the issuer has answered once', async () => {
    const { state, at } = issuer('a');
    state.isDown = true;
    await expect(at(0, 'a')).rejects.toThrow('does not answer');
    await expect(at(1, 'a')).rejects.toThrow('does not answer');
    state.isDown = false;
    expect(await at(2, 'a')).toBe('a');
    expect(state.asked).toBe(3);
  });
});
