/** Thrown if a file cannot be imported at all. The message states the reason. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
}
