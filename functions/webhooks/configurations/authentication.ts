import * as z from 'zod';
import { type Fault, InvalidInput, whenSound } from '#shared/http/invalid-input';
import { headerNameFault, isHeaderValue } from '../sending/header-rules.ts';
import type { StoredAuthentication } from './configuration.ts';

const DEFAULT_HEADER = 'X-Api-Key';
/** The most that KMS encrypts in one call. */
const SECRET_BYTES_MAX = 4096;
const CONTROL = /\p{Cc}/u;

/** Accepts the schema's values; null and an empty string count as absent. */
const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .preprocess((value) => (value === '' || value === null ? undefined : value), schema.optional())
    .optional()
    .meta({ type: ['string', 'null'] as never });

const short = z.string().refine((text) => Buffer.byteLength(text) <= SECRET_BYTES_MAX, {
  error: `must have at most ${SECRET_BYTES_MAX} bytes`,
});
/** Rejects surrounding spaces, which HTTP strips from every header value. */
const headerSecret = short.refine((text) => isHeaderValue(text) && text.trim() === text && !text.includes('\t'), {
  error: 'must be Latin-1 without control characters, and not begin or end with a space',
});
/** Allows any character that a user can type, because the password is sent in base64. */
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
 * The authentication as a request states it. Members of other types may be present if they are empty, as a form sends
 * them.
 */
export const AuthenticationInput = z
  .strictObject({
    type: z.enum(['none', 'apiKey', 'bearer', 'basic']),
    /** null and "" mean the default; an absent name keeps the stored one. */
    headerName: headerName.nullish(),
    key: optional(headerSecret),
    token: optional(headerSecret),
    username: optional(username),
    password: optional(password),
    /** Accepted because responses contain it and may be sent back unchanged. */
    secretSet: z.boolean().optional(),
  })
  .superRefine(
    (input, context) => {
      for (const name of ['headerName', 'key', 'token', 'username', 'password'] as const) {
        if (!input[name] || MEMBERS[input.type].includes(name)) continue;
        context.addIssue({ code: 'custom', path: [name], message: `does not belong to the type ${input.type}` });
      }
    },
    { when: whenSound('type') },
  );
export type AuthenticationInput = z.output<typeof AuthenticationInput>;

const MEMBERS: Readonly<Record<AuthenticationInput['type'], readonly string[]>> = {
  none: [],
  apiKey: ['headerName', 'key'],
  bearer: ['token'],
  basic: ['username', 'password'],
};

const SECRETS = { apiKey: 'key', bearer: 'token', basic: 'password' } as const;

/** Returns the secret that the caller typed, if any. */
export function typedSecret(input: AuthenticationInput): string | undefined {
  return input.type === 'none' ? undefined : input[SECRETS[input.type]];
}

export interface AuthenticationEdit {
  /** Absent for a new configuration. */
  readonly stored?: StoredAuthentication | undefined;
  /** The typed secret as ciphertext. */
  readonly sealed?: string | undefined;
  /** The target URL gets another scheme, host or port. */
  readonly isMoved?: boolean;
}

/**
 * Returns the authentication to store. A typed secret replaces the stored one. An empty one keeps it, if the type and
 * the server stay the same: otherwise anyone who may change the URL could read the secret at another server.
 */
export function savedAuthentication(
  input: AuthenticationInput,
  { stored, sealed, isMoved = false }: AuthenticationEdit,
): StoredAuthentication {
  if (input.type === 'none') return { type: 'none' };
  const same = stored?.type === input.type ? stored : undefined;
  const secret = sealed ?? (isMoved ? undefined : same?.secret);
  const name = input.username ?? (same?.type === 'basic' ? same.username : undefined);
  const faults = missingOf(input.type, { secret, name, stored });
  if (secret === undefined || faults.length > 0) throw new InvalidInput(faults);
  if (input.type === 'bearer') return { type: 'bearer', secret };
  if (input.type === 'apiKey') {
    const headerName = input.headerName === undefined && same?.type === 'apiKey' ? same.headerName : input.headerName;
    return { type: 'apiKey', headerName: headerName || DEFAULT_HEADER, secret };
  }
  return { type: 'basic', username: name ?? '', secret };
}

interface SavedMembers {
  readonly secret: string | undefined;
  readonly name: string | undefined;
  readonly stored: StoredAuthentication | undefined;
}

function missingOf(type: keyof typeof SECRETS, { secret, name, stored }: SavedMembers): Fault[] {
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

/** The authentication as responses show it: whether there is a secret, never the secret itself. */
export function presentAuthentication(stored: StoredAuthentication) {
  const view = { type: stored.type, secretSet: stored.type !== 'none' };
  if (stored.type === 'apiKey') return { ...view, headerName: stored.headerName };
  if (stored.type === 'basic') return { ...view, username: stored.username };
  return view;
}
