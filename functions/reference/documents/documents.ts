import { BUILT_IN_EVENTS } from '#shared/events/built-in-events';
import { EVENT_SOURCES } from '#shared/events/event-sources';
import { type Json } from './components.ts';
import { CONVERSIONS } from './conversions-interface.ts';
import { DATA } from './data-interface.ts';
import { openApiDocument } from './document.ts';
import type { DescribedEvent } from './events.ts';
import { GROUPS } from './groups.ts';
import type { Interface } from './interface.ts';
import { LOYALTY } from './loyalty-interface.ts';
import { MANAGEMENT } from './management-interface.ts';

/** The interfaces by the paths of their documents. */
export const INTERFACES = {
  '/v1/openapi.json': CONVERSIONS,
  '/manage/v1/openapi.json': MANAGEMENT,
  '/v3/openapi.json': DATA,
  '/loyalty/openapi.json': LOYALTY,
} as const satisfies Readonly<Record<string, Interface>>;
export type DocumentPath = keyof typeof INTERFACES;

interface Options {
  /** The domains that the stage has. */
  readonly domains: readonly string[];
  readonly url: string;
  readonly isStrict?: boolean;
}

export const documentAt = (path: DocumentPath, { domains, ...options }: Options): Json =>
  openApiDocument(
    INTERFACES[path],
    // Every stage has the edge.
    Object.entries(GROUPS).flatMap(([domain, groups]) => (domain === 'edge' || domains.includes(domain) ? groups : [])),
    // Only rules send events.
    {
      ...options,
      ...(path === '/manage/v1/openapi.json' && domains.includes('webhooks') && { events: eventsOf(domains) }),
    },
  );

/** The events whose domains the stage has. */
const eventsOf = (domains: readonly string[]): readonly DescribedEvent[] =>
  Object.entries<Readonly<Record<string, Omit<DescribedEvent, 'trigger'>>>>(BUILT_IN_EVENTS).flatMap(
    ([module, events]) =>
      EVENT_SOURCES[module as keyof typeof EVENT_SOURCES].some((domain) => domains.includes(domain))
        ? Object.entries(events).map(([trigger, event]) => ({ trigger, ...event }))
        : [],
  );
