/**
 * For the `requestHandler` of an AWS client: a hanging call fails, and the SDK retries it, before it has used up the
 * function's own time. Without `throwOnRequestTimeout` the SDK would only log that it waits.
 * @param requestTimeout milliseconds from the call to the head of its answer
 */
export const callLimits = (requestTimeout: number) => ({
  connectionTimeout: 1_000,
  requestTimeout,
  throwOnRequestTimeout: true,
});
