import type { Mode } from '../balances/account.ts';

/** The prefixes of keys and client secrets. */
export const KEY_KINDS: Readonly<Record<Mode, string>> = { live: 'cv_live', test: 'cv_test' };
export const CLIENT_SECRET_KIND = 'cv_secret';

export const modeOf = (kind: string): Mode => (kind === KEY_KINDS.live ? 'live' : 'test');
