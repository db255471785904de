import { createHash } from 'node:crypto';

interface LaneOptions {
  readonly tenant: string;
  readonly app: string;
  /** The number of images of one app that are examined at the same time. */
  readonly lanes: number;
}

/**
 * The message group of an image. SQS delivers one message of a group at a time, so the number of lanes limits how many
 * images of an app are examined at once, and no app waits for another.
 */
export function laneOf(name: string, { tenant, app, lanes }: LaneOptions): string {
  const owner = digestOf(`${tenant}/${app}`).toString('hex').slice(0, 32);
  return `${owner}-${digestOf(name).readUInt32BE() % lanes}`;
}

const digestOf = (text: string) => createHash('sha256').update(text).digest();
