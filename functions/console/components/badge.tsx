import { Icon, type IconName } from './icon.tsx';

type Tone = 'plain' | 'ok' | 'bad' | 'warn' | 'info' | 'outlined';

interface BadgeProps {
  readonly tone: Tone;
  readonly icon: IconName;
  readonly label: string;
}

/** A note that a form was saved, for a page that shows the same form again. */
export const Saved = ({ label = 'Saved' }: { readonly label?: string }) => (
  <output>
    <Badge tone="ok" icon="check" label={label} />
  </output>
);

/** A state shown by icon, word and colour, so that it can be recognised by any of them. */
export function Badge({ tone, icon, label }: BadgeProps) {
  return (
    <span class={tone === 'plain' ? 'badge' : `badge ${tone}`}>
      <Icon name={icon} />
      {label}
    </span>
  );
}
