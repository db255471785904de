import type { Page, PageQuery } from '#shared/http/page';
import type { TenantKey } from '#shared/ids';
import type { ModuleId } from './module.ts';

/** A Call API action: on this trigger of this module, send that body to that configuration. */
export interface Rule {
  readonly id: string;
  readonly tenant: string;
  readonly module: ModuleId;
  readonly trigger: string;
  readonly apiConfigurationId: string;
  /** In the order given. Names that differ in case only do not occur. */
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  /** The text of a JSON object, as defined: numbers and the order of its members are kept to the digit. */
  readonly body: string;
  readonly enabled: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface Rules {
  add(rule: Rule): Promise<'added' | 'unknown-configuration'>;
  byId(key: TenantKey): Promise<Rule | undefined>;
  /**
   * Puts what `edit` makes of the stored one in its place. It is asked again when somebody else was quicker, so it must
   * bear repetition. A configuration that is named anew must exist; a stored one may be gone.
   */
  change(
    key: TenantKey,
    { edit, namesConfiguration }: { edit: (stored: Rule) => Rule; namesConfiguration: (stored: Rule) => boolean },
  ): Promise<Rule | 'missing' | 'unknown-configuration'>;
  /** False if the tenant has none of this id. */
  remove(key: TenantKey): Promise<boolean>;
  /** A page may end early, so that it fits into an answer. */
  list(tenant: string, page: PageQuery): Promise<Page<Rule>>;
}

export interface RulesOf {
  /** The enabled rules, as they are at this moment, a few at a time. */
  matching(tenant: string, module: ModuleId, trigger: string): AsyncIterable<Rule[]>;
}
