import * as z from 'zod/mini';
import { countOf } from '../components/quantities.ts';
import type { Form } from '../pages/form.ts';
import { DataTokenPage, ManagementKeyPage, ModePage, NewDataToken, NewKey, NewOauthClient } from './key-answers.ts';

/** A credential without its secret, as lists show it. */
export interface ShownKey {
  readonly id: string;
  /** What tells it from others: a name, a mode, a plan. */
  readonly about: string;
  /** What it allows or has left; blank where there is nothing to say. */
  readonly more: string;
  readonly createdAt: string;
  readonly revokedAt?: string | undefined;
  /** Who made it; absent where nobody is known. */
  readonly createdBy?: string | undefined;
  readonly lastUsedAt?: string | null;
  readonly expiresAt?: string | null;
}

/** A secret, which is shown this once. */
interface NewSecret {
  readonly id: string;
  readonly secret: string;
}

interface ShownPage {
  readonly items: readonly ShownKey[];
  readonly nextCursor?: string | undefined;
}

export interface KeyKind {
  /** In the address and in the path of the management API. */
  readonly name: string;
  readonly label: string;
  readonly one: string;
  readonly lead: string;
  readonly titles: { readonly about: string; readonly more: string };
  /** Its keys expire, and show who made and last used them. @default false */
  readonly isTracked?: boolean;
  readonly secretLabel: string;
  /** What ends with it. */
  readonly loss: string;
  /** Others see them and revoke them. */
  readonly areMadeByOperators: boolean;
  readonly page: z.ZodMiniType<ShownPage>;
  readonly made: z.ZodMiniType<NewSecret>;
  /** What the management API is sent to make one. */
  readonly bodyOf: (form: Form) => unknown;
}

const modeLabel = (mode: string) => (mode === 'live' ? 'Live' : 'Test');

const modePage = z.pipe(
  ModePage,
  z.transform(
    ({ items, ...rest }): ShownPage => ({
      ...rest,
      items: items.map(({ mode, ...key }) => ({ ...key, about: modeLabel(mode), more: '' })),
    }),
  ),
);

const newKey = z.pipe(
  NewKey,
  z.transform(({ id, key }): NewSecret => ({ id, secret: key })),
);

const CONVERSION_KEYS: KeyKind = {
  name: 'keys',
  label: 'Conversion keys',
  one: 'conversion key',
  lead: 'Conversion keys are for the conversion API. Live keys count against the plan, test keys against the test pool.',
  titles: { about: 'Mode', more: '' },
  secretLabel: 'Conversion key',
  loss: 'Calls with this key are refused from now on, within half a minute at most.',
  areMadeByOperators: false,
  page: modePage,
  made: newKey,
  bodyOf: (form) => ({ mode: form.text('mode') }),
};

const OAUTH_CLIENTS: KeyKind = {
  name: 'oauth-clients',
  label: 'OAuth clients',
  one: 'OAuth client',
  lead: 'OAuth clients are for tests of the conversion API, with access tokens that last a quarter of an hour.',
  titles: { about: 'Mode', more: '' },
  secretLabel: 'Client secret',
  loss: 'The client gets no more access tokens, and its tokens are refused.',
  areMadeByOperators: false,
  page: modePage,
  made: z.pipe(
    NewOauthClient,
    z.transform(({ clientId, clientSecret }): NewSecret => ({ id: clientId, secret: clientSecret })),
  ),
  bodyOf: () => undefined,
};

/** What a management key may do. */
export const SCOPES = [
  ['read', 'Read', 'Everything that this console shows.'],
  ['events', 'Announce events', 'By which webhooks are fired.'],
  ['manage', 'Manage', 'Everything that you may do, also making keys.'],
] as const;

const scopeLabel = (scope: string) => SCOPES.find(([value]) => value === scope)?.[1] ?? scope;

const MANAGEMENT_KEYS: KeyKind = {
  name: 'management-keys',
  label: 'Management keys',
  one: 'management key',
  lead: 'Management keys are for servers that call the management API, for which no person signs in.',
  titles: { about: 'Name', more: 'May' },
  isTracked: true,
  secretLabel: 'Management key',
  loss: 'Servers that use it are refused within a minute. A key that could manage may have made others: look at the list.',
  areMadeByOperators: false,
  page: z.pipe(
    ManagementKeyPage,
    z.transform(
      ({ items, ...rest }): ShownPage => ({
        ...rest,
        items: items.map(({ name, scopes, createdBy, ...key }) => ({
          ...key,
          createdBy: createdBy?.name ?? createdBy?.id,
          about: name,
          more: scopes.map(scopeLabel).join(', '),
        })),
      }),
    ),
  ),
  made: newKey,
  bodyOf: (form) => {
    const day = form.text('expiresOn').trim();
    const expiry = day !== '' && { expiresAt: `${day}T00:00:00Z` };
    return { name: form.text('name').trim(), scopes: form.all('scopes'), ...expiry };
  },
};

const DATA_TOKENS: KeyKind = {
  name: 'data-tokens',
  label: 'Downloads tokens',
  one: 'downloads token',
  lead: 'Downloads tokens pay for downloads of records and say which views an account has.',
  titles: { about: 'Plan', more: 'Left' },
  secretLabel: 'Downloads token',
  loss: 'Searches with this token are refused within a minute. What it has left of credits is lost.',
  areMadeByOperators: true,
  page: z.pipe(
    DataTokenPage,
    z.transform(
      ({ items, ...rest }): ShownPage => ({
        ...rest,
        items: items.map(({ planId, availableDownloads, ...token }) => ({
          ...token,
          about: planId,
          more: countOf(availableDownloads, 'credit'),
        })),
      }),
    ),
  ),
  made: z.pipe(
    NewDataToken,
    z.transform(({ id, token }): NewSecret => ({ id, secret: token })),
  ),
  bodyOf: (form) => ({
    availableDownloads: numberIn(form.text('availableDownloads')),
    planId: form.text('planId').trim(),
  }),
};

/** The first one is shown where none is named. */
export const KEY_KINDS: readonly KeyKind[] = [CONVERSION_KEYS, OAUTH_CLIENTS, MANAGEMENT_KEYS, DATA_TOKENS];

/** A number, or the text as it is: the API says what is wrong with it. */
function numberIn(text: string): number | string {
  const digits = text.replaceAll(/[\s,]/g, '');
  return /^\d{1,15}$/.test(digits) ? Number(digits) : text;
}
