import { describe, expect, it } from 'vitest';
import { keySecrets } from '../../../shared/auth/key-secrets.secretsmanager.ts';

const FIRST = { 1: 'a'.repeat(64) };
const SECOND = { ...FIRST, 2: 'b'.repeat(64) };
const MINUTE = 60_000;

/** Secrets Manager, as far as one secret: it answers, fails, or never answers. */
function vault() {
  const state = { secret: JSON.stringify(FIRST), changedAt: 0, fails: false, hangs: false, reads: 0 };
  const send = async () => {
    state.reads += 1;
    if (state.hangs) return new Promise(() => undefined);
    if (state.fails) throw new Error('Secrets Manager does not answer.');
    return { SecretString: state.secret, CreatedDate: new Date(state.changedAt) };
  };
  return { state, secretsAt: keySecrets('keys', { send }) };
}

describe('the secrets of keys', () => {
  it('are read once for many callers, and again after ten minutes', async () => {
    const { state, secretsAt } = vault();
    const all = await Promise.all(Array.from({ length: 20 }, () => secretsAt(0)));
    for (const one of all) expect(one).toEqual(FIRST);
    state.secret = JSON.stringify(SECOND);
    expect(await secretsAt(10 * MINUTE - 1)).toEqual(FIRST);
    expect(state.reads).toBe(1);
    expect(await secretsAt(10 * MINUTE)).toEqual(SECOND);
    expect(state.reads).toBe(2);
  });

  it('make no key with a version that a function may not know yet that read them just before', async () => {
    const { state, secretsAt: early } = vault();
    await early(0);
    state.secret = JSON.stringify(SECOND);
    state.changedAt = 1;
    const late = keySecrets('keys', { send: async () => ({ SecretString: state.secret, CreatedDate: new Date(1) }) });
    for (let minute = 0; minute <= 30; minute += 1) {
      const now = minute * MINUTE + 1;
      const accepted = await early(now);
      for (const version of Object.keys(await late.issuing(now))) expect(accepted).toHaveProperty(version);
    }
    expect(await late.issuing(30 * MINUTE)).toEqual(SECOND);
  });

  it('that were never read admit no caller, and are read again for the next one', async () => {
    const { state, secretsAt } = vault();
    state.fails = true;
    await expect(secretsAt(0)).rejects.toThrow('Secrets Manager does not answer.');
    state.fails = false;
    expect(await secretsAt(1)).toEqual(FIRST);
  });

  it('serve on when they cannot be read again, which is tried twice a minute', async () => {
    const { state, secretsAt } = vault();
    await secretsAt(0);
    state.fails = true;
    for (let second = 0; second < 60; second += 1) {
      expect(await secretsAt(10 * MINUTE + second * 1_000)).toEqual(FIRST);
    }
    expect(state.reads).toBe(3);
    state.fails = false;
    state.secret = JSON.stringify(SECOND);
    expect(await secretsAt(11 * MINUTE)).toEqual(SECOND);
  });

  it('serve on while Secrets Manager hangs, with one reading under way', async () => {
    const { state, secretsAt } = vault();
    await secretsAt(0);
    state.hangs = true;
    expect(await secretsAt(10 * MINUTE)).toEqual(FIRST);
    expect(await secretsAt(10 * MINUTE + 1)).toEqual(FIRST);
    expect(state.reads).toBe(2);
  });

  it.each(['{"1": "short"}', '{"one": "aaaa"}', '[]', 'no json'])(
    'are never those of an unreadable text: %s',
    async (text) => {
      const { state, secretsAt } = vault();
      state.secret = text;
      await expect(secretsAt(0)).rejects.toThrow();
    },
  );
});
