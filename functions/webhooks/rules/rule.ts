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
