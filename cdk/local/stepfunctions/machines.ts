/** The state machines of the templates. */
import type { Revision } from './execution-store.ts';

export interface Machine {
  readonly arn: string;
  readonly name: string;
  readonly revision: Revision;
  readonly createdAt: number;
  /** The name of the log group for executions that fail; undefined if none is. */
  readonly logGroup?: string | undefined;
}

export class Machines {
  private readonly machines = new Map<string, Machine>();
  private readonly prefix: string;

  constructor(region: string, accountId: string) {
    this.prefix = `arn:aws:states:${region}:${accountId}`;
  }

  arnOf(name: string): string {
    return `${this.prefix}:stateMachine:${name}`;
  }

  executionArn(machineName: string, name: string): string {
    return `${this.prefix}:execution:${machineName}:${name}`;
  }

  add(machine: Machine): void {
    this.machines.set(machine.arn, machine);
  }

  byArn(arn: string): Machine | undefined {
    return this.machines.get(arn);
  }

  /** All machines, by name. */
  get all(): readonly Machine[] {
    return [...this.machines.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }
}
