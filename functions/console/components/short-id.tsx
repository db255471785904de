/**
 * An id of which only both ends are visible. It is whole where it is copied, read aloud or saved: the rest of it has no
 * width, and the dots between are no text.
 */
export function ShortId({ id }: { readonly id: string }) {
  if (id.length <= 16) return <span class="mono nowrap">{id}</span>;
  return (
    <span class="mono nowrap" title={id}>
      {id.slice(0, 8)}
      <span class="id-rest">{id.slice(8, -4)}</span>
      {id.slice(-4)}
    </span>
  );
}
