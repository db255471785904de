import * as z from 'zod';
import { type Fault, InvalidInput, whenSound } from '#shared/http/invalid-input';
import { headerNameFault, isHeaderValue } from '../sending/header-rules.ts';
import type { StoredAuthentication } from './configuration.ts';

const DEFAULT_HEADER = 'X-Api-Key';
/** The most that KMS encrypts in one call. */
const SECRET_BYTES_MAX = 4096;
const CONTROL = /\p{Cc}/u;

/** Blank counts as absent. */
const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === '' || value === null ? undefined : value), schema.optional()).optional();

const short = z.string().refine((text) => Buffer.byteLength(text) <= SECRET_BYTES_MAX, {
  error: `must have at most ${SECRET_BYTES_MAX} bytes`,
});
/** Blanks around it would be lost on the way, as they are around every header. */
const headerSecret = short.refine((text) => isHeaderValue(text) && text.trim() === text && !text.includes('\t'), {
  error: 'must be Latin-1 without control characters, and not begin or end with a blank',
});
/** Sent in base64, so it may hold any character that a user can type. */
const password = short.refine((text) => !CONTROL.test(text) && text.isWellFormed(), {
  error: 'must not hold control characters',
});
const username = z
  .string()
  .max(255)
  .refine((text) => !CONTROL.test(text) && !text.includes(':') && text.isWellFormed(), {
    error: 'must not hold a colon or control characters',
  });
const headerName = z.string().superRefine((name, context) => {
  const fault = name === '' ? undefined : headerNameFault(name);
  if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
});

/**
 * How requests authenticate, as stated in a request. Members of other types may be present if they are blank, as a form
 * sends them.
 */
export const StatedAuthentication = z
  .strictObject({
    type: z.enum(['none', 'apiKey', 'bearer', 'basic']),
    /** null and "" stand for the default; absent keeps what is stored. */
    headerName: headerName.nullish(),
    key: optional(headerSecret),
    token: optional(headerSecret),
    username: optional(username),
    password: optional(password),
    /** Shown in answers, which may be sent back as they are. */
    secretSet: z.boolean().optional(),
  })
  .superRefine(
    (stated, context) => {
      for (const name of ['headerName', 'key', 'token', 'username', 'password'] as const) {
        if (!stated[name] || MEMBERS[stated.type].includes(name)) continue;
        context.addIssue({ code: 'custom', path: [name], message: `does not belong to the type ${stated.type}` });
      }
    },
    { when: whenSound('type') },
  );
export type StatedAuthentication = z.output<typeof StatedAuthentication>;

const MEMBERS: Readonly<Record<StatedAuthentication['type'], readonly string[]>> = {
  none: [],
  apiKey: ['headerName', 'key'],
  bearer: ['token'],
  basic: ['username', 'password'],
};

const SECRETS = { apiKey: 'key', bearer: 'token', basic: 'password' } as const;

/** The secret that was typed. */
export function typedSecret(stated: StatedAuthentication): string | undefined {
  return stated.type === 'none' ? undefined : stated[SECRETS[stated.type]];
}

export interface Edited {
  /** Absent for a new configuration. */
  readonly stored?: StoredAuthentication | undefined;
  /** The typed secret as ciphertext. */
  readonly sealed?: string | undefined;
  /** The target URL gets another scheme, host or port. */
  readonly isMoved?: boolean;
}

/**
 * What is stored after a save. A typed secret replaces the stored one; a blank one keeps it while the type is the same and
 * the secret goes to the same server: who may change the URL could read the secret there otherwise.
 */
export function savedAuthentication(
  stated: StatedAuthentication,
  { stored, sealed, isMoved = false }: Edited,
): StoredAuthentication {
  if (stated.type === 'none') return { type: 'none' };
  const same = stored?.type === stated.type ? stored : undefined;
  const secret = sealed ?? (isMoved ? undefined : same?.secret);
  const name = stated.username ?? (same?.type === 'basic' ? same.username : undefined);
  const faults = missingOf(stated.type, { secret, name, stored });
  if (secret === undefined || faults.length > 0) throw new InvalidInput(faults);
  if (stated.type === 'bearer') return { type: 'bearer', secret };
  if (stated.type === 'apiKey') {
    const kept = stated.headerName === undefined && same?.type === 'apiKey' ? same.headerName : stated.headerName;
    return { type: 'apiKey', headerName: kept || DEFAULT_HEADER, secret };
  }
  return { type: 'basic', username: name ?? '', secret };
}

interface Complete {
  readonly secret: string | undefined;
  readonly name: string | undefined;
  readonly stored: StoredAuthentication | undefined;
}

function missingOf(type: keyof typeof SECRETS, { secret, name, stored }: Complete): Fault[] {
  const faults = secret === undefined ? [secretRequired(type, stored)] : [];
  if (type !== 'basic' || name !== undefined) return faults;
  return [...faults, { path: ['authentication', 'username'], message: 'is required' }];
}

function secretRequired(type: keyof typeof SECRETS, stored: StoredAuthentication | undefined): Fault {
  const why = stored?.type === type ? 'the target URL has another scheme, host or port' : 'the type changes';
  return {
    path: ['authentication', SECRETS[type]],
    message: `is required${stored ? `, because ${why}` : ''}`,
    alone: { status: 400, code: 'secret-required' },
  };
}

/** The authentication as shown: whether there is a secret, never the secret itself. */
export function presentAuthentication(stored: StoredAuthentication) {
  const shown = { type: stored.type, secretSet: stored.type !== 'none' };
  if (stored.type === 'apiKey') return { ...shown, headerName: stored.headerName };
  if (stored.type === 'basic') return { ...shown, username: stored.username };
  return shown;
}
