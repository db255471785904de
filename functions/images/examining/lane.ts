import { createHash } from 'node:crypto';

interface LaneOptions {
  readonly tenant: string;
  readonly app: string;
  /** Images of one app that are examined at the same time. */
  readonly lanes: number;
}

/**
 * The group of an image's message. Of each group the queue gives one message at a time, so that an app has as many images
 * examined at the same time as it has lanes, and no app waits for another one's.
 */
export function laneOf(name: string, { tenant, app, lanes }: LaneOptions): string {
  const owner = digestOf(`${tenant}/${app}`).toString('hex').slice(0, 32);
  return `${owner}-${digestOf(name).readUInt32BE() % lanes}`;
}

const digestOf = (text: string) => createHash('sha256').update(text).digest();
