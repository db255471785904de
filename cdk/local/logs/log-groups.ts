/** The log groups: the newest lines of each, in memory. */

export interface LogEvent {
  /** Grows with every event of the cloud. */
  readonly id: number;
  /** Milliseconds since 1970, of the cloud's clock. */
  readonly at: number;
  readonly message: string;
}

export interface LogGroup {
  readonly name: string;
  readonly createdAt: number;
  /** The events in the order in which they were written. */
  readonly events: readonly LogEvent[];
  readonly storedBytes: number;
}

/** Lambda makes a stream for each copy of a function; here a group has this one. */
export const LOG_STREAM = 'local';

interface StoredGroup {
  readonly name: string;
  readonly createdAt: number;
  readonly events: LogEvent[];
  storedBytes: number;
}

export class LogGroups {
  private readonly now: () => Date;
  private readonly bytesMax: number;
  private readonly groups = new Map<string, StoredGroup>();
  private lastId = 0;

  /** @param bytesMax the limit of each group, beyond which its oldest events are dropped */
  constructor(now: () => Date, bytesMax = 1024 * 1024) {
    this.now = now;
    this.bytesMax = bytesMax;
  }

  /** Makes a group, or returns the one of that name. */
  create(name: string): LogGroup {
    return this.groupOf(name);
  }

  write(name: string, message: string): void {
    const group = this.groupOf(name);
    this.lastId += 1;
    group.events.push({ id: this.lastId, at: this.now().getTime(), message });
    group.storedBytes += bytesOf(message);
    while (group.storedBytes > this.bytesMax) group.storedBytes -= bytesOf(group.events.shift()?.message ?? '');
  }

  named(name: string): LogGroup | undefined {
    return this.groups.get(name);
  }

  /** Returns all groups by name. */
  all(): readonly LogGroup[] {
    return [...this.groups.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  private groupOf(name: string): StoredGroup {
    const group = this.groups.get(name) ?? { name, createdAt: this.now().getTime(), events: [], storedBytes: 0 };
    this.groups.set(name, group);
    return group;
  }
}

/** CloudWatch counts 26 bytes for an event besides its message. */
const bytesOf = (message: string) => Buffer.byteLength(message) + 26;
