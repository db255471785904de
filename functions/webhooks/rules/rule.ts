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
  /** In the order given. No two names differ only in case. */
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  /** The text of a JSON object, as defined: numbers and the order of its members are kept to the digit. */
  readonly body: string;
  readonly enabled: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface RuleFilter {
  /** Id of an API configuration. */
  readonly configuration?: string | undefined;
  readonly module?: ModuleId | undefined;
}

export interface Rules {
  add(rule: Rule): Promise<'added' | 'unknown-configuration' | 'too-many'>;
  byId(key: TenantKey): Promise<Rule | undefined>;
  /** Whether the tenant has an API configuration with this id. */
  hasConfiguration(key: TenantKey): Promise<boolean>;
  /**
   * Replaces the stored one with the result of `edit`, which is called again after a conflicting save and so must be
   * safe to repeat. A newly named configuration must exist; one that is already stored may be gone.
   */
  change(
    key: TenantKey,
    { edit, namesConfiguration }: { edit: (stored: Rule) => Rule; namesConfiguration: (stored: Rule) => boolean },
  ): Promise<Rule | 'missing' | 'unknown-configuration'>;
  /** False if the tenant has none with this id. */
  remove(key: TenantKey): Promise<boolean>;
  /** A page may end early, so that it fits into an answer, and hold fewer rules where only those of a module are wanted. */
  list(tenant: string, filter: RuleFilter, page: PageQuery): Promise<Page<Rule>>;
}

export interface RulesOf {
  /** The enabled rules, as they are at this moment, a few at a time. */
  matching(tenant: string, module: ModuleId, trigger: string): AsyncIterable<Rule[]>;
}
