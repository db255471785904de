import { ruleOperations } from '../../webhooks/rules/rules.operations.ts';
import type { Group } from './interface.ts';

/** All operations of each domain, in the order in which readers need them. A stage may lack a domain. */
export const GROUPS: Readonly<Record<string, readonly Group[]>> = {
  webhooks: [
    {
      tag: 'Rules',
      description: 'A rule sends a body to an API configuration when an event fires its trigger.',
      operations: ruleOperations,
    },
  ],
};
