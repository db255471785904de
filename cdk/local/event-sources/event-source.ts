/** A poller between a queue or stream and a function. */
export interface EventSource {
  /** Checks the permissions and begins to poll. */
  start(): Promise<void>;
  /** Takes nothing new; what a function has in hand is finished, or left to come again. */
  stop(): Promise<void>;
}

/** Waits that end early when the source stops. */
export function pause(millis: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(finish, millis);
    signal.addEventListener('abort', finish, { once: true });
    function finish() {
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      resolve();
    }
  });
}
