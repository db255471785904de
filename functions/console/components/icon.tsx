import { useView } from './view.ts';

export type IconName =
  | 'check'
  | 'cross'
  | 'dot'
  | 'clock'
  | 'warning'
  | 'info'
  | 'pause'
  | 'copy'
  | 'replay'
  | 'down'
  | 'plus';

/** A drawing beside words that say the same. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" aria-hidden="true">
      <use href={`${useView().asset('icons.svg')}#${name}`} />
    </svg>
  );
}
