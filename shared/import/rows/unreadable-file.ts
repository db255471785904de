/** The file itself cannot be imported, now or ever; the message says why. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
}
