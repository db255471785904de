/** A poller between a queue or stream and a function. */
export interface EventSource {
  /** Checks the permissions and begins to poll. */
  start(): Promise<void>;
  /** Starts no new batch. Batches in progress are finished, or their records are delivered again. */
  stop(): Promise<void>;
}
