import { Construct } from 'constructs';
import type { ConsoleKey } from '../../../functions/console/table-keys.ts';
import { DomainTable } from '../../constructs/domain-table.ts';

/** Sessions of people, which outlive a deployment. Everything in the table expires, most of it within a day. */
export class ConsoleData extends Construct {
  readonly table = new DomainTable<ConsoleKey, never>(this, 'Table');
}
