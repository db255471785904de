import type { Page, PageQuery } from '#shared/http/page';
import type { TenantKey } from '#shared/ids';
import type { ModuleId } from '../modules/module.ts';

/** A rule (the Call API action of the specification): an event on its trigger sends its body to its configuration. */
export interface Rule {
  readonly id: string;
  readonly tenant: string;
  /** Empty for a rule that is known by its module and trigger. */
  readonly name: string;
  readonly module: ModuleId;
  readonly trigger: string;
  readonly apiConfigurationId: string;
  /** The custom headers in the order given. No two names differ only in case. */
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  /** The text of a JSON object, stored unchanged: numbers keep all digits and members their order. */
  readonly body: string;
  readonly enabled: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface RuleFilter {
  /** The id of an API configuration. */
  readonly configuration?: string | undefined;
  readonly module?: ModuleId | undefined;
}

export interface Rules {
  add(rule: Rule): Promise<'added' | 'unknown-configuration' | 'too-many'>;
  byId(key: TenantKey): Promise<Rule | undefined>;
  /** Returns whether the tenant has an API configuration with this id. */
  hasConfiguration(key: TenantKey): Promise<boolean>;
  /**
   * Replaces the stored rule with the result of `edit`, which is called again after a conflicting save and so must be
   * safe to repeat. A newly named configuration must exist; one that is already stored may be gone.
   */
  change(
    key: TenantKey,
    { edit, namesConfiguration }: { edit: (stored: Rule) => Rule; namesConfiguration: (stored: Rule) => boolean },
  ): Promise<Rule | 'missing' | 'unknown-configuration'>;
  /** Removes a rule; false if the tenant has none with this id. */
  remove(key: TenantKey): Promise<boolean>;
  /**
   * Lists rules. A page may end early so that it fits into a response, and have fewer rules if it is filtered by
   * module.
   */
  list(tenant: string, filter: RuleFilter, page: PageQuery): Promise<Page<Rule>>;
}

export interface RulesOf {
  /** Yields the enabled rules of a trigger, a few at a time (strongly consistent). */
  matching(tenant: string, module: ModuleId, trigger: string): AsyncIterable<Rule[]>;
}
