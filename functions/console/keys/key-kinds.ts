import * as z from 'zod/mini';
import { countOf } from '../components/quantities.ts';
import type { Form } from '../pages/form.ts';
import {
  ConversionKeyPage,
  DataTokenPage,
  ManagementKeyPage,
  NewDataToken,
  NewKey,
  NewOauthClient,
  OauthClientPage,
} from './key-answers.ts';

/** A credential without its secret, as lists show it. */
export interface ListedKey {
  readonly id: string;
  /** The beginning of the secret, by which people recognise it; undefined if only the id does that. */
  readonly prefix?: string | undefined;
  /** The attribute that distinguishes the credential: a name, a mode or a plan. */
  readonly about: string;
  /** The permissions or remaining credits; empty if there are none. */
  readonly more: string;
  readonly createdAt: string;
  readonly revokedAt?: string | undefined;
  /** The name of its creator, if known. */
  readonly createdBy?: string | undefined;
  readonly lastUsedAt?: string | null;
  readonly expiresAt?: string | null;
}

/** A new secret, which is displayed only once. */
interface NewSecret {
  readonly id: string;
  readonly secret: string;
}

interface KeyPage {
  readonly items: readonly ListedKey[];
  readonly nextCursor?: string | undefined;
}

export interface KeyKind {
  /** The name in the address and in the path of the management API. */
  readonly name: string;
  readonly label: string;
  readonly one: string;
  readonly lead: string;
  readonly titles: { readonly about: string; readonly more: string };
  /** True if creator, last use and expiry are shown. @default false */
  readonly isTracked?: boolean;
  readonly secretLabel: string;
  /** The consequences of a revocation. */
  readonly loss: string;
  /** True if only operators create them; others see and revoke them. */
  readonly isForOperators: boolean;
  readonly page: z.ZodMiniType<KeyPage>;
  readonly newSecret: z.ZodMiniType<NewSecret>;
  /** Returns the request body that creates one. */
  readonly bodyOf: (form: Form) => unknown;
}

/** The name of a key without one. */
export const UNNAMED = 'Unnamed';

const modeLabel = (mode: string) => (mode === 'live' ? 'Live' : 'Test');

const creatorOf = (createdBy: { readonly id: string; readonly name: string | null } | null) =>
  createdBy?.name ?? createdBy?.id;

const newKey = z.pipe(
  NewKey,
  z.transform(({ id, key }): NewSecret => ({ id, secret: key })),
);

const CONVERSION_KEYS: KeyKind = {
  name: 'keys',
  label: 'Conversion keys',
  one: 'conversion key',
  lead: 'Conversion keys are for the conversion API. Live keys use the quota of the plan, test keys the test pool.',
  titles: { about: 'Name', more: 'Mode' },
  isTracked: true,
  secretLabel: 'Conversion key',
  loss: 'Calls with this key are refused within half a minute.',
  isForOperators: false,
  page: z.pipe(
    ConversionKeyPage,
    z.transform(
      ({ items, ...rest }): KeyPage => ({
        ...rest,
        items: items.map(({ name, mode, createdBy, ...key }) => ({
          ...key,
          createdBy: creatorOf(createdBy),
          about: name ?? UNNAMED,
          more: modeLabel(mode),
        })),
      }),
    ),
  ),
  newSecret: newKey,
  bodyOf: (form) => {
    const name = form.trimmed('name');
    return { mode: form.text('mode'), ...(name !== undefined && { name }) };
  },
};

const OAUTH_CLIENTS: KeyKind = {
  name: 'oauth-clients',
  label: 'OAuth clients',
  one: 'OAuth client',
  lead: 'OAuth clients are for testing the conversion API. Their access tokens last 15 minutes.',
  titles: { about: 'Mode', more: '' },
  isTracked: true,
  secretLabel: 'Client secret',
  loss: 'The client gets no more access tokens, and its tokens are refused.',
  isForOperators: false,
  page: z.pipe(
    OauthClientPage,
    z.transform(
      ({ items, ...rest }): KeyPage => ({
        ...rest,
        items: items.map(({ mode, createdBy, ...client }) => ({
          ...client,
          createdBy: creatorOf(createdBy),
          about: modeLabel(mode),
          more: '',
        })),
      }),
    ),
  ),
  newSecret: z.pipe(
    NewOauthClient,
    z.transform(({ clientId, clientSecret }): NewSecret => ({ id: clientId, secret: clientSecret })),
  ),
  bodyOf: () => undefined,
};

/** The scopes of management keys. */
export const SCOPES = [
  ['read', 'Read', 'Read everything that this console shows.'],
  ['events', 'Send events', 'Send events that trigger webhooks.'],
  ['manage', 'Manage', 'Everything that you may do, including creating keys.'],
] as const;

const scopeLabel = (scope: string) => SCOPES.find(([value]) => value === scope)?.[1] ?? scope;

const MANAGEMENT_KEYS: KeyKind = {
  name: 'management-keys',
  label: 'Management keys',
  one: 'management key',
  lead: 'Management keys let servers call the management API without a person signing in.',
  titles: { about: 'Name', more: 'Scopes' },
  isTracked: true,
  secretLabel: 'Management key',
  loss: 'Servers that use it are refused from then on. A key with the scope Manage may have created other keys: check the list.',
  isForOperators: false,
  page: z.pipe(
    ManagementKeyPage,
    z.transform(
      ({ items, ...rest }): KeyPage => ({
        ...rest,
        items: items.map(({ name, scopes, createdBy, ...key }) => ({
          ...key,
          createdBy: creatorOf(createdBy),
          about: name,
          more: scopes.map(scopeLabel).join(', '),
        })),
      }),
    ),
  ),
  newSecret: newKey,
  bodyOf: (form) => {
    const day = form.text('expiresOn').trim();
    const expiry = day !== '' && { expiresAt: `${day}T00:00:00Z` };
    return { name: form.text('name').trim(), scopes: form.all('scopes'), ...expiry };
  },
};

const DATA_TOKENS: KeyKind = {
  name: 'data-tokens',
  label: 'Data tokens',
  one: 'data token',
  lead: 'Data tokens pay for downloads and determine which views an account can use.',
  titles: { about: 'Plan', more: 'Credits' },
  secretLabel: 'Data token',
  loss: 'Searches with this token are refused within a minute. Its remaining credits are lost.',
  isForOperators: true,
  page: z.pipe(
    DataTokenPage,
    z.transform(
      ({ items, ...rest }): KeyPage => ({
        ...rest,
        items: items.map(({ planId, availableDownloads, ...token }) => ({
          ...token,
          about: planId,
          more: countOf(availableDownloads, 'credit'),
        })),
      }),
    ),
  ),
  newSecret: z.pipe(
    NewDataToken,
    z.transform(({ id, token }): NewSecret => ({ id, secret: token })),
  ),
  bodyOf: (form) => ({
    availableDownloads: numberIn(form.text('availableDownloads')),
    planId: form.text('planId').trim(),
  }),
};

/** All kinds of keys. The first one is the default. */
export const KEY_KINDS: readonly KeyKind[] = [CONVERSION_KEYS, OAUTH_CLIENTS, MANAGEMENT_KEYS, DATA_TOKENS];

/** Returns a number, or the unchanged text, which the API refuses with a reason. */
function numberIn(text: string): number | string {
  const digits = text.replaceAll(/[\s,]/g, '');
  return /^\d{1,15}$/.test(digits) ? Number(digits) : text;
}
