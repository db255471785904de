/** A poller between a queue or stream and a function. */
export interface EventSource {
  /** Checks the permissions and begins to poll. */
  start(): Promise<void>;
  /** Takes nothing new; what a function has in hand is finished, or left to come again. */
  stop(): Promise<void>;
}
