/** A JSON pointer (RFC 6901) to a member of what `parent` points to. */
export const pointerTo = (parent: string, member: string | number): string =>
  `${parent}/${String(member).replaceAll('~', '~0').replaceAll('/', '~1')}`;
