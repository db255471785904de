/** Topics and the mail addresses that are subscribed to them. Nothing is published here: alarms are reported on the terminal. */

export interface TopicCounts {
  readonly confirmed: number;
  readonly pending: number;
}

export class Topics {
  private readonly subscriptions = new Map<string, boolean[]>();

  add(arn: string): void {
    this.subscriptions.set(arn, []);
  }

  /** A subscription waits for the person to open the link in the mail that SNS sends. */
  subscribe(arn: string): void {
    this.of(arn)?.push(false);
  }

  /** Sets for all subscriptions whether the link was opened. */
  confirm(isConfirmed: boolean): void {
    for (const all of this.subscriptions.values()) all.fill(isConfirmed);
  }

  countsOf(arn: string): TopicCounts | undefined {
    const all = this.of(arn);
    if (!all) return undefined;
    const confirmed = all.filter(Boolean).length;
    return { confirmed, pending: all.length - confirmed };
  }

  private of(arn: string): boolean[] | undefined {
    return this.subscriptions.get(arn);
  }
}
