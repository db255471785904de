import type { ComponentChildren } from 'preact';
import { useView } from './view.ts';

interface LiveProps {
  readonly name: string;
  readonly part: { readonly content: ComponentChildren; readonly isOver: boolean };
  /** True if the whole page reloads at the end, because other parts of it depend on this one. */
  readonly reloadsAtEnd?: boolean;
  /** True if the part has one state, its first badge, which screen readers say when it changes. */
  readonly saysState?: boolean;
}

/**
 * A part that the page's script refreshes while it changes. Without script a link leads to a page that reloads every
 * five seconds.
 */
export function Live({ name, part, reloadsAtEnd = false, saysState = false }: LiveProps) {
  return (
    <section
      data-live={part.isOver ? undefined : name}
      data-reload={reloadsAtEnd ? '' : undefined}
      data-says-state={saysState ? '' : undefined}
    >
      {part.content}
    </section>
  );
}

/** A link to refresh the page, for people without script, while something changes. */
export function FollowLink({ isOver }: { readonly isOver: boolean }) {
  const { url } = useView();
  if (isOver) return null;
  const isFollowing = /[?&]auto=5\b/.test(url);
  const path = url.replace(/([?&])auto=5(&|$)/, '$1').replace(/[?&]$/, '');
  return (
    <noscript>
      <p class="small muted">
        {isFollowing ? (
          <a href={path}>Stop refreshing</a>
        ) : (
          <a href={`${path}${path.includes('?') ? '&' : '?'}auto=5`}>Refresh every five seconds</a>
        )}
      </p>
    </noscript>
  );
}
